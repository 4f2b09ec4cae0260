/** The position of a page or a box in the column, and how to scroll to it. */

import { type Box, type Size, turnBox, turnedSize, type Turn } from "./geometry";
import { GAP, type Layout } from "./layout";

export interface Place {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** A page is scrolled to the upper edge of the viewport, a box to its center. */
  whole: boolean;
}

export function placeOf(layout: Layout, sizes: ReadonlyMap<number, Size>, span: number, turn: Turn, page: number, box: Box | null): Place {
  const top = layout.tops[page - 1] ?? 0;
  const left = (span - layout.width) / 2;
  const size = sizes.get(page);
  if (box === null || size === undefined) {
    return { left, top, right: left + layout.width, bottom: top + (layout.heights[page - 1] ?? 0), whole: true };
  }
  const [x0, y0, x1, y1] = turnBox(box, size, turn);
  const scale = layout.width / turnedSize(size, turn).width;
  return { left: left + x0 * scale, top: top + y0 * scale, right: left + x1 * scale, bottom: top + y1 * scale, whole: false };
}

interface Window {
  scrollTop: number;
  scrollLeft: number;
  clientHeight: number;
  clientWidth: number;
}

const MARGIN = 48;

/** Null if it is already visible. */
export function scrollFor(place: Place, window: Window): { top: number; left: number } | null {
  if (place.whole) return { top: Math.max(0, place.top - GAP / 2), left: window.scrollLeft };
  const top = axis(place.top, place.bottom, window.scrollTop, window.clientHeight);
  const left = axis(place.left, place.right, window.scrollLeft, window.clientWidth);
  return top === window.scrollTop && left === window.scrollLeft ? null : { top, left };
}

function axis(from: number, to: number, scrolled: number, length: number): number {
  const margin = Math.min(MARGIN, Math.max(0, (length - (to - from)) / 2));
  if (from - margin >= scrolled && to + margin <= scrolled + length) return scrolled;
  if (to - from > length) return Math.max(0, from - GAP);
  return Math.max(0, (from + to - length) / 2);
}
