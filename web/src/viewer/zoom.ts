import { type RefObject, useEffect } from "react";

const LEAST = 0.25;
const MOST = 6;
const FACTOR = 1.25;

export function clampZoom(zoom: number): number {
  const bounded = Math.min(MOST, Math.max(LEAST, zoom));
  return Math.abs(bounded - 1) < 0.03 ? 1 : bounded;
}

export function nextZoom(zoom: number, by: 1 | -1): number {
  return clampZoom(by > 0 ? zoom * FACTOR : zoom / FACTOR);
}

/** With the control key the wheel, and with it the pinch on a touchpad, makes the page larger and not the browser's whole window. */
export function useWheelZoom(scroller: RefObject<HTMLElement | null>, setZoom: (change: (before: number) => number) => void): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      setZoom((before) => Math.min(MOST, Math.max(LEAST, before * Math.exp(-event.deltaY / 300))));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [scroller, setZoom]);
}
