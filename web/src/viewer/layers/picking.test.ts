import { expect, it } from "vitest";
import { picked } from "./picking";

it("selects the top mark if none under the pointer is highlighted", () => {
  expect(picked(["a", "b", "c"], "c", null)).toBe("c");
  expect(picked(["a", "b", "c"], "c", "elsewhere")).toBe("c");
  expect(picked([], "c", null)).toBe("c");
});

it("cycles through overlapping marks, whichever is highlighted", () => {
  const round = ["c"];
  for (let click = 0; click < 3; click += 1) round.push(picked(["a", "b", "c"], round.at(-1) ?? "", round.at(-1) ?? null));
  expect(round).toEqual(["c", "a", "b", "c"]);
});

it("stays with a field that has several overlapping boxes", () => {
  expect(picked(["a", "a"], "a", "a")).toBe("a");
  expect(picked(["a", "b", "a"], "a", "a")).toBe("b");
});
