import type { ExtractionSummary } from "@/api/extractions";
import { nameInWords } from "@/fields/path";

const ENGINES: Record<string, string> = {
  local: "built-in",
  llm: "language model",
  cascade: "built-in, then language model",
  "azure-document-intelligence": "Azure",
};

/** `invoice@0` → “Invoice”, `invoice@3` → “Invoice, version 3”. */
export function schemaInWords(ref: string | null): string {
  if (ref === null) return "Custom fields";
  const [name = "", version] = ref.split("@");
  return version === undefined || version === "0" ? nameInWords(name) : `${nameInWords(name)}, version ${version}`;
}

/** “Invoice · built-in · 16/11/2026, 05:12”. */
export function extractionInWords(extraction: Pick<ExtractionSummary, "schema" | "engine" | "model" | "created_at">): string {
  const how = extraction.model ?? ENGINES[extraction.engine] ?? extraction.engine;
  return [schemaInWords(extraction.schema), how, new Date(extraction.created_at).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" })].join(" · ");
}
