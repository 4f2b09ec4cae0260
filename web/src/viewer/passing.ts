/** Avoids loading pages that are only scrolled past, and aborts loading for pages that are gone. */

import { useCallback, useEffect, useRef, useState } from "react";

const PASSING_MS = 80;
const STILL_MS = 120;
/** Scroll speed in pixels per millisecond above which no one can read. */
const FAST = 2.5;

/** Whether the column is scrolled too fast to read. The function must be called on every scroll event. */
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

/** False while the page may only be scrolled past; once true, it stays true. */
export function useRests(flying: boolean): boolean {
  const [rests, setRests] = useState(false);
  useEffect(() => {
    if (flying) return;
    const timer = window.setTimeout(() => setRests(true), PASSING_MS);
    return () => window.clearTimeout(timer);
  }, [flying]);
  return rests;
}

/** A `ref` for images: browsers continue loading removed images, which delays others. */
export function givenUpWhenGone(image: HTMLImageElement): () => void {
  return () => {
    // Only later is it known whether the image was removed, or React only called its refs again.
    window.setTimeout(() => {
      if (!image.isConnected && !image.complete) image.removeAttribute("src");
    });
  };
}
