import { expect, test } from "vitest";
import type { Cut, Part } from "@/api/splits";
import { pagesInWords, partsInWords, rowsOf } from "./packet";

const part = (first_page: number, last_page: number) => ({ first_page, last_page }) as Part;
const cut = (after_page: number) => ({ after_page }) as Cut;

test("parts, cuts and left-out pages are shown in the order of pages", () => {
  const rows = rowsOf({ parts: [part(1, 2), part(4, 4)], cuts: [cut(2)], left_out: [{ page: 3, reason: "separator" }] });
  expect(rows.map(({ kind, page }) => `${kind} ${page}`)).toEqual(["part 1", "cut 2", "left out 3", "part 4"]);
});

test("a part of one page is not called a range", () => {
  expect([pagesInWords(part(3, 3)), pagesInWords(part(3, 5))]).toEqual(["Page 3", "Pages 3–5"]);
});

test("the summary counts documents and cuts that wait for a person", () => {
  const open = { ...cut(2), state: "proposed" } as Cut;
  expect(partsInWords({ page_count: 6, parts: [part(1, 3), part(4, 6)], cuts: [open, { ...open, state: "accepted" }] })).toBe("6 pages hold 2 documents. 1 cut needs review.");
  expect(partsInWords({ page_count: 6, parts: [], cuts: [open, open] })).toBe("6 pages, not split. 2 cuts need review.");
});
