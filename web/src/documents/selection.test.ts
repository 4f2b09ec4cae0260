import { describe, expect, it } from "vitest";
import { allOf, among, NOTHING, ranged, toggled } from "./selection";

const ORDER = ["a", "b", "c", "d", "e"];
const chosen = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort().join("");

describe("selection", () => {
  it("takes a row in and out again", () => {
    const once = toggled(NOTHING, "b");
    expect(chosen(once)).toBe("b");
    expect(chosen(toggled(once, "b"))).toBe("");
  });

  it("takes all rows between the last one and the one pressed with Shift, upwards and downwards", () => {
    expect(chosen(ranged(toggled(NOTHING, "b"), ORDER, "d"))).toBe("bcd");
    expect(chosen(ranged(toggled(NOTHING, "d"), ORDER, "b"))).toBe("bcd");
  });

  it("takes a range out where the row pressed with Shift was selected", () => {
    const from = toggled(allOf(ORDER), "b");
    expect(chosen(ranged(from, ORDER, "d"))).toBe("ae");
  });

  it("takes one row where no range has begun, or where it began with a row that is gone", () => {
    expect(chosen(ranged(NOTHING, ORDER, "c"))).toBe("c");
    expect(chosen(ranged({ ids: new Set(), anchor: "gone" }, ORDER, "c"))).toBe("c");
  });

  it("holds no row that is not shown, and stays the same object while nothing changes", () => {
    const all = allOf(ORDER);
    expect(chosen(among(all, ["a", "c", "x"]))).toBe("ac");
    expect(among(all, [...ORDER, "f"])).toBe(all);
  });
});
