import { afterEach, describe, expect, it } from "vitest";
import { type DocumentState, pollDelay, settled } from "./documents";
import { ApiProblem } from "./http";
import { setLive } from "./live";

const state = (more: Partial<DocumentState>): DocumentState => ({
  status: "processing", job: null, progress: null, queue_position: null, page_count: null, reading: null, extraction: null, error: null, ...more,
});
const polled = (unchanged: number, more: Partial<DocumentState> = {}) => ({ etag: "e", unchanged, state: state(more) });

describe("polling one document", () => {
  afterEach(() => setLive(false));

  it("slows down from one second to five while nothing changes", () => {
    const delays = [0, 1, 2, 3, 4, 5, 50].map((unchanged) => pollDelay(polled(unchanged)));
    expect(delays).toEqual([1000, 1500, 2250, 3375, 5000, 5000, 5000]);
  });

  it("ends once the document is settled, but not while fields are being extracted", () => {
    for (const status of ["ready", "failed", "cancelled"] as const) expect(pollDelay(polled(0, { status }))).toBe(false);
    const extraction = { id: "x", status: "processing", needs_review: null, error: null } as const;
    expect(pollDelay(polled(0, { status: "ready", extraction }))).toBe(1000);
    expect(settled(state({ status: "ready", extraction: { ...extraction, status: "completed" } }))).toBe(true);
  });

  it("is slow from the start far back in the queue, where only the position changes", () => {
    expect(pollDelay(polled(0, { status: "pending", queue_position: 400 }))).toBe(5000);
    expect(pollDelay(polled(0, { status: "pending", queue_position: 2 }))).toBe(1000);
  });

  it("is slow while events report the end of everything in progress", () => {
    setLive(true);
    expect(pollDelay(polled(0))).toBe(5000);
    expect(pollDelay(polled(0, { status: "ready" }))).toBe(false);
  });

  it("ends when the service rejects a request, and goes on when it is unreachable", () => {
    expect(pollDelay(polled(0), new ApiProblem(404, "not_found", ""))).toBe(false);
    expect(pollDelay(polled(0), new ApiProblem(0, "unreachable", ""))).toBe(5000);
    expect(pollDelay(undefined, new ApiProblem(503, "unavailable", ""))).toBe(5000);
  });
});
