import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isLive } from "@/api/live";
import { followEvents } from "./stream";

type Handler = (message: { data: string; lastEventId: string }) => void;

class FakeSource {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly handlers = new Map<string, Handler>();

  constructor(readonly url: string) {
    FakeSource.opened.push(this);
  }

  addEventListener(type: string, handler: Handler): void {
    this.handlers.set(type, handler);
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }

  fail(): void {
    this.readyState = FakeSource.CLOSED;
    this.onerror?.();
  }

  send(type: string, id: string): void {
    this.handlers.get(type)?.({ data: JSON.stringify({ id, type, data: {} }), lastEventId: id });
  }
}

const page = Object.assign(new EventTarget(), { hidden: false });

function newest(): FakeSource {
  const source = FakeSource.opened.at(-1);
  if (source === undefined) throw new Error("no stream was opened");
  return source;
}

describe("following events", () => {
  const happened = vi.fn();
  const missed = vi.fn();
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("EventSource", FakeSource);
    vi.stubGlobal("document", page);
    FakeSource.opened = [];
    page.hidden = false;
    stop = followEvents({ happened, missed });
    newest().onopen?.();
  });

  afterEach(() => {
    stop();
    vi.resetAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("is live while the stream is open", () => {
    expect(isLive()).toBe(true);
    newest().onerror?.();
    expect(isLive()).toBe(false);
  });

  it("resumes after the last event when the browser has given up", () => {
    newest().send("document.ready", "e1");
    expect(happened).toHaveBeenCalledWith({ id: "e1", type: "document.ready", data: {} });
    newest().fail();
    vi.advanceTimersByTime(10_000);
    expect(newest().url).toBe("/api/v1/events?last_event_id=e1");
    newest().onopen?.();
    expect(missed).not.toHaveBeenCalled();
  });

  it("says that events were missed when it cannot resume", () => {
    newest().fail();
    vi.advanceTimersByTime(10_000);
    newest().onopen?.();
    expect(missed).toHaveBeenCalledTimes(1);
    newest().send("reset", "");
    expect(missed).toHaveBeenCalledTimes(2);
  });

  it("closes while the page is hidden", () => {
    const first = newest();
    page.hidden = true;
    page.dispatchEvent(new Event("visibilitychange"));
    expect([first.readyState, isLive()]).toEqual([FakeSource.CLOSED, false]);
    page.hidden = false;
    page.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSource.opened).toHaveLength(2);
  });
});
