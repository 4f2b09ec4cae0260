/** Pages that only fly past are not fetched, and what was begun for a page that is gone is given up. */

import { useCallback, useEffect, useRef, useState } from "react";

const PASSING_MS = 80;
const STILL_MS = 120;
/** Pixels in a millisecond, beyond which nobody reads. */
const FAST = 2.5;

/** Whether the column is scrolled faster than anybody reads; the function is told of every scroll. */
export function useFlying(): readonly [boolean, (top: number) => void] {
  const [flying, setFlying] = useState(false);
  const last = useRef({ top: 0, at: 0, timer: 0 });
  useEffect(() => () => window.clearTimeout(last.current.timer), []);
  const scrolled = useCallback((top: number) => {
    const at = performance.now();
    const before = last.current;
    if (Math.abs(top - before.top) / Math.max(1, at - before.at) > FAST) setFlying(true);
    window.clearTimeout(before.timer);
    last.current = { top, at, timer: window.setTimeout(() => setFlying(false), STILL_MS) };
  }, []);
  return [flying, scrolled];
}

/** False while the page may only be flying past; once true it stays so. */
export function useRests(flying: boolean): boolean {
  const [rests, setRests] = useState(false);
  useEffect(() => {
    if (flying) return;
    const timer = window.setTimeout(() => setRests(true), PASSING_MS);
    return () => window.clearTimeout(timer);
  }, [flying]);
  return rests;
}

/** As the `ref` of an image: a browser goes on loading one that is no longer there, and the next ones wait for it. */
export function givenUpWhenGone(image: HTMLImageElement): () => void {
  return () => {
    // Only afterwards is it known whether the image has left the page, or React but called its refs anew.
    window.setTimeout(() => {
      if (!image.isConnected && !image.complete) image.removeAttribute("src");
    });
  };
}
