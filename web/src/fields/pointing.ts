/** The active field, and how pointer and keyboard change it. */

import { useEffect, useEffectEvent, useRef } from "react";
import { typesInto } from "@/viewer/useViewerKeys";

export interface Pointing {
  active: string | null;
  /** The only field that is a Tab stop. */
  stop: string | null;
  choose: (path: string) => void;
}

export function fieldElementId(path: string): string {
  return `field ${path}`;
}

export function showField(path: string): void {
  const element = document.getElementById(fieldElementId(path));
  element?.scrollIntoView({ block: "nearest" });
  element?.focus({ preventScroll: true });
}

const HOVER_MS = 70;

/** The field under the pointer once it rests there, because it passes many on its way. */
export function useHover(point: (path: string) => void): { onPointerOver: (event: React.PointerEvent) => void; onPointerLeave: () => void } {
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return {
    onPointerOver: (event) => {
      window.clearTimeout(timer.current);
      if (event.pointerType !== "mouse" || !(event.target instanceof Element)) return;
      const path = event.target.closest("[data-path]")?.getAttribute("data-path");
      if (path != null) timer.current = window.setTimeout(() => point(path), HOVER_MS);
    },
    onPointerLeave: () => window.clearTimeout(timer.current),
  };
}

/** The next field in a direction; without a current field, the first or the last. */
export function neighbor(order: readonly string[], active: string | null, by: 1 | -1): string | undefined {
  const at = active === null ? -1 : order.indexOf(active);
  if (at < 0) return by > 0 ? order[0] : order.at(-1);
  return order[Math.min(Math.max(at + by, 0), order.length - 1)];
}

/** j and k move between fields wherever the focus is, the arrow keys only if it is on a field. */
export function useFieldKeys(order: readonly string[], active: string | null, choose: (path: string) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typesInto(event.target)) return;
    const onField = event.target instanceof Element && event.target.closest("[data-path]") !== null;
    const down = event.key === "j" || (onField && event.key === "ArrowDown");
    const up = event.key === "k" || (onField && event.key === "ArrowUp");
    const next = down || up ? neighbor(order, active, down ? 1 : -1) : undefined;
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    showField(next);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
