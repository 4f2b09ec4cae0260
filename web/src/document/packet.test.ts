import { expect, test } from "vitest";
import type { Cut, Part } from "@/api/splits";
import { pagesInWords, rowsOf } from "./packet";

const part = (first_page: number, last_page: number) => ({ first_page, last_page }) as Part;
const cut = (after_page: number) => ({ after_page }) as Cut;

test("parts, cuts and left-out pages are shown in the order of pages", () => {
  const rows = rowsOf({ parts: [part(1, 2), part(4, 4)], cuts: [cut(2)], left_out: [{ page: 3, reason: "separator" }] });
  expect(rows.map(({ kind, page }) => `${kind} ${page}`)).toEqual(["part 1", "cut 2", "left out 3", "part 4"]);
});

test("a part of one page is not called a range", () => {
  expect([pagesInWords(part(3, 3)), pagesInWords(part(3, 5))]).toEqual(["Page 3", "Pages 3–5"]);
});
