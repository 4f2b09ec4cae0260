/**
 * Sends what was decided in the background, in its order, one at a time.
 *
 * What fails stays here with its value until it is sent or taken back: what may work later is tried again by itself,
 * what was refused waits for the person.
 */

import { ApiProblem } from "@/api/http";
import { type Watched, watched } from "@/state/watched";
import type { Decision, Place } from "./steps";

export type Action = Decision | { kind: "undo" } | { kind: "verify" };

export interface Parcel {
  /** The step that it belongs to; parcels of others have their own negative number. */
  number: number;
  place: Place;
  action: Action;
  state: "waiting" | "sending" | "failed";
  error: unknown;
  tries: number;
}

/** What the service says of the extraction after a change. */
export interface Standing {
  needsReview: boolean;
  verified: boolean;
}

export interface Sender {
  send: (place: Place, action: Action) => Promise<Standing>;
  /** Calls back after a while; answers how to call it off. */
  later: (run: () => void, milliseconds: number) => () => void;
}

export interface Outbox {
  parcels: Watched<readonly Parcel[]>;
  add: (number: number, place: Place, action: Decision) => void;
  /** Takes a step back: what was not sent yet will not be, what was is undone. */
  takeBack: (number: number, place: Place) => void;
  /** Tries everything that failed once more, now. */
  retry: () => void;
  /** Marks what is complete as verified at once instead of after the time to think again. */
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
      const standing = await send(parcel.place, parcel.action);
      remove(parcel.number);
      planVerification(parcel.place, standing);
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
  const planVerification = (place: Place, standing: Standing) => {
    const { extractionId } = place;
    if (standing.needsReview || standing.verified) return;
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

/** The first that waits and has no older one of the same field before it; to verify comes after all of its extraction. */
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

/** The service is away or overloaded; everything else is a refusal. */
function mayWorkLater(error: unknown): boolean {
  return !(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500;
}
