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
  if ((stage === "reading" || stage === "ocr") && progress.page && progress.pages) return `Page ${progress.page} of ${progress.pages}`;
  if (stage === "unpacking" && progress.page) return `Unpacking, ${progress.page.toLocaleString("en")} entries`;
  return words;
}

/** From 0 to 1; null while unknown, as before the first page. */
export function stagePart(progress: Progress): number | null {
  if (!progress.page || !progress.pages) return null;
  return Math.min(1, progress.page / progress.pages);
}
