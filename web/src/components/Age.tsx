import { useSyncExternalStore } from "react";
import { age } from "./format";

let now = Date.now();

/** One clock for all ages on the page, which ticks slowly. */
function subscribe(listener: () => void): () => void {
  now = Date.now();
  const timer = window.setInterval(() => {
    now = Date.now();
    listener();
  }, 15_000);
  return () => window.clearInterval(timer);
}

export function Age({ since }: { since: string }) {
  const current = useSyncExternalStore(subscribe, () => now);
  const moment = new Date(since);
  return (
    <time dateTime={since} title={moment.toLocaleString()} className="whitespace-nowrap tabular-nums">
      {age(moment, current)}
    </time>
  );
}
