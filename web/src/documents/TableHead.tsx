import { ArrowDown, ArrowUp } from "lucide-react";
import type { Sort } from "@/api/documents";
import { classes } from "@/components/classes";
import { COLUMNS } from "./columns";
import { nextSort } from "./filter";

type Column = Parameters<typeof nextSort>[1];

interface Props {
  sort: Sort;
  onSort: (sort: Sort) => void;
  selectable: boolean;
  all: boolean;
  some: boolean;
  selectAll: (all: boolean) => void;
}

export function TableHead({ sort, onSort, selectable, all, some, selectAll }: Props) {
  const heading = (column: Column, label: string, look?: string) => (
    <SortableHead column={column} label={label} sort={sort} onSort={onSort} look={look} />
  );
  return (
    <div role="rowgroup" className="sticky top-0 z-10 hidden border-y border-line bg-sunken lg:block">
      <div role="row" aria-rowindex={1} className={classes(COLUMNS, "h-10 px-3 text-xs font-medium text-muted md:px-6")}>
        <div role="columnheader" className={selectable ? undefined : "w-0"}>
          {selectable ? <SelectAll all={all} some={some} selectAll={selectAll} /> : <span className="sr-only">Selection</span>}
        </div>
        <div role="columnheader" className="w-9">
          <span className="sr-only">Thumbnail</span>
        </div>
        {heading("filename", "Name")}
        <div role="columnheader" className="hidden xl:block">
          Kind
        </div>
        <div role="columnheader">Status</div>
        {heading("confidence", "Confidence")}
        {heading("size", "Size", "hidden justify-end xl:flex")}
        {heading("created_at", "Age", "justify-end")}
      </div>
    </div>
  );
}

export function SelectAll({ all, some, selectAll }: Pick<Props, "all" | "some" | "selectAll">) {
  return (
    <label className="flex size-8 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        aria-label="Select all documents"
        checked={all}
        ref={(input) => {
          if (input) input.indeterminate = some && !all;
        }}
        onChange={() => selectAll(!all)}
      />
    </label>
  );
}

interface SortableProps extends Pick<Props, "sort" | "onSort"> {
  column: Column;
  label: string;
  look: string | undefined;
}

function SortableHead({ column, label, sort, onSort, look }: SortableProps) {
  const up = sort === column;
  const down = sort === `-${column}`;
  // Ages grow as timestamps get older.
  const ascending = column === "created_at" ? down : up;
  const Arrow = ascending ? ArrowUp : ArrowDown;
  return (
    <div role="columnheader" aria-sort={up || down ? (ascending ? "ascending" : "descending") : "none"} className={classes("flex", look)}>
      <button
        type="button"
        className={classes("-mx-1 flex min-h-6 items-center gap-1 rounded px-1 hover:text-ink", (up || down) && "text-ink")}
        onClick={() => onSort(nextSort(sort, column))}
      >
        {label}
        {up || down ? <Arrow aria-hidden className="size-3.5" /> : null}
      </button>
    </div>
  );
}
