import { describe, expect, it } from "vitest";
import { type DocumentState, pollDelay, settled } from "./documents";
import { ApiProblem } from "./http";

const state = (more: Partial<DocumentState>): DocumentState => ({
  status: "processing", job: null, progress: null, queue_position: null, page_count: null, reading: null, extraction: null, error: null, ...more,
});
const polled = (unchanged: number, more: Partial<DocumentState> = {}) => ({ etag: "e", unchanged, state: state(more) });

describe("polling one document", () => {
  it("slows down from one second to five while nothing changes", () => {
    const delays = [0, 1, 2, 3, 4, 5, 50].map((unchanged) => pollDelay(polled(unchanged)));
    expect(delays).toEqual([1000, 1500, 2250, 3375, 5000, 5000, 5000]);
  });

  it("ends once the document is settled, and not while fields are still looked for", () => {
    for (const status of ["ready", "failed", "cancelled"] as const) expect(pollDelay(polled(0, { status }))).toBe(false);
    const extraction = { id: "x", status: "processing", needs_review: null, error: null } as const;
    expect(pollDelay(polled(0, { status: "ready", extraction }))).toBe(1000);
    expect(settled(state({ status: "ready", extraction: { ...extraction, status: "completed" } }))).toBe(true);
  });

  it("is slow at once far back in the queue, where every answer differs by its place alone", () => {
    expect(pollDelay(polled(0, { status: "pending", queue_position: 400 }))).toBe(5000);
    expect(pollDelay(polled(0, { status: "pending", queue_position: 2 }))).toBe(1000);
  });

  it("ends where the service refuses, and goes on where it is away", () => {
    expect(pollDelay(polled(0), new ApiProblem(404, "not_found", ""))).toBe(false);
    expect(pollDelay(polled(0), new ApiProblem(0, "unreachable", ""))).toBe(5000);
    expect(pollDelay(undefined, new ApiProblem(503, "unavailable", ""))).toBe(5000);
  });
});
