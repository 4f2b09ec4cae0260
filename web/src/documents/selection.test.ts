import { describe, expect, it } from "vitest";
import { allOf, among, NOTHING, ranged, toggled } from "./selection";

const ORDER = ["a", "b", "c", "d", "e"];
const chosen = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort().join("");

describe("selection", () => {
  it("selects and deselects a row", () => {
    const once = toggled(NOTHING, "b");
    expect(chosen(once)).toBe("b");
    expect(chosen(toggled(once, "b"))).toBe("");
  });

  it("selects all rows between the last one and the one clicked with Shift, in both directions", () => {
    expect(chosen(ranged(toggled(NOTHING, "b"), ORDER, "d"))).toBe("bcd");
    expect(chosen(ranged(toggled(NOTHING, "d"), ORDER, "b"))).toBe("bcd");
  });

  it("deselects a range if the row clicked with Shift was selected", () => {
    const from = toggled(allOf(ORDER), "b");
    expect(chosen(ranged(from, ORDER, "d"))).toBe("ae");
  });

  it("selects one row if no range was started, or if it started with a row that is gone", () => {
    expect(chosen(ranged(NOTHING, ORDER, "c"))).toBe("c");
    expect(chosen(ranged({ ids: new Set(), anchor: "gone" }, ORDER, "c"))).toBe("c");
  });

  it("drops rows that are not shown, and stays the same object while nothing changes", () => {
    const all = allOf(ORDER);
    expect(chosen(among(all, ["a", "c", "x"]))).toBe("ac");
    expect(among(all, [...ORDER, "f"])).toBe(all);
  });
});
