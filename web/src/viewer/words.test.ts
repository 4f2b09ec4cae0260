import { expect, it } from "vitest";
import type { Page } from "@/api/pages";
import { textUnder, wordsByLine } from "./words";

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

it("reads the words that lie under a box by more than half, over lines", () => {
  expect(textUnder(page, [38, 0, 62, 24])).toBe("12.00 EUR");
  expect(textUnder(page, [0, 0, 30, 10])).toBe("Total due");
  expect(textUnder(page, [0, 0, 28, 10])).toBe("Total");
});

it("reads nothing where nothing stands", () => {
  expect(textUnder(page, [0, 50, 100, 100])).toBe("");
  expect(textUnder({ ...page, lines: [] }, [0, 0, 100, 100])).toBe("");
});

it("takes a line without words for one", () => {
  expect(wordsByLine(page)[1]).toEqual([{ text: "EUR", box: [40, 12, 60, 22] }]);
});
