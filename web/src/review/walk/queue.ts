/** The order of documents and fields in the review. */

import type { Field } from "@/api/extractions";
import { keyOf, type Step, type Steps } from "./steps";

/** The fields of one extraction on one document, which are reviewed together. */
export interface Group {
  documentId: string;
  extractionId: string;
  filename: string;
}

export const groupKey = (group: Pick<Group, "documentId" | "extractionId">): string => `${group.extractionId} ${group.documentId}`;

/** Documents sorted by their lowest confidence. All fields of a document are reviewed together to avoid switching documents. */
export function groupsOf(rows: readonly Pick<Field, "document_id" | "extraction_id" | "filename">[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const group = { documentId: row.document_id, extractionId: row.extraction_id, filename: row.filename };
    const key = groupKey(group);
    if (!groups.has(key)) groups.set(key, group);
  }
  return [...groups.values()];
}

/** The review state of a field, including this session's decisions. */
export type FieldState = "due" | "decided" | "settled";

export function stateOf(field: Pick<Field, "extraction_id" | "path" | "needs_review">, decisions: ReadonlyMap<string, Step>, steps: Steps): FieldState {
  const key = keyOf({ extractionId: field.extraction_id, path: field.path });
  if (decisions.has(key)) return "decided";
  return field.needs_review || steps.reopened.has(key) ? "due" : "settled";
}

export interface Stop {
  path: string;
  state: FieldState;
}

/** The next due field after a decision, wrapping around to the document's start; null when all are done. */
export function nextDue(fields: readonly Stop[], current: string | null): string | null {
  const at = fields.findIndex((field) => field.path === current);
  const later = fields.slice(at + 1).find((field) => field.state === "due");
  const found = later ?? fields.find((field) => field.state === "due" && field.path !== current);
  return found?.path ?? null;
}

/** The next or previous field that is due or was decided in this session; null beyond either end. */
export function neighbor(fields: readonly Stop[], current: string | null, by: 1 | -1): string | null {
  const at = fields.findIndex((field) => field.path === current);
  const ahead = by === 1 ? fields.slice(at + 1) : fields.slice(0, Math.max(at, 0)).reverse();
  return ahead.find((field) => field.state !== "settled")?.path ?? null;
}

/** The next document that was neither finished nor skipped, starting after this one; null if there is none. */
export function nextGroup(groups: readonly Group[], current: string | null, passed: ReadonlySet<string>): Group | null {
  const at = groups.findIndex((group) => groupKey(group) === current);
  const isOpen = (group: Group) => groupKey(group) !== current && !passed.has(groupKey(group));
  return groups.slice(at + 1).find(isOpen) ?? groups.slice(0, Math.max(at, 0)).find(isOpen) ?? null;
}
