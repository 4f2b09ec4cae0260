import { type RefObject, useEffect } from "react";

const MIN_ZOOM = 0.25;
const MAX_ZOOM = 6;
const FACTOR = 1.25;

export function clampZoom(zoom: number): number {
  const bounded = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));
  return Math.abs(bounded - 1) < 0.03 ? 1 : bounded;
}

export function nextZoom(zoom: number, by: 1 | -1): number {
  return clampZoom(by > 0 ? zoom * FACTOR : zoom / FACTOR);
}

/** Ctrl and the wheel, or a pinch on a touchpad, zooms the pages instead of the browser window. */
export function useWheelZoom(scroller: RefObject<HTMLElement | null>, setZoom: (change: (before: number) => number) => void): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      setZoom((before) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, before * Math.exp(-event.deltaY / 300))));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [scroller, setZoom]);
}
