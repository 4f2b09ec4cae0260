/** In which order documents and their fields come. */

import type { Field } from "@/api/extractions";
import { keyOf, type Step, type Steps } from "./steps";

/** The fields of one extraction that stand on one document: what is gone through in one go. */
export interface Group {
  documentId: string;
  extractionId: string;
  filename: string;
}

export const groupKey = (group: Pick<Group, "documentId" | "extractionId">): string => `${group.extractionId} ${group.documentId}`;

/** The document with the least sure field first. Its other fields come with it: nobody wants to change documents with every field. */
export function groupsOf(rows: readonly Pick<Field, "document_id" | "extraction_id" | "filename">[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const group = { documentId: row.document_id, extractionId: row.extraction_id, filename: row.filename };
    const key = groupKey(group);
    if (!groups.has(key)) groups.set(key, group);
  }
  return [...groups.values()];
}

/** Where each field of a document stands, in this session and before. */
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

/** After a decision: the next that is due, from the document's beginning if need be; null when it is done. */
export function nextDue(fields: readonly Stop[], current: string | null): string | null {
  const at = fields.findIndex((field) => field.path === current);
  const later = fields.slice(at + 1).find((field) => field.state === "due");
  const found = later ?? fields.find((field) => field.state === "due" && field.path !== current);
  return found?.path ?? null;
}

/** Forward or back through what is due or was decided in this session; null beyond either end. */
export function beside(fields: readonly Stop[], current: string | null, by: 1 | -1): string | null {
  const at = fields.findIndex((field) => field.path === current);
  const ahead = by === 1 ? fields.slice(at + 1) : fields.slice(0, Math.max(at, 0)).reverse();
  return ahead.find((field) => field.state !== "settled")?.path ?? null;
}

/** The next document that was neither finished nor skipped, after this one first; null when there is none. */
export function nextGroup(groups: readonly Group[], current: string | null, passed: ReadonlySet<string>): Group | null {
  const at = groups.findIndex((group) => groupKey(group) === current);
  const isOpen = (group: Group) => groupKey(group) !== current && !passed.has(groupKey(group));
  return groups.slice(at + 1).find(isOpen) ?? groups.slice(0, Math.max(at, 0)).find(isOpen) ?? null;
}
