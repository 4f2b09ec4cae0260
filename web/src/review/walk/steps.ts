/** The decisions of this session, newest last: the single source for display and undo. */

import type { Scalar } from "@/fields/leaf";

export type Box = [number, number, number, number];

export interface Place {
  extractionId: string;
  documentId: string;
  path: string;
}

export type Decision = { kind: "accept" } | { kind: "correct"; value: Scalar; page: number | null; box: Box | null };

export interface Step {
  number: number;
  place: Place;
  decision: Decision;
  /** The field needed review before. */
  wasDue: boolean;
  /** It was the last field of its document that needed review. */
  wasLast: boolean;
  at: string;
}

export interface Steps {
  done: readonly Step[];
  /** Fields whose decision was undone and that need review again. */
  reopened: ReadonlySet<string>;
}

export const NO_STEPS: Steps = { done: [], reopened: new Set() };

/** A unique key of a field across documents. */
export const keyOf = (place: Pick<Place, "extractionId" | "path">): string => `${place.extractionId} ${place.path}`;

export function decide(steps: Steps, step: Step): Steps {
  const reopened = new Set(steps.reopened);
  reopened.delete(keyOf(step.place));
  return { done: [...steps.done, step], reopened };
}

/** Undoes the newest step. A field with an older decision stays decided. */
export function takeBack(steps: Steps): { steps: Steps; taken: Step | null } {
  const taken = steps.done.at(-1);
  if (taken === undefined) return { steps, taken: null };
  const done = steps.done.slice(0, -1);
  const key = keyOf(taken.place);
  const reopened = new Set(steps.reopened);
  if (taken.wasDue && !done.some((step) => keyOf(step.place) === key)) reopened.add(key);
  return { steps: { done, reopened }, taken };
}

/** The current decision of each field that was decided in this session. */
export function decisionsOf(steps: Steps): ReadonlyMap<string, Step> {
  return new Map(steps.done.map((step) => [keyOf(step.place), step]));
}
