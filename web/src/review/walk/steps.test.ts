import { describe, expect, it } from "vitest";
import { decide, decisionsOf, keyOf, NO_STEPS, type Decision, type Step, takeBack } from "./steps";

const place = (path: string) => ({ extractionId: "e", documentId: "d", path });
const step = (number: number, path: string, decision: Decision = { kind: "accept" }, wasDue = true): Step => ({ number, place: place(path), decision, wasDue, wasLast: false, at: "" });
const correct = (value: string): Decision => ({ kind: "correct", value, page: null, box: null });

describe("steps", () => {
  it("show the last decision on a field", () => {
    const steps = decide(decide(NO_STEPS, step(1, "a", correct("x"))), step(2, "a", correct("y"), false));
    expect(decisionsOf(steps).get(keyOf(place("a")))?.decision).toEqual(correct("y"));
  });
  it("are undone one by one, newest first, across all fields", () => {
    let steps = decide(decide(decide(NO_STEPS, step(1, "a")), step(2, "b")), step(3, "a", correct("y"), false));
    const order: number[] = [];
    for (;;) {
      const back = takeBack(steps);
      if (back.taken === null) break;
      order.push(back.taken.number);
      steps = back.steps;
    }
    expect(order).toEqual([3, 2, 1]);
  });
  it("restore the previous decision when undone", () => {
    const steps = decide(decide(NO_STEPS, step(1, "a", correct("x"))), step(2, "a", correct("y"), false));
    expect(decisionsOf(takeBack(steps).steps).get(keyOf(place("a")))?.decision).toEqual(correct("x"));
  });
  it("that are undone leave the field in need of review, if it was before", () => {
    expect(takeBack(decide(NO_STEPS, step(1, "a"))).steps.reopened).toEqual(new Set([keyOf(place("a"))]));
    expect(takeBack(decide(NO_STEPS, step(1, "a", correct("x"), false))).steps.reopened.size).toBe(0);
  });
  it("that are made again close the field again", () => {
    const back = takeBack(decide(NO_STEPS, step(1, "a"))).steps;
    expect(decide(back, step(2, "a")).reopened.size).toBe(0);
  });
  it("cannot be undone if there are none", () => {
    expect(takeBack(NO_STEPS)).toEqual({ steps: NO_STEPS, taken: null });
  });
});
