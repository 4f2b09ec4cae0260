import { describe, expect, it } from "vitest";
import type { Field } from "@/api/extractions";
import { absentInWords, failedChecks, fieldInWords, heldValue, isQuiet, isUngrounded, marksOf, openDoubts, otherValue, toneOf, valueInWords } from "./state";

const found: Field = {
  path: "total",
  value: 12,
  confidence: 0.95,
  grounded: true,
  evidence: [{ document_id: "d", page: 2, page_width: 100, page_height: 100, box: [1, 2, 3, 4], text: "12" }],
  checks: [],
  doubts: [],
  why: null,
  needs_review: false,
  extraction_id: "e",
  document_id: "d",
  filename: "f.pdf",
  correction: null,
  accepted: null,
};
const correction: NonNullable<Field["correction"]> = {
  path: "total",
  action: "correct",
  old_value: 12,
  new_value: 13,
  document_id: null,
  page: 1,
  box: [5, 6, 7, 8],
  note: null,
  made_by: "k",
  made_by_name: "Ann",
  made_at: "2026-01-01T00:00:00Z",
  undone: false,
};

const place = { document_id: "d", page: 2, page_width: 100, page_height: 100, text: "14" };
const twoFit: Field["doubts"][number] = {
  code: "two_candidates",
  message: "Two values fit: '12' and '14'.",
  other: "14",
  evidence: [
    { ...place, box: [10, 20, 30, 40] },
    { ...place, box: [5, 41, 20, 50] },
    { ...place, page: 3, box: [0, 0, 1, 1] },
  ],
};
const nowhere: Field["doubts"][number] = { code: "not_on_page", message: "The value was not found on any page.", other: null, evidence: [] };

describe("a field", () => {
  it("shows its doubts only while it waits for review, and not that its value is on no page, which has its own note", () => {
    const doubtful = { ...found, needs_review: true, doubts: [twoFit, nowhere] };
    expect(openDoubts(doubtful)).toEqual([twoFit]);
    expect(openDoubts({ ...doubtful, needs_review: false })).toEqual([]);
    expect(openDoubts({ ...doubtful, correction })).toEqual([]);
  });

  it("offers another value with the box around its lines on the first page, if it is in this document", () => {
    expect(otherValue(twoFit, "d")).toEqual({ page: 2, box: [5, 20, 30, 50], text: "14" });
    expect(otherValue(twoFit, "other")).toBeNull();
    expect(otherValue(nowhere, "d")).toBeNull();
  });

  it("without a value is not in the document only if a person said so", () => {
    expect(absentInWords({ ...found, value: null })).toBe("Not found");
    expect(absentInWords({ ...found, correction: { ...correction, new_value: null } })).toBe("Not in the document");
  });

  it("that was corrected holds the person's value and is lit where they drew it", () => {
    const corrected = { ...found, correction };
    expect(heldValue(corrected)).toBe(13);
    expect(marksOf([corrected], "d")).toMatchObject([{ id: "total", page: 1, box: [5, 6, 7, 8], tone: "sure" }]);
  });

  it("with a failed check needs attention, however high its confidence", () => {
    const wrong = { ...found, checks: [{ name: "sum", passed: false, message: "1 + 1 is not 3" }] };
    expect(toneOf(wrong)).toBe("unsure");
    expect(failedChecks(wrong)).toEqual(["1 + 1 is not 3"]);
    expect(failedChecks({ ...wrong, correction })).toEqual([]);
  });

  it("whose value is not on the page is marked, one without a value is not", () => {
    expect(isUngrounded({ ...found, grounded: false })).toBe(true);
    expect(isUngrounded({ ...found, grounded: false, value: null })).toBe(false);
    expect(isQuiet({ ...found, value: null })).toBe(true);
    expect(isQuiet({ ...found, value: null, needs_review: true })).toBe(false);
  });

  it("is highlighted only on its own document", () => {
    expect(marksOf([found], "other")).toEqual([]);
    expect(marksOf([found], "d")).toHaveLength(1);
  });
});

it("shows a number with the decimals of the page, unless it was corrected or the page differs", () => {
  const read = (value: number, text: string) => fieldInWords({ ...found, value, evidence: found.evidence.map((each) => ({ ...each, text })) });
  expect(read(649, "649.00")).toBe("649.00");
  expect(read(6757.3, "EUR 6.757,30")).toBe("6757.30");
  expect(read(1234, "1.234")).toBe("1234");
  expect(read(-5, "5.00-")).toBe("-5.00");
  expect(read(12, "twelve")).toBe("12");
  expect(fieldInWords({ ...found, correction })).toBe("13");
});

it("formats values for people", () => {
  expect([null, true, false, 0, "", { a: 1 }].map(valueInWords)).toEqual(["—", "Yes", "No", "0", "", '{"a":1}']);
});
