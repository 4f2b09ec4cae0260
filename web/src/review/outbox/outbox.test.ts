import { describe, expect, it } from "vitest";
import { ApiProblem } from "@/api/http";
import { type Action, createOutbox, type ExtractionState, THINK_AGAIN_MS } from "./outbox";
import type { Place } from "@/review/walk/steps";

const place = (path: string, extractionId = "e"): Place => ({ extractionId, documentId: "d", path });
const accept = { kind: "accept" } as const;
const LEFT: ExtractionState = { needsReview: true, verified: false };
const COMPLETE: ExtractionState = { needsReview: false, verified: false };

/** A service that responds when the test says so, and a manual clock. */
function setUp() {
  const sent: { path: string; kind: Action["kind"]; answer: (state: ExtractionState) => Promise<void>; refuse: (error: unknown) => Promise<void> }[] = [];
  let timers: { run: () => void; milliseconds: number }[] = [];
  const settled = () => new Promise<void>((resolve) => setTimeout(resolve));
  const outbox = createOutbox({
    send: ({ path }, { kind }) =>
      new Promise((resolve, reject) => {
        sent.push({
          path,
          kind,
          answer: (state) => (resolve(state), settled()),
          refuse: (error) => (reject(error), settled()),
        });
      }),
    later: (run, milliseconds) => {
      const timer = { run, milliseconds };
      timers.push(timer);
      return () => void (timers = timers.filter((each) => each !== timer));
    },
  });
  const turnClock = async () => {
    const due = timers;
    timers = [];
    for (const timer of due) timer.run();
    await settled();
  };
  const kinds = () => sent.map(({ path, kind }) => `${kind} ${path}`);
  const states = () => outbox.parcels.get().map((each) => each.state);
  return { outbox, sent, turnClock, kinds, states, waits: () => timers.map((timer) => timer.milliseconds) };
}

const nth = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new Error(`no item ${index}`);
  return item;
};

describe("an outbox", () => {
  it("sends one at a time, in order", async () => {
    const { outbox, sent, kinds } = setUp();
    outbox.add(1, place("a"), accept);
    outbox.add(2, place("b"), accept);
    expect(kinds()).toEqual(["accept a"]);
    await nth(sent, 0).answer(LEFT);
    expect(kinds()).toEqual(["accept a", "accept b"]);
  });
  it("keeps failed actions and retries them later", async () => {
    const { outbox, sent, kinds, states, turnClock } = setUp();
    outbox.add(1, place("a"), accept);
    await nth(sent, 0).refuse(new ApiProblem(0, "unreachable", ""));
    expect(states()).toEqual(["failed"]);
    await turnClock();
    expect(kinds()).toEqual(["accept a", "accept a"]);
    await nth(sent, 1).answer(LEFT);
    expect(states()).toEqual([]);
  });
  it("waits longer after every failure", async () => {
    const { outbox, sent, turnClock, waits } = setUp();
    outbox.add(1, place("a"), accept);
    const waited: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      await nth(sent, turn).refuse(new ApiProblem(503, "unavailable", ""));
      waited.push(...waits());
      await turnClock();
    }
    expect(waited).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });
  it("does not retry rejected actions until the user asks for it", async () => {
    const { outbox, sent, kinds, waits } = setUp();
    outbox.add(1, place("a"), accept);
    await nth(sent, 0).refuse(new ApiProblem(422, "correction_invalid", ""));
    expect(waits()).toEqual([]);
    outbox.retry();
    expect(kinds()).toEqual(["accept a", "accept a"]);
  });
  it("sends other fields after one failed, but nothing more of that one", async () => {
    const { outbox, sent, kinds } = setUp();
    outbox.add(1, place("a"), accept);
    outbox.add(2, place("a"), { kind: "correct", value: "x", page: null, box: null });
    outbox.add(3, place("b"), accept);
    await nth(sent, 0).refuse(new ApiProblem(422, "correction_invalid", ""));
    expect(kinds()).toEqual(["accept a", "accept b"]);
  });
  it("undoes unsent actions without a request", async () => {
    const { outbox, sent, kinds } = setUp();
    outbox.add(1, place("a"), accept);
    outbox.add(2, place("b"), accept);
    outbox.takeBack(2, place("b"));
    await nth(sent, 0).answer(LEFT);
    expect(kinds()).toEqual(["accept a"]);
  });
  it("sends an undo after an action that was sent", async () => {
    const { outbox, sent, kinds } = setUp();
    outbox.add(1, place("a"), accept);
    outbox.takeBack(1, place("a"));
    expect(kinds()).toEqual(["accept a"]);
    await nth(sent, 0).answer(LEFT);
    expect(kinds()).toEqual(["accept a", "undo a"]);
  });
  it("drops a rejected action when it is undone", async () => {
    const { outbox, sent, kinds, states } = setUp();
    outbox.add(1, place("a"), accept);
    await nth(sent, 0).refuse(new ApiProblem(422, "correction_invalid", ""));
    outbox.takeBack(1, place("a"));
    expect(states()).toEqual([]);
    expect(kinds()).toEqual(["accept a"]);
  });
});

describe("an extraction that needs no more review", () => {
  it("is verified after a delay", async () => {
    const { outbox, sent, kinds, turnClock, waits } = setUp();
    outbox.add(1, place("a"), accept);
    await nth(sent, 0).answer(COMPLETE);
    expect(waits()).toEqual([THINK_AGAIN_MS]);
    await turnClock();
    expect(kinds()).toEqual(["accept a", "verify a"]);
  });
  it("is verified once", async () => {
    const { outbox, sent, kinds, turnClock } = setUp();
    outbox.add(1, place("a"), accept);
    await nth(sent, 0).answer(COMPLETE);
    await turnClock();
    await nth(sent, 1).answer({ needsReview: false, verified: true });
    await turnClock();
    expect(kinds()).toEqual(["accept a", "verify a"]);
  });
  it("is not verified if something is undone in the meantime", async () => {
    const { outbox, sent, kinds, turnClock } = setUp();
    outbox.add(1, place("a"), accept);
    await nth(sent, 0).answer(COMPLETE);
    outbox.takeBack(1, place("a"));
    await nth(sent, 1).answer(LEFT);
    await turnClock();
    expect(kinds()).toEqual(["accept a", "undo a"]);
  });
  it("is not verified while one of its fields could not be saved", async () => {
    const { outbox, sent, waits } = setUp();
    outbox.add(1, place("a"), accept);
    outbox.add(2, place("b"), accept);
    await nth(sent, 0).refuse(new ApiProblem(422, "correction_invalid", ""));
    await nth(sent, 1).answer(COMPLETE);
    expect(waits()).toEqual([]);
  });
  it("is verified immediately when the user leaves", async () => {
    const { outbox, sent, kinds } = setUp();
    outbox.add(1, place("a"), accept);
    await nth(sent, 0).answer(COMPLETE);
    outbox.settle();
    expect(kinds()).toEqual(["accept a", "verify a"]);
  });
});
