import { expect, it } from "vitest";
import type { Batch } from "@/api/batches";
import { groupsDependOn, resultsDependOn } from "./freshness";

const progress = { total: 9, pending: 8, running: 1, completed: 0, failed: 0, cancelled: 0, needs_review: 0, estimated_seconds_left: 5, documents: 9, documents_waiting: 4, documents_new: 0 };
const batch = { status: "running", starting: false, group_by: { mode: "document" }, progress } as Batch;
const later = { ...batch, progress: { ...progress, completed: 1, pending: 7, documents_waiting: 3 } };

it("fetches results again when one has ended, not when only the estimate differs", () => {
  expect(resultsDependOn(later)).not.toBe(resultsDependOn(batch));
  expect(resultsDependOn({ ...batch, progress: { ...progress, estimated_seconds_left: 4 } })).toBe(resultsDependOn(batch));
});

it("previews the groups of a running batch again only when documents were added", () => {
  expect(groupsDependOn(later)).toBe(groupsDependOn(batch));
  expect(groupsDependOn({ ...batch, progress: { ...progress, documents: 10 } })).not.toBe(groupsDependOn(batch));
});

it("previews the groups of a batch that is set up again when documents were read, since names and classes follow", () => {
  const draft = { ...batch, status: "pending_configuration" } as Batch;
  expect(groupsDependOn({ ...draft, progress: later.progress })).not.toBe(groupsDependOn(draft));
});
