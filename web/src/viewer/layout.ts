/** Layout of pages in one long column: where each starts, and which are visible. */

import { type Size, turnedSize, type Turn } from "./geometry";

export const GAP = 16;

export interface Layout {
  /** Width of each page in pixels. */
  width: number;
  /** Where page n + 1 starts; the last entry is the end of the column. */
  tops: readonly number[];
  heights: readonly number[];
}

/** Sizes by page number. Unknown pages are assumed to have the size of the first known one. */
export function columnOf(count: number, sizes: ReadonlyMap<number, Size>, width: number, turn: Turn): Layout {
  const usual = sizes.values().next().value ?? { width: 595, height: 842 };
  const tops: number[] = [];
  const heights: number[] = [];
  let top = GAP;
  for (let number = 1; number <= count; number += 1) {
    const { width: across, height: down } = turnedSize(sizes.get(number) ?? usual, turn);
    const height = Math.round((width * down) / across);
    tops.push(top);
    heights.push(height);
    top += height + GAP;
  }
  tops.push(top);
  return { width, tops, heights };
}

/** The page at this height of the column, from 1; in a gap, the one above it. */
export function pageAt({ tops }: Layout, y: number): number {
  let low = 0;
  let high = tops.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** First and last page to render, with one beyond each edge of the visible ones. */
export function pagesIn(layout: Layout, top: number, height: number): readonly [number, number] {
  const count = layout.tops.length - 1;
  return [Math.max(1, pageAt(layout, top) - 1), Math.min(count, pageAt(layout, top + height) + 1)];
}

export interface Anchor {
  page: number;
  /** How far down the page, 0 to 1. */
  part: number;
  /** Its distance from the upper edge of the viewport. */
  below: number;
}

/** The reading position, to restore it after the layout changes: the middle of the viewport, or the top at the very top. */
export function anchorAt(layout: Layout, scrollTop: number, windowHeight: number): Anchor {
  const below = scrollTop < GAP ? 0 : windowHeight / 2;
  const page = pageAt(layout, scrollTop + below);
  const top = layout.tops[page - 1] ?? 0;
  return { page, part: (scrollTop + below - top) / (layout.heights[page - 1] || 1), below };
}

export function scrollTopOf(layout: Layout, { page, part, below }: Anchor): number {
  return Math.max(0, (layout.tops[page - 1] ?? 0) + part * (layout.heights[page - 1] ?? 0) - below);
}
