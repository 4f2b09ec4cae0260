/** How batches are described to people. */

import type { Batch, BatchSummary, GroupBy } from "@/api/batches";
import { schemaInWords } from "@/document/extractionWords";

export type Progress = BatchSummary["progress"];

export const GROUPINGS: readonly { mode: GroupBy["mode"]; label: string; hint: string }[] = [
  { mode: "document", label: "Each document separately", hint: "One row per document." },
  { mode: "folder", label: "By folder inside archives", hint: "Documents in the same folder of an archive become one row." },
  { mode: "class", label: "By document class", hint: "Documents of the same class become one row." },
  { mode: "pattern", label: "By a pattern in the file name", hint: "Documents whose names contain the same text become one row." },
  { mode: "all", label: "All documents together", hint: "One row over all documents." },
];

/** “By folder inside archives”. Listed groups can be set with the API only. */
export function groupingInWords({ mode, pattern }: GroupBy): string {
  if (mode === "pattern") return `Grouped by ${pattern}`;
  return GROUPINGS.find((each) => each.mode === mode)?.label ?? "Groups listed one by one";
}

export function fieldsInWords({ schema, fields }: Pick<BatchSummary, "schema" | "fields">): string {
  if (fields != null) return fields.length === 1 ? "1 field" : `${fields.length} fields`;
  if (schema === null) return "Fields of the project";
  return schema === "auto" ? "Fields by document class" : schemaInWords(schema);
}

export function statusInWords({ status, starting }: Pick<BatchSummary, "status" | "starting">): string {
  return status === "running" && starting ? "starting" : status;
}

export function endedOf({ completed, failed, cancelled }: Progress): number {
  return completed + failed + cancelled;
}

export function count(number: number): string {
  return number.toLocaleString("en");
}

/** “about 4 min left”. */
export function timeLeft(seconds: number | null | undefined): string | null {
  if (seconds == null) return null;
  if (seconds < 10) return "a few seconds left";
  if (seconds < 60) return `about ${Math.ceil(seconds / 10) * 10} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${minutes} min left`;
  const hours = Math.floor(minutes / 60);
  return `about ${hours} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`} left`;
}

/** Why a batch that was started has no extractions yet. */
export function waitingInWords({ run_at, progress }: Pick<Batch, "run_at" | "progress">, now: number): string {
  if (run_at !== null && Date.parse(run_at) > now) return `Starts on ${new Date(run_at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}.`;
  const waiting = progress.documents_waiting;
  if (waiting === 0) return "Starts in a moment.";
  return `Starts when ${waiting === 1 ? "1 more document has" : `${count(waiting)} more documents have`} been read or unpacked, because the groups depend on them.`;
}

/** That documents were added since the last start, such as parts of a packet that was cut afterwards. */
export function newInWords({ status, starting, progress }: Pick<Batch, "status" | "starting" | "progress">): string | null {
  const added = progress.documents_new;
  if (added === 0 || starting || status === "pending_configuration") return null;
  return `${added === 1 ? "1 document was" : `${count(added)} documents were`} added since the last start. Start them with the button above.`;
}

export function groupsInWords(total: number): string {
  return `${count(total)} ${total === 1 ? "group" : "groups"}`;
}
