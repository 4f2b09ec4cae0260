/** The review session. It lives outside the pages, so that nothing is lost when the user navigates or signs in again. */

import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { type Extraction, extractionQuery } from "@/api/extractions";
import { acceptFields, correctFields, leftQuery, undoFields, verifyExtraction } from "@/api/fields";
import { watched } from "@/state/watched";
import { currentProject } from "@/state/project";
import { type Action, createOutbox, type Parcel, type ExtractionState } from "@/review/outbox/outbox";
import { decide, type Decision, NO_STEPS, type Place, type Step, type Steps, takeBack } from "./steps";

const steps = watched<Steps>(NO_STEPS);
const saved = watched<number>(0);
let queries: QueryClient | null = null;
let owner: string | null = null;
let last = 0;

export const outbox = createOutbox({
  send: async (place, action) => {
    const extraction = await deliver(place, action);
    remember(place, action, extraction);
    return standingOf(extraction);
  },
  later: (run, milliseconds) => {
    const timer = window.setTimeout(run, milliseconds);
    return () => window.clearTimeout(timer);
  },
});

/** A different key starts with an empty session. */
export function openReview(client: QueryClient, keyId: string): void {
  queries = client;
  if (owner !== keyId) {
    steps.set(NO_STEPS);
    outbox.clear();
  }
  owner = keyId;
  outbox.retry();
}

export function decideField(place: Place, decision: Decision, { wasDue, wasLast }: Pick<Step, "wasDue" | "wasLast">): void {
  last += 1;
  steps.set(decide(steps.get(), { number: last, place, decision, wasDue, wasLast, at: new Date().toISOString() }));
  outbox.add(last, place, decision);
  if (wasDue) countLeft(-1, wasLast ? -1 : 0);
}

export function undoLast(): Step | null {
  const { steps: left, taken } = takeBack(steps.get());
  if (taken === null) return null;
  steps.set(left);
  outbox.takeBack(taken.number, taken.place);
  if (taken.wasDue) countLeft(1, taken.wasLast ? 1 : 0);
  return taken;
}

export function useSteps(): Steps {
  return useSyncExternalStore(steps.subscribe, steps.get);
}

export function useParcels(): readonly Parcel[] {
  return useSyncExternalStore(outbox.parcels.subscribe, outbox.parcels.get);
}

/** Number of saved decisions. */
export function useSavedCount(): number {
  return useSyncExternalStore(saved.subscribe, saved.get);
}

function deliver({ extractionId, documentId, path }: Place, action: Action): Promise<Extraction> {
  switch (action.kind) {
    case "accept":
      return acceptFields(extractionId, [path], true);
    case "correct": {
      const { value, page, box } = action;
      return correctFields(extractionId, [{ path, value, document_id: documentId, page, box }], true);
    }
    case "undo":
      return undoFields(extractionId, [path], true);
    case "verify":
      return verifyExtraction(extractionId, true);
  }
}

function standingOf(extraction: Extraction): ExtractionState {
  return { needsReview: extraction.needs_review !== false, verified: extraction.verified_at !== null };
}

/** Invalidates the data of other pages. The open page is up to date, except after an undo. */
function remember({ documentId, extractionId }: Place, action: Action, extraction: Extraction): void {
  saved.set(saved.get() + 1);
  queries?.setQueryData(extractionQuery(extractionId).queryKey, extraction);
  void queries?.invalidateQueries({ queryKey: ["documents"], refetchType: "none" });
  if (action.kind === "undo") void queries?.invalidateQueries({ queryKey: ["documents", documentId, "fields"] });
  if (action.kind === "verify") void queries?.invalidateQueries(leftQuery(currentProject()));
}

function countLeft(fields: number, documents: number): void {
  queries?.setQueryData(leftQuery(currentProject()).queryKey, (known) =>
    known === undefined ? undefined : { left: Math.max(0, known.left + fields), documents: Math.max(0, known.documents + documents) },
  );
}
