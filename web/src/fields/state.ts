/** Display state of a field: the current value, its confidence, and problems. */

import type { Doubt, Field } from "@/api/extractions";
import { type Sureness, sureness } from "@/components/Confidence";
import type { Drawn, Mark } from "@/viewer/layers/mark";
import { byPath, inWords, type Naming } from "./naming";

/** A correction takes precedence over the engine's value. */
export function heldValue(field: Field): unknown {
  return field.correction ? field.correction.new_value : field.value;
}

export function isAbsent(field: Field): boolean {
  const value = heldValue(field);
  return value === null || value === undefined;
}

/** Reviewed by a person: accepted or corrected. */
export function isSettled(field: Field): boolean {
  return Boolean(field.correction) || Boolean(field.accepted);
}

export function failedChecks(field: Field): string[] {
  return isSettled(field) ? [] : field.checks.filter((check) => !check.passed).map((check) => check.message || `Check “${check.name}” failed.`);
}

/** A value without evidence on the page. */
export function isUngrounded(field: Field): boolean {
  return !field.grounded && !isSettled(field) && !isAbsent(field);
}

/** Why a field that waits for review may be wrong. That its value is not on the page is shown anyway. */
export function openDoubts(field: Field): Doubt[] {
  if (!field.needs_review || isSettled(field)) return [];
  return field.doubts.filter(({ code }) => code !== "not_on_page");
}

/** A value that may be right instead, with its box on a page of this document. */
export function otherValue(doubt: Doubt, documentId: string): Drawn | null {
  const [first, ...rest] = doubt.evidence.filter((place) => place.document_id === documentId);
  if (doubt.other === null || first === undefined) return null;
  const boxes = [first, ...rest.filter(({ page }) => page === first.page)].map(({ box }) => box);
  const [left, top, right, bottom] = [0, 1, 2, 3].map((side) => boxes.map((box) => box[side] as number)) as [number[], number[], number[], number[]];
  return { page: first.page, box: [Math.min(...left), Math.min(...top), Math.max(...right), Math.max(...bottom)], text: doubt.other };
}

/** A null: a person said that the document does not have the field, or the engine has not found it. */
export function absentInWords(field: Field): string {
  return isSettled(field) ? "Not in the document" : "Not found";
}

export function toneOf(field: Field): Sureness {
  if (isSettled(field)) return "sure";
  if (failedChecks(field).length > 0 || isUngrounded(field)) return "unsure";
  return sureness(field.confidence);
}

/** Whether to show it: rows that need no attention are collapsed. */
export function isQuiet(field: Field): boolean {
  return isAbsent(field) && !field.needs_review && !isSettled(field);
}

export function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return "—";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The current value with the decimals of the page: 649, read from “649.00”, is shown as “649.00”. */
export function fieldInWords(field: Field): string {
  const value = heldValue(field);
  const read = field.correction ? undefined : field.evidence[0]?.text;
  if (typeof value !== "number" || read === undefined) return valueInWords(value);
  const decimals = /[.,](\d{1,6})\D*$/.exec(read)?.[1]?.length ?? 0;
  const written = value.toFixed(decimals);
  return digitsOf(written) === digitsOf(read) ? written : valueInWords(value);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

/** Marks for the evidence of a document's fields, with the field's path as id. */
export function marksOf(fields: readonly Field[], documentId: string, naming: Naming = byPath): Mark[] {
  return fields.flatMap((field): Mark[] => {
    const label = `${inWords(naming(field.path))}: ${fieldInWords(field)}`;
    const { correction } = field;
    if (correction?.page && correction.box && (correction.document_id ?? documentId) === documentId) {
      return [{ id: field.path, page: correction.page, box: correction.box, tone: "sure", label }];
    }
    return field.evidence
      .filter((evidence) => evidence.document_id === documentId)
      .map((evidence) => ({ id: field.path, page: evidence.page, box: evidence.box, tone: toneOf(field), label }));
  });
}
