/**
 * Sends decisions in the background, one at a time and in order.
 *
 * A failed decision stays here until it is sent or undone. Temporary failures are retried automatically, rejected ones
 * wait for the user.
 */

import { ApiProblem } from "@/api/http";
import { type Watched, watched } from "@/state/watched";
import type { Decision, Place } from "@/review/walk/steps";

export type Action = Decision | { kind: "undo" } | { kind: "verify" };

export interface Parcel {
  /** The step it belongs to; parcels without a step have a negative number. */
  number: number;
  place: Place;
  action: Action;
  state: "waiting" | "sending" | "failed";
  error: unknown;
  tries: number;
}

/** The state of the extraction after a change. */
export interface ExtractionState {
  needsReview: boolean;
  verified: boolean;
}

export interface Sender {
  send: (place: Place, action: Action) => Promise<ExtractionState>;
  /** Schedules a callback and returns a function that cancels it. */
  later: (run: () => void, milliseconds: number) => () => void;
}

export interface Outbox {
  parcels: Watched<readonly Parcel[]>;
  add: (number: number, place: Place, action: Decision) => void;
  /** Undoes a step: drops it if it was not sent yet, otherwise sends an undo. */
  takeBack: (number: number, place: Place) => void;
  /** Retries everything that failed now. */
  retry: () => void;
  /** Verifies complete extractions immediately instead of after a delay. */
  settle: () => void;
  clear: () => void;
}

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;
export const THINK_AGAIN_MS = 4_000;

export function createOutbox({ send, later }: Sender): Outbox {
  const parcels = watched<readonly Parcel[]>([]);
  const verifications = new Map<string, { callOff: () => void; place: Place }>();
  let last = 0;
  let isBusy = false;
  let callOffRetry: (() => void) | null = null;

  const change = (parcel: Parcel, to: Partial<Parcel>) => {
    parcels.set(parcels.get().map((each) => (each.number === parcel.number ? { ...each, ...to } : each)));
  };
  const remove = (number: number) => parcels.set(parcels.get().filter((each) => each.number !== number));
  const push = (number: number, place: Place, action: Action) => {
    parcels.set([...parcels.get(), { number, place, action, state: "waiting", error: null, tries: 0 }]);
    void work();
  };

  const work = async () => {
    if (isBusy) return;
    isBusy = true;
    for (let next = sendable(parcels.get()); next !== null; next = sendable(parcels.get())) {
      change(next, { state: "sending" });
      await deliver(next);
    }
    isBusy = false;
  };
  const deliver = async (parcel: Parcel) => {
    try {
      const state = await send(parcel.place, parcel.action);
      remove(parcel.number);
      planVerification(parcel.place, state);
    } catch (error) {
      change(parcel, { state: "failed", error, tries: parcel.tries + 1 });
      if (mayWorkLater(error)) planRetry(parcel.tries);
    }
  };
  const planRetry = (tries: number) => {
    callOffRetry?.();
    callOffRetry = later(retry, Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS));
  };
  const retry = () => {
    callOffRetry?.();
    callOffRetry = null;
    parcels.set(parcels.get().map((each) => (each.state === "failed" ? { ...each, state: "waiting" } : each)));
    void work();
  };
  const planVerification = (place: Place, state: ExtractionState) => {
    const { extractionId } = place;
    if (state.needsReview || state.verified) return;
    if (parcels.get().some((each) => each.place.extractionId === extractionId)) return;
    const callOff = later(() => verify(extractionId), THINK_AGAIN_MS);
    verifications.set(extractionId, { callOff, place });
  };
  const verify = (extractionId: string) => {
    const planned = verifications.get(extractionId);
    if (planned === undefined) return;
    forget(extractionId);
    push(--last, planned.place, { kind: "verify" });
  };
  const forget = (extractionId: string) => {
    verifications.get(extractionId)?.callOff();
    verifications.delete(extractionId);
  };

  return {
    parcels,
    retry,
    add: (number, place, action) => {
      forget(place.extractionId);
      push(number, place, action);
    },
    takeBack: (number, place) => {
      forget(place.extractionId);
      for (const each of parcels.get()) {
        if (each.action.kind === "verify" && each.place.extractionId === place.extractionId && each.state !== "sending") remove(each.number);
      }
      const parcel = parcels.get().find((each) => each.number === number);
      if (parcel !== undefined && parcel.state !== "sending") remove(number);
      else push(--last, place, { kind: "undo" });
      void work();
    },
    settle: () => {
      for (const extractionId of [...verifications.keys()]) verify(extractionId);
    },
    clear: () => {
      callOffRetry?.();
      for (const extractionId of [...verifications.keys()]) forget(extractionId);
      parcels.set([]);
    },
  };
}

/** The first waiting parcel without an older one of the same field. Verification comes after all others of its extraction. */
function sendable(parcels: readonly Parcel[]): Parcel | null {
  const isBehind = (parcel: Parcel, index: number) =>
    parcels
      .slice(0, index)
      .some(
        ({ place }) =>
          place.extractionId === parcel.place.extractionId && (parcel.action.kind === "verify" || place.path === parcel.place.path),
      );
  return parcels.find((parcel, index) => parcel.state === "waiting" && !isBehind(parcel, index)) ?? null;
}

/** The service is unreachable or overloaded; everything else is a rejection. */
function mayWorkLater(error: unknown): boolean {
  return !(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500;
}
