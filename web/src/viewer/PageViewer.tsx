import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { Turn } from "./geometry";
import type { Drawn, Mark } from "@/viewer/layers/mark";
import { PageSheet } from "./PageSheet";
import { Thumbnails } from "./Thumbnails";
import { Toolbar } from "./Toolbar";
import { useColumn } from "./useColumn";
import { useViewerKeys } from "./useViewerKeys";
import { nextZoom, useWheelZoom } from "./zoom";

export type { Drawn, Mark } from "@/viewer/layers/mark";

interface Props {
  documentId: string;
  pageCount: number;
  marks: readonly Mark[];
  /** The highlighted mark, which is scrolled to when it changes. */
  active: string | null;
  onPick?: ((id: string) => void) | undefined;
  /** Scrolled to when it changes. */
  page?: number | undefined;
  drawing?: boolean;
  onDrawn?: ((drawn: Drawn) => void) | undefined;
}

const NO_MARKS: readonly Mark[] = [];

/** The pages of a document as images with marks and selectable text. */
export function PageViewer({ documentId, pageCount, marks, active, onPick, page, drawing = false, onDrawn }: Props) {
  const [zoom, setZoom] = useState(1);
  const [turn, setTurn] = useState<Turn>(0);
  const [strip, setStrip] = useState(() => pageCount > 1 && window.innerWidth >= 1280);
  const { scroller, layout, span, range, current, flying, onScroll, learnSize, goTo } = useColumn(pageCount, zoom, turn);

  const byPage = useMemo(() => groupByPage(marks), [marks]);
  const lit = marks.find((mark) => mark.id === active);
  const litPlace = lit ? `${lit.id} ${lit.page} ${lit.box.join()}` : null;
  const showLit = useEffectEvent(() => {
    if (lit) goTo(lit.page, lit.box);
  });
  const goToPage = (wanted: number) => goTo(Math.min(Math.max(wanted, 1), pageCount), null);
  const showPage = useEffectEvent(goToPage);
  useEffect(() => {
    if (page !== undefined) showPage(page);
  }, [page]);
  useEffect(() => {
    if (litPlace !== null) showLit();
  }, [litPlace]);

  const zoomBy = (by: 1 | -1) => setZoom((before) => nextZoom(before, by));
  useWheelZoom(scroller, setZoom);
  useViewerKeys({ step: (by) => goToPage(current + by), zoomBy });

  const shown = Array.from({ length: Math.max(0, range[1] - range[0] + 1) }, (_, index) => range[0] + index);
  return (
    <section aria-label="Pages" className="flex h-full min-h-0 min-w-0 flex-col bg-sunken">
      <Toolbar
        page={current}
        pageCount={pageCount}
        goTo={goToPage}
        zoom={zoom}
        zoomBy={zoomBy}
        fit={() => setZoom(1)}
        turn={() => setTurn((before) => ((before + 90) % 360) as Turn)}
        strip={strip}
        toggleStrip={pageCount > 1 ? () => setStrip(!strip) : undefined}
      />
      <div className="flex min-h-0 flex-1">
        {strip && pageCount > 1 ? (
          <Thumbnails documentId={documentId} pageCount={pageCount} current={current} flying={flying} goTo={goToPage} />
        ) : null}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable areas must be reachable by keyboard */}
        <div ref={scroller} onScroll={onScroll} tabIndex={0} role="group" aria-label="Page view" className="min-h-0 min-w-0 flex-1 overflow-auto">
          <div className="relative" style={{ height: layout.tops[pageCount] ?? 0, width: span }}>
            {layout.width > 80
              ? shown.map((number) => (
                  <PageSheet
                    key={number}
                    documentId={documentId}
                    number={number}
                    top={layout.tops[number - 1] ?? 0}
                    left={(span - layout.width) / 2}
                    width={layout.width}
                    height={layout.heights[number - 1] ?? 0}
                    turn={turn}
                    flying={flying}
                    marks={byPage.get(number) ?? NO_MARKS}
                    active={active}
                    onPick={onPick}
                    learnSize={learnSize}
                    drawing={drawing}
                    drawsByKeys={drawing && number === (lit?.page ?? current)}
                    onDrawn={onDrawn}
                  />
                ))
              : null}
          </div>
        </div>
      </div>
    </section>
  );
}

function groupByPage(marks: readonly Mark[]): ReadonlyMap<number, readonly Mark[]> {
  const groups = new Map<number, Mark[]>();
  for (const mark of marks) {
    const group = groups.get(mark.page);
    if (group) group.push(mark);
    else groups.set(mark.page, [mark]);
  }
  return groups;
}
