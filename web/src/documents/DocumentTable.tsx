import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Sort } from "@/api/documents";
import { classes } from "@/components/classes";
import { Skeleton } from "@/components/Skeleton";
import { COLUMNS } from "./columns";
import { DocumentRow } from "./DocumentRow";
import { TableHead } from "./TableHead";
import type { DocumentList } from "./useDocumentList";
import type { SelectedDocuments } from "./useSelection";

const ROW_HEIGHT = 60;
const CARD_HEIGHT = 92;
/** Number of rows to load ahead of the visible ones. */
const AHEAD = 30;

const wide = window.matchMedia("(min-width: 64rem)");
const watchWide = (listener: () => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

interface Props {
  list: DocumentList;
  sort: Sort;
  onSort: (sort: Sort) => void;
  selectable: boolean;
  selected: SelectedDocuments;
}

/** Only visible rows are rendered. */
export function DocumentTable({ list, sort, onSort, selectable, selected }: Props) {
  const { selection, select, selectAll } = selected;
  const scroller = useRef<HTMLDivElement>(null);
  const height = useSyncExternalStore(watchWide, () => wide.matches) ? ROW_HEIGHT : CARD_HEIGHT;
  // eslint-disable-next-line react-hooks/incompatible-library -- no compiler memoizes this component
  const virtual = useVirtualizer({
    count: list.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { need } = list;
  useEffect(() => need(last + AHEAD), [need, last]);
  return (
    // The head is inside the scroll container and sticky, so that a scrollbar narrows head and rows alike.
    <div
      ref={scroller}
      role="table"
      aria-label="Documents"
      aria-rowcount={list.total + 1}
      aria-busy={list.isFormer}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable areas must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto bg-surface outline-offset-[-2px] lg:scroll-pt-11"
    >
      <TableHead
        sort={sort}
        onSort={onSort}
        selectable={selectable}
        all={selection.ids.size > 0 && selection.ids.size >= list.total}
        some={selection.ids.size > 0}
        selectAll={selectAll}
      />
      <div role="rowgroup" className={classes("relative", list.isFormer && "opacity-60")} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = list.rows[index];
          return (
            <div
              key={row?.id ?? index}
              role="row"
              aria-rowindex={index + 2}
              className="absolute inset-x-0 top-0 border-b border-line contain-strict"
              style={{ height, transform: `translateY(${start}px)` }}
            >
              {row ? (
                <DocumentRow row={row} selected={selection.ids.has(row.id)} selectable={selectable} select={select} />
              ) : (
                <SkeletonRow />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

export function SkeletonRow() {
  return (
    <div role="cell" aria-label="Loading" className={`${COLUMNS} h-full px-3 md:px-6`}>
      <span className="row-span-2 size-8 lg:row-span-1" />
      <Skeleton className="row-span-2 h-11 w-9 lg:row-span-1" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="hidden h-4 w-20 xl:block" />
      <Skeleton className="col-start-3 h-5 w-16 rounded-full lg:col-start-auto" />
      <Skeleton className="hidden h-4 w-20 lg:block" />
      <Skeleton className="hidden h-4 w-12 xl:block" />
      <Skeleton className="hidden h-4 w-12 lg:block" />
    </div>
  );
}
