/** The event stream of the API: opened while the page is visible, and resumed after the last event. */

import { setLive } from "@/api/live";
import { address, type Schemas } from "@/api/http";

export interface LiveEvent {
  id: string;
  type: Schemas["EventType"];
  data: { document_id?: string; extraction_id?: string; batch_id?: string };
}

interface Listener {
  happened: (event: LiveEvent) => void;
  /** Events were missed, so everything on screen may be outdated. */
  missed: () => void;
}

/** Those that change something on screen. */
const TYPES: readonly Schemas["EventType"][] = [
  "document.pages_read",
  "document.ready",
  "document.failed",
  "archive.unpacked",
  "extraction.completed",
  "extraction.failed",
  "extraction.needs_review",
  "extraction.corrected",
  "batch.completed",
];
/** Browsers give up after an error response, such as that of a proxy whose server restarts. */
const RETRY_MS = 10_000;

/** Follows events until the returned function is called. A browser allows few connections, so a hidden page has none. */
export function followEvents({ happened, missed }: Listener): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let lastId: string | null = null;
  let interrupted = false;

  function close(): void {
    clearTimeout(retry);
    source?.close();
    source = null;
    setLive(false);
  }

  function open(): void {
    close();
    if (document.hidden) return;
    const opened = new EventSource(address("/events", { last_event_id: lastId }));
    source = opened;
    opened.onopen = () => {
      setLive(true);
      if (interrupted && lastId === null) missed();
      interrupted = false;
    };
    opened.onerror = () => {
      setLive(false);
      if (opened.readyState === EventSource.CLOSED) retryLater();
    };
    opened.addEventListener("reset", missed);
    for (const type of TYPES) {
      opened.addEventListener(type, (message: MessageEvent<string>) => {
        lastId = message.lastEventId;
        happened(JSON.parse(message.data) as LiveEvent);
      });
    }
  }

  function retryLater(): void {
    interrupted = true;
    clearTimeout(retry);
    retry = setTimeout(open, RETRY_MS);
  }

  function toggle(): void {
    interrupted = true;
    if (document.hidden) close();
    else open();
  }

  document.addEventListener("visibilitychange", toggle);
  open();
  return () => {
    document.removeEventListener("visibilitychange", toggle);
    close();
  };
}
