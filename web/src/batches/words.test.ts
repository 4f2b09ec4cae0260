import { expect, it } from "vitest";
import type { Batch } from "@/api/batches";
import { endedOf, fieldsInWords, groupingInWords, newInWords, type Progress, timeLeft, waitingInWords } from "./words";

const progress: Progress = { total: 0, pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, needs_review: 0, estimated_seconds_left: null };

it("rounds the time left to what a person can use", () => {
  expect([null, 0, 9, 31, 59, 90, 3_600, 5_400, 7_260].map(timeLeft)).toEqual([
    null,
    "a few seconds left",
    "a few seconds left",
    "about 40 s left",
    "about 60 s left",
    "about 2 min left",
    "about 1 h left",
    "about 1 h 30 min left",
    "about 2 h 1 min left",
  ]);
});

it("counts failed and cancelled extractions as ended", () => {
  expect(endedOf({ ...progress, total: 4, running: 1, completed: 1, failed: 1, cancelled: 1 })).toBe(3);
});

it("says what a batch extracts and how it groups, also if the API was used to set it up", () => {
  const field = { name: "total", type: "number" as const, required: false };
  expect(fieldsInWords({ schema: "batch-0123456789ab@1", fields: [field] })).toBe("1 field");
  expect(fieldsInWords({ schema: null, fields: null })).toBe("Fields of the project");
  expect(fieldsInWords({ schema: "auto", fields: null })).toBe("Fields by document class");
  expect(fieldsInWords({ schema: "invoice@3", fields: null })).toBe("Invoice, version 3");
  expect(groupingInWords({ mode: "explicit" })).toBe("Groups listed one by one");
  expect(groupingInWords({ mode: "pattern", pattern: "^(?P<group>.)" })).toBe("Grouped by ^(?P<group>.)");
});

it("says what a start waits for", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const waiting = (run_at: string | null, documents_waiting: number) =>
    waitingInWords({ run_at, progress: { ...progress, documents: 3, documents_waiting } as Batch["progress"] }, now);
  expect(waiting("2026-03-02T12:00:00Z", 2)).toMatch(/^Starts on .*2026/);
  expect(waiting("2026-02-28T12:00:00Z", 1)).toMatch(/^Starts when 1 more document has been read/);
  expect(waiting(null, 2)).toMatch(/^Starts when 2 more documents have been read/);
  expect(waiting(null, 0)).toBe("Starts in a moment.");
});

it("mentions documents that no start has included", () => {
  const added = (documents_new: number, starting = false) =>
    newInWords({ status: "completed", starting, progress: { ...progress, documents_new } as Batch["progress"] });
  expect([added(0), added(2, true)]).toEqual([null, null]);
  expect(added(1)).toMatch(/^1 document was added/);
  expect(added(1200)).toMatch(/^1,200 documents were added/);
});
