import { expect, it } from "vitest";
import type { Page } from "@/api/pages";
import { takenBy, wordsByLine } from "./words";

const page: Page = {
  number: 1,
  width: 100,
  height: 100,
  origin: "text",
  turned: 0,
  lines: [
    {
      text: "Total due 12.00",
      box: [0, 0, 60, 10],
      words: [
        { text: "Total", box: [0, 0, 20, 10] },
        { text: "due", box: [22, 0, 35, 10] },
        { text: "12.00", box: [40, 0, 60, 10] },
      ],
    },
    { text: "EUR", box: [40, 12, 60, 22], words: [] },
  ],
};

it("selects whole words whose center is between the sides, across lines", () => {
  expect(takenBy(page, [38, 0, 62, 24]).text).toBe("12.00 EUR");
  expect(takenBy(page, [0, 0, 30, 10]).text).toBe("Total due");
  expect(takenBy(page, [0, 0, 28, 10]).text).toBe("Total");
  expect(takenBy(page, [8, 0, 52, 10]).text).toBe("Total due 12.00");
});

it("selects a line that the box clips above and below", () => {
  expect(takenBy(page, [2, 4, 53, 12]).text).toBe("Total due 12.00");
  expect(takenBy(page, [38, 4, 62, 19]).text).toBe("12.00 EUR");
});

it("selects a line that a flat box runs through", () => {
  expect(takenBy(page, [0, 4, 62, 7]).text).toBe("Total due 12.00");
});

it("selects the line with the largest overlap if none is half covered", () => {
  expect(takenBy(page, [0, 7, 62, 15]).text).toBe("Total due 12.00");
});

it("returns the box around the selected words", () => {
  expect(takenBy(page, [8, 4, 52, 12]).box).toEqual([0, 0, 60, 10]);
});

it("selects nothing where there is no text, and keeps the drawn box", () => {
  expect(takenBy(page, [0, 50, 100, 100])).toEqual({ text: "", box: [0, 50, 100, 100] });
  expect(takenBy({ ...page, lines: [] }, [0, 0, 100, 100]).text).toBe("");
});

it("treats a line without words as one word", () => {
  expect(wordsByLine(page)[1]).toEqual([{ text: "EUR", box: [40, 12, 60, 22] }]);
});
