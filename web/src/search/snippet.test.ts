import { describe, expect, it } from "vitest";
import { boxOf, correctedQuestion, onlyAlike, shownParts } from "./snippet";

const plain = (text: string) => ({ text, hit: false });
const hit = (text: string) => ({ text, hit: true });

describe("shownParts", () => {
  it("shows line breaks as a space", () => {
    expect(shownParts([plain("Sum\n\n of "), hit("all")])).toEqual([plain("Sum of "), hit("all")]);
  });
  it("merges adjacent hits", () => {
    expect(shownParts([hit("total"), plain(" "), hit("amount"), plain(" due")])).toEqual([hit("total amount"), plain(" due")]);
  });
  it("starts a long text shortly before the first hit, at a word", () => {
    const [first, second] = shownParts([plain(`${"word ".repeat(100)}`), hit("here")]);
    expect(first?.text.startsWith("… word")).toBe(true);
    expect(first?.text.length).toBeLessThan(90);
    expect(second).toEqual(hit("here"));
  });
  it("ends a long text at a word", () => {
    const shown = shownParts([hit("here"), plain(` ${"word ".repeat(200)}`)]);
    expect(shown.at(-1)?.text.endsWith("word …")).toBe(true);
    expect(shown.map((part) => part.text).join("").length).toBeLessThan(340);
  });
  it("keeps markup as plain text", () => {
    expect(shownParts([plain("<b>x</b>")])).toEqual([plain("<b>x</b>")]);
  });
  it("truncates a very long word without losing its start", () => {
    expect(shownParts([hit("x".repeat(1000))])[0]?.text).toBe(`${"x".repeat(320)} …`);
  });
});

describe("boxOf", () => {
  it("takes the first line on the page of the hit", () => {
    const boxes = [
      { page: 2, box: [1, 2, 3, 4] as [number, number, number, number] },
      { page: 3, box: [5, 6, 7, 8] as [number, number, number, number] },
    ];
    expect(boxOf({ page: 3, boxes })).toBe("5,6,7,8");
    expect(boxOf({ page: 9, boxes })).toBeUndefined();
  });
});

describe("corrections", () => {
  it("replace the words, ignoring case", () => {
    expect(correctedQuestion('Invoce "total"', { invoce: "invoice" })).toBe('invoice "total"');
  });
});

describe("onlyAlike", () => {
  it("is true if no passage contains a word of the query", () => {
    expect(onlyAlike([{ snippet: [plain("a")] }, { snippet: [plain("b")] }])).toBe(true);
    expect(onlyAlike([{ snippet: [plain("a")] }, { snippet: [plain("b"), hit("c")] }])).toBe(false);
  });
  it("is false without passages", () => {
    expect(onlyAlike([])).toBe(false);
  });
});
