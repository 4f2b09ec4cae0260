import { describe, expect, it } from "vitest";
import type { Field } from "@/api/extractions";
import { heldValue } from "@/fields/state";
import { withStep } from "./shown";
import type { Decision, Step } from "@/review/walk/steps";

const FIELD: Field = {
  path: "total",
  value: 1,
  confidence: 0.4,
  grounded: true,
  evidence: [],
  checks: [],
  doubts: [],
  why: null,
  needs_review: true,
  extraction_id: "e",
  document_id: "d",
  filename: "a.pdf",
  correction: null,
  accepted: null,
};
const ME = { id: "k", name: "Ana" };
const step = (decision: Decision): Step => ({ number: 1, place: { extractionId: "e", documentId: "d", path: "total" }, decision, wasDue: true, wasLast: false, at: "2026-01-01T00:00:00Z" });

describe("a field", () => {
  it("without a decision is shown as the service sent it", () => {
    expect(withStep(FIELD, undefined, ME)).toBe(FIELD);
  });
  it("that was accepted keeps its value and shows who accepted it", () => {
    const shown = withStep(FIELD, step({ kind: "accept" }), ME);
    expect(heldValue(shown)).toBe(1);
    expect(shown.accepted).toEqual({ made_by: "k", made_by_name: "Ana", made_at: "2026-01-01T00:00:00Z" });
    expect(shown.needs_review).toBe(false);
  });
  it("that was corrected shows the new value, the old one and its location", () => {
    const shown = withStep(FIELD, step({ kind: "correct", value: 2, page: 3, box: [1, 2, 3, 4] }), ME);
    expect(heldValue(shown)).toBe(2);
    expect(shown.correction).toMatchObject({ old_value: 1, new_value: 2, page: 3, box: [1, 2, 3, 4], made_by_name: "Ana" });
  });
  it("still shows what it replaced once the service knows the new value", () => {
    const once = withStep(FIELD, step({ kind: "correct", value: 2, page: null, box: null }), ME);
    expect(withStep(once, step({ kind: "correct", value: 2, page: null, box: null }), ME).correction?.old_value).toBe(1);
  });
});
