/** Pages under each other in one long column: where each begins, and which of them a window shows. */

import { type Size, turnedSize, type Turn } from "./geometry";

export const GAP = 16;

export interface Layout {
  /** Of every page the width in pixels. */
  width: number;
  /** Where page n + 1 begins; one more entry says where the column ends. */
  tops: readonly number[];
  heights: readonly number[];
}

/** Sizes by page number; a page that is not known yet is taken to be as the first one that is. */
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

/** The page that lies at this height of the column, from 1; in a gap, the one above it. */
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

/** First and last page to be drawn for a window, with one beyond each edge. */
export function pagesIn(layout: Layout, top: number, height: number): readonly [number, number] {
  const count = layout.tops.length - 1;
  return [Math.max(1, pageAt(layout, top) - 1), Math.min(count, pageAt(layout, top + height) + 1)];
}

export interface Anchor {
  page: number;
  /** How far down the page, 0 to 1. */
  part: number;
  /** How far below the window's upper edge that is. */
  below: number;
}

/** What the reader looks at, to be found again when the column has another shape: the middle, but at the very top the top. */
export function anchorAt(layout: Layout, scrollTop: number, windowHeight: number): Anchor {
  const below = scrollTop < GAP ? 0 : windowHeight / 2;
  const page = pageAt(layout, scrollTop + below);
  const top = layout.tops[page - 1] ?? 0;
  return { page, part: (scrollTop + below - top) / (layout.heights[page - 1] || 1), below };
}

export function scrollTopOf(layout: Layout, { page, part, below }: Anchor): number {
  return Math.max(0, (layout.tops[page - 1] ?? 0) + part * (layout.heights[page - 1] ?? 0) - below);
}
