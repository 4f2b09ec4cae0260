import { describe, expect, it } from "vitest";
import { anchorAt, columnOf, GAP, pageAt, pagesIn, scrollTopOf } from "./layout";
import { placeOf, scrollFor } from "./place";

const SIZES = new Map([
  [1, { width: 100, height: 200 }],
  [3, { width: 200, height: 100 }],
]);

describe("the column of pages", () => {
  const layout = columnOf(4, SIZES, 300, 0);

  it("assumes the size of the first page for unknown pages", () => {
    expect(layout.heights).toEqual([600, 600, 150, 600]);
    expect(layout.tops).toEqual([GAP, 600 + 2 * GAP, 1200 + 3 * GAP, 1350 + 4 * GAP, 1950 + 5 * GAP]);
  });

  it("lays rotated pages on their side", () => {
    expect(columnOf(1, SIZES, 300, 90).heights).toEqual([150]);
  });

  it("finds the page at a height, and in a gap the one above", () => {
    expect([0, GAP, 615, 620, 632, 99_999].map((y) => pageAt(layout, y))).toEqual([1, 1, 1, 1, 2, 4]);
  });

  it("renders only the visible pages of a long document and their neighbors", () => {
    const long = columnOf(5_000, SIZES, 300, 0);
    const [first, last] = pagesIn(long, 1_000_000, 800);
    expect(last - first).toBeLessThan(6);
    expect(pagesIn(long, 0, 800)[0]).toBe(1);
  });
});

describe("the reading position", () => {
  it("is restored when the pages have become larger", () => {
    const before = columnOf(100, SIZES, 300, 0);
    const after = columnOf(100, SIZES, 450, 0);
    const anchor = anchorAt(before, 10_000, 800);
    const again = anchorAt(after, scrollTopOf(after, anchor), 800);
    expect(again.page).toBe(anchor.page);
    expect(again.part).toBeCloseTo(anchor.part);
  });

  it("stays at the top if the top is visible", () => {
    const after = columnOf(100, SIZES, 450, 0);
    expect(scrollTopOf(after, anchorAt(columnOf(100, SIZES, 300, 0), 0, 800))).toBe(0);
  });
});

describe("scrolling to a box", () => {
  const layout = columnOf(3, SIZES, 300, 0);
  const window = { scrollTop: 0, scrollLeft: 0, clientHeight: 400, clientWidth: 332 };

  it("does nothing if the box is visible", () => {
    expect(scrollFor(placeOf(layout, SIZES, 332, 0, 1, [20, 40, 60, 50]), window)).toBeNull();
  });

  it("brings the box into the middle", () => {
    const place = placeOf(layout, SIZES, 332, 0, 1, [20, 150, 60, 160]);
    const to = scrollFor(place, window);
    expect(to?.top).toBeCloseTo((place.top + place.bottom) / 2 - 200);
  });

  it("follows the rotation of the page", () => {
    const turned = columnOf(3, SIZES, 300, 180);
    const place = placeOf(turned, SIZES, 332, 180, 1, [0, 0, 10, 10]);
    expect(place.bottom).toBeCloseTo(GAP + 600);
  });
});
