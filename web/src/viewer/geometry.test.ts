import { describe, expect, it } from "vitest";
import { boxBetween, clampBox, moveBox, parseBox, percentages, sizeBox, turnBox, turnPoint, turnedSize, type Turn, unturnPoint } from "./geometry";

const PAGE = { width: 600, height: 800 };
const TURNS: Turn[] = [0, 90, 180, 270];

describe("a rotated page", () => {
  it("has its upper left corner at the upper right after a clockwise quarter turn", () => {
    expect(turnPoint({ x: 0, y: 0 }, PAGE, 90)).toEqual({ x: 800, y: 0 });
    expect(turnPoint({ x: 0, y: 0 }, PAGE, 180)).toEqual({ x: 600, y: 800 });
    expect(turnPoint({ x: 0, y: 0 }, PAGE, 270)).toEqual({ x: 0, y: 600 });
  });

  it.each(TURNS)("restores every point when rotated by %i and back", (turn) => {
    const point = { x: 123, y: 456 };
    expect(unturnPoint(turnPoint(point, PAGE, turn), PAGE, turn)).toEqual(point);
  });

  it.each(TURNS)("keeps a box complete, ordered and on the page when rotated by %i", (turn) => {
    const [x0, y0, x1, y1] = turnBox([10, 20, 110, 50], PAGE, turn);
    const { width, height } = turnedSize(PAGE, turn);
    expect((x1 - x0) * (y1 - y0)).toBe(3000);
    expect(x0).toBeGreaterThanOrEqual(0);
    expect(y0).toBeGreaterThanOrEqual(0);
    expect(x1).toBeLessThanOrEqual(width);
    expect(y1).toBeLessThanOrEqual(height);
  });
});

describe("a drawn box", () => {
  it("is the same from whichever corner it was started", () => {
    expect(boxBetween({ x: 90, y: 10 }, { x: 20, y: 70 })).toEqual([20, 10, 90, 70]);
  });

  it("ends at the edge of the page", () => {
    expect(clampBox([-5, 10, 700, 900], PAGE)).toEqual([0, 10, 600, 800]);
  });

  it("keeps its size when it is moved against an edge", () => {
    expect(moveBox([550, 10, 590, 30], 50, -50, PAGE)).toEqual([560, 0, 600, 20]);
  });

  it("never becomes empty or leaves the page when it is resized", () => {
    expect(sizeBox([10, 10, 20, 20], -100, -100, PAGE)).toEqual([10, 10, 14, 14]);
    expect(sizeBox([590, 790, 595, 795], 50, 50, PAGE)).toEqual([590, 790, 600, 800]);
  });
});

it("places a box in percent, so that zooming moves nothing", () => {
  expect(percentages([60, 80, 120, 160], PAGE)).toEqual({ left: "10%", top: "10%", width: "10%", height: "10%" });
});

it("parses a box from a URL and rejects anything else", () => {
  expect(parseBox("1,2.5,3,4")).toEqual([1, 2.5, 3, 4]);
  for (const wrong of [undefined, "", "1,2,3", "1,2,3,4,5", "a,b,c,d", "3,2,1,4", "1,2,Infinity,4"]) expect(parseBox(wrong)).toBeNull();
});
