import { expect, it } from "vitest";
import { picked } from "./picking";

it("picks the mark on top while none under the pointer is lit", () => {
  expect(picked(["a", "b", "c"], "c", null)).toBe("c");
  expect(picked(["a", "b", "c"], "c", "elsewhere")).toBe("c");
  expect(picked([], "c", null)).toBe("c");
});

it("goes round those who share a place, whichever is lit", () => {
  const round = ["c"];
  for (let click = 0; click < 3; click += 1) round.push(picked(["a", "b", "c"], round.at(-1) ?? "", round.at(-1) ?? null));
  expect(round).toEqual(["c", "a", "b", "c"]);
});

it("stays with a field that has several boxes in one place", () => {
  expect(picked(["a", "a"], "a", "a")).toBe("a");
  expect(picked(["a", "b", "a"], "a", "a")).toBe("b");
});
