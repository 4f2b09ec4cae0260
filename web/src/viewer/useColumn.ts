/** The scrolling column of pages: which are rendered, the reading position, and scrolling to a target. */

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Box, Size, Turn } from "./geometry";
import { type Anchor, anchorAt, columnOf, GAP, type Layout, pageAt, pagesIn, scrollTopOf } from "./layout";
import { useFlying } from "./passing";
import { placeOf, scrollFor } from "./place";

interface Target {
  page: number;
  box: Box | null;
  /** Until then, layout changes scroll to the target again, because page sizes become known on the way. */
  until: number;
}

export interface Column {
  scroller: RefObject<HTMLDivElement | null>;
  layout: Layout;
  /** Total width, including the margins. */
  span: number;
  range: readonly [number, number];
  current: number;
  flying: boolean;
  onScroll: () => void;
  learnSize: (page: number, size: Size) => void;
  goTo: (page: number, box: Box | null) => void;
}

const STEP = 40;
const UNDER_WAY_MS = 900;

export function useColumn(count: number, zoom: number, turn: Turn): Column {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ width: 0, height: 0 });
  const [top, setTop] = useState(0);
  const [sizes, setSizes] = useState<ReadonlyMap<number, Size>>(new Map());
  const anchor = useRef<Anchor | null>(null);
  const middle = useRef(0.5);
  const target = useRef<Target | null>(null);
  const [flying, scrolled] = useFlying();

  const width = Math.max(80, Math.floor((view.width - 2 * GAP) * zoom));
  const span = Math.max(view.width, width + 2 * GAP);
  const layout = useMemo(() => columnOf(count, sizes, width, turn), [count, sizes, width, turn]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setView({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || view.width === 0) return;
    const wanted = target.current;
    if (wanted !== null && performance.now() < wanted.until) {
      const to = scrollFor(placeOf(layout, sizes, span, turn, wanted.page, wanted.box), element);
      if (to !== null) element.scrollTo({ ...to, behavior: "instant" });
      if (sizes.has(wanted.page)) return;
    }
    if (anchor.current !== null) element.scrollTop = scrollTopOf(layout, anchor.current);
    element.scrollLeft = middle.current * span - element.clientWidth / 2;
  }, [layout, sizes, span, turn, view.width]);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    anchor.current = anchorAt(layout, element.scrollTop, element.clientHeight);
    middle.current = (element.scrollLeft + element.clientWidth / 2) / span;
    scrolled(element.scrollTop);
    setTop(Math.round(element.scrollTop / STEP) * STEP);
  };
  const learnSize = useCallback((page: number, size: Size) => {
    setSizes((known) => {
      const before = known.get(page);
      return before?.width === size.width && before.height === size.height ? known : new Map(known).set(page, size);
    });
  }, []);
  const goTo = (page: number, box: Box | null) => {
    target.current = { page, box, until: performance.now() + UNDER_WAY_MS + (sizes.has(page) ? 0 : 5_000) };
    const element = scroller.current;
    if (element === null || view.width === 0) return;
    const to = scrollFor(placeOf(layout, sizes, span, turn, page, box), element);
    if (to === null) return;
    const near = Math.abs(to.top - element.scrollTop) < 1.5 * element.clientHeight;
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollTo({ ...to, behavior: near && !calm ? "smooth" : "instant" });
  };
  return {
    scroller,
    layout,
    span,
    range: pagesIn(layout, top, view.height),
    current: pageAt(layout, top + view.height / 3),
    flying,
    onScroll,
    learnSize,
    goTo,
  };
}
