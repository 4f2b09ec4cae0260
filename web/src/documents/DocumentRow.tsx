import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { DocumentRead } from "@/api/documents";
import { Age } from "@/components/Age";
import { Badge } from "@/components/Badge";
import { classes } from "@/components/classes";
import { Confidence } from "@/components/Confidence";
import { fileSize } from "@/components/format";
import { shownName } from "@/components/shownName";
import { nameInWords } from "@/fields/path";
import { COLUMNS } from "./columns";
import { RowStatus } from "./RowStatus";
import { Thumbnail } from "./Thumbnail";

interface Props {
  row: DocumentRead;
  selected: boolean;
  selectable: boolean;
  select: (id: string, range: boolean) => void;
}

export const DocumentRow = memo(function DocumentRow({ row, selected, selectable, select }: Props) {
  return (
    <div className={classes(COLUMNS, "h-full px-3 md:px-6", selected ? "bg-accent-soft" : "hover:bg-sunken")}>
      <div role="cell" className={classes("row-span-2 lg:row-span-1", !selectable && "w-0")}>
        {selectable ? <RowCheckbox row={row} selected={selected} select={select} /> : null}
      </div>
      <div role="cell" className="row-span-2 lg:row-span-1">
        <Thumbnail row={row} />
      </div>
      <div role="cell" className="min-w-0">
        <Link
          to="/documents/$documentId"
          params={{ documentId: row.id }}
          preload={false}
          className="block truncate rounded font-medium hover:text-accent hover:underline"
          title={shownName(row.filename)}
        >
          {shownName(row.filename) || "Unnamed"}
        </Link>
        <p className="truncate text-xs text-muted">
          {row.class ? <span className="xl:hidden">{nameInWords(row.class)} · </span> : null}
          {subline(row)}
        </p>
      </div>
      <div role="cell" className="hidden min-w-0 xl:block">
        {row.class ? <span className="block truncate text-sm">{nameInWords(row.class)}</span> : <Nothing />}
      </div>
      <div role="cell" className="col-start-3 flex min-w-0 items-start gap-2 lg:col-start-auto">
        {row.needs_review ? (
          <span className="min-w-0 flex-1 lg:hidden">
            <ReviewLink row={row} />
          </span>
        ) : null}
        <div className={classes("min-w-0 flex-1", row.needs_review && "max-lg:hidden")}>
          <RowStatus row={row} />
        </div>
        <div className="flex items-center gap-2 pt-0.5 text-xs text-muted lg:hidden">
          {row.confidence === null ? null : <Confidence value={row.confidence} compact />}
          <Age since={row.created_at} />
        </div>
      </div>
      <div role="cell" className="hidden lg:block">
        <Sureness row={row} />
      </div>
      <div role="cell" className="hidden text-right text-sm text-muted tabular-nums xl:block">
        {row.size === null ? null : fileSize(row.size)}
      </div>
      <div role="cell" className="hidden text-right text-sm text-muted lg:block">
        <Age since={row.created_at} />
      </div>
    </div>
  );
});

function RowCheckbox({ row, selected, select }: Pick<Props, "row" | "selected" | "select">) {
  return (
    <label className="flex size-8 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={selected}
        aria-label={`Select ${shownName(row.filename)}`}
        // The change event has no Shift state, but the click before it does.
        onClick={(event) => select(row.id, event.shiftKey)}
        onChange={() => undefined}
      />
    </label>
  );
}

function Sureness({ row }: { row: DocumentRead }) {
  if (row.confidence === null) return <Nothing />;
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Confidence value={row.confidence} compact />
      {row.needs_review ? <ReviewLink row={row} /> : null}
    </span>
  );
}

function ReviewLink({ row }: { row: DocumentRead }) {
  return (
    <Link to="/review" search={{ document: row.id }} preload={false} className="rounded text-xs hover:underline">
      <Badge tone="warn">Needs review</Badge>
    </Link>
  );
}

function Nothing() {
  return (
    <span aria-hidden className="text-muted">
      –
    </span>
  );
}

function subline(row: DocumentRead): string {
  const pages = row.page_count === null ? null : `${row.page_count} ${row.page_count === 1 ? "page" : "pages"}`;
  const inside = row.parent_path === null ? null : "attachment";
  return [pages, inside].filter(Boolean).join(" · ");
}
