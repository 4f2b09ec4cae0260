import type { Schemas } from "@/api/http";

type Progress = Schemas["StatusProgress"];

/** What the workers call a stage, in a person's words. */
const WORDS: Record<string, string> = {
  starting: "Starting",
  fetching: "Getting it ready",
  reading: "Reading",
  ocr: "Reading a scan",
  unpacking: "Opening what is inside",
  rendering: "Drawing pages",
  analysing: "Finding out what it is",
  extracting: "Finding the fields",
  grounding: "Checking against the page",
  asking: "Asking the model",
  storing: "Saving",
  indexing: "Making it searchable",
  learning: "Learning from corrections",
};

export function stageWords(progress: Progress): string {
  const [stage = ""] = progress.stage.split(" ");
  const words = WORDS[stage] ?? stage.charAt(0).toUpperCase() + stage.slice(1);
  if ((stage === "reading" || stage === "ocr") && progress.page && progress.pages) return `Page ${progress.page} of ${progress.pages}`;
  return words;
}

/** From 0 to 1; null while nobody can say, as before the first page. */
export function stagePart(progress: Progress): number | null {
  if (!progress.page || !progress.pages) return null;
  return Math.min(1, progress.page / progress.pages);
}
