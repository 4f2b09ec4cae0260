/** Display state of a field: the current value, its confidence, and problems. */

import type { Field } from "@/api/extractions";
import { type Sureness, sureness } from "@/components/Confidence";
import type { Mark } from "@/viewer/layers/mark";
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
