import type { Schemas } from "@/api/http";

type Progress = Schemas["StatusProgress"];

/** Labels for processing stages. */
const WORDS: Record<string, string> = {
  starting: "Starting",
  downloading: "Downloading",
  fetching: "Preparing",
  reading: "Reading",
  ocr: "Running OCR",
  unpacking: "Unpacking",
  splitting: "Looking for several documents",
  rendering: "Rendering pages",
  analyzing: "Classifying",
  extracting: "Extracting fields",
  grounding: "Verifying fields",
  asking: "Calling the model",
  storing: "Saving",
  indexing: "Indexing for search",
  learning: "Learning from corrections",
};

export function stageWords(progress: Progress): string {
  const [stage = ""] = progress.stage.split(" ");
  const words = WORDS[stage] ?? stage.charAt(0).toUpperCase() + stage.slice(1);
  if ((stage === "reading" || stage === "ocr") && progress.page && progress.pages) {
    const left = progress.seconds_left == null ? "" : `, ${leftInWords(progress.seconds_left)}`;
    return `Page ${progress.page} of ${progress.pages}${left}`;
  }
  if (stage === "unpacking" && progress.page) return `Unpacking, ${progress.page.toLocaleString("en")} entries`;
  return words;
}

/** An estimate, so it is rounded more the longer it is. */
export function leftInWords(seconds: number): string {
  if (seconds < 10) return "a few seconds left";
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} seconds left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} minutes left` : `about ${Math.round(minutes / 60)} hours left`;
}

/** From 0 to 1; null while unknown, as before the first page. */
export function stagePart(progress: Progress): number | null {
  if (!progress.page || !progress.pages) return null;
  return Math.min(1, progress.page / progress.pages);
}
