import { memo, useMemo, useState } from "react";
import type { Field } from "@/api/extractions";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { Confidence } from "@/components/Confidence";
import { FieldNotes } from "./FieldNotes";
import type { TableGroup } from "./groups";
import { fieldElementId, type Pointing } from "./pointing";
import { fieldInWords, heldValue, isAbsent, isQuiet, isSettled, toneOf } from "./state";

const ROWS_AT_FIRST = 100;
/** Texts with at least this many characters get a wide column, and the table scrolls. */
const LONG_VALUE = 20;
const DOTS = { sure: "bg-good", likely: "bg-warn", unsure: "bg-bad" } as const;
const WORDS = { sure: "high confidence", likely: "medium confidence", unsure: "low confidence" } as const;

/** A list as a table. Columns without values are only named below it. */
export function FieldTable({ table, pointing }: { table: TableGroup<Field>; pointing: Pointing }) {
  const [all, setAll] = useState(false);
  const { columns, numeric } = useMemo(() => columnsOf(table), [table]);
  const empty = table.columns.filter((column) => !columns.includes(column));
  const activeRow = table.rows.findIndex((row) => [...row.cells.values()].some((field) => field.path === pointing.active));
  const shown = all ? table.rows : table.rows.slice(0, Math.max(ROWS_AT_FIRST, activeRow + 1));
  const active = activeRow < 0 ? undefined : [...(table.rows[activeRow]?.cells ?? [])].find(([, field]) => field.path === pointing.active);
  return (
    <div className="flex flex-col">
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable areas must be reachable by keyboard */}
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={table.title}>
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-b border-line text-left text-xs text-muted">
              <th scope="col" className="px-2 py-1.5 font-medium">
                <span className="sr-only">Row</span>
              </th>
              {columns.map(({ key, label, hint }) => (
                <th key={key} scope="col" title={hint || undefined} className={classes("px-1.5 py-1.5 font-medium whitespace-nowrap", numeric.has(key) && "text-right")}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.index} className="border-b border-line last:border-0">
                <th scope="row" className="px-2 py-1 text-right text-xs font-normal text-muted tabular-nums">
                  {row.index + 1}
                </th>
                {columns.map(({ key, label }) => (
                  <td key={key} className="p-0 align-top">
                    <Cell
                      label={`${label}, row ${row.index + 1}`}
                      field={row.cells.get(key)}
                      right={numeric.has(key)}
                      active={pointing.active !== null && pointing.active === row.cells.get(key)?.path}
                      stop={pointing.stop !== null && pointing.stop === row.cells.get(key)?.path}
                      choose={pointing.choose}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < table.rows.length ? (
        <Button look="quiet" className="m-2 self-start" onClick={() => setAll(true)}>
          Show all {table.rows.length.toLocaleString("en")} rows
        </Button>
      ) : null}
      {active ? <ActiveCell column={table.columns.find(({ key }) => key === active[0])} field={active[1]} /> : null}
      {empty.length > 0 ? <p className="px-3 py-2 text-xs text-muted">Not found: {empty.map(({ label }) => label).join(", ")}</p> : null}
    </div>
  );
}

function columnsOf(table: TableGroup<Field>): { columns: TableGroup<Field>["columns"]; numeric: ReadonlySet<string> } {
  const used = table.columns.filter(({ key }) => table.rows.some((row) => row.cells.has(key) && !isQuiet(row.cells.get(key) as Field)));
  const columns = used.length > 0 ? used : table.columns;
  return { columns, numeric: new Set(columns.filter(({ key }) => isNumeric(table, key)).map(({ key }) => key)) };
}

/** Whether a column contains only numbers, which are right-aligned. */
function isNumeric(table: TableGroup<Field>, column: string): boolean {
  const values = table.rows.map((row) => row.cells.get(column)).filter((field) => field !== undefined && !isAbsent(field));
  return values.length > 0 && values.every((field) => typeof heldValue(field as Field) === "number");
}

interface CellProps {
  label: string;
  field: Field | undefined;
  right: boolean;
  active: boolean;
  stop: boolean;
  choose: (path: string) => void;
}

const Cell = memo(function Cell({ label, field, right, active, stop, choose }: CellProps) {
  if (field === undefined) return null;
  const value = fieldInWords(field);
  const quiet = isQuiet(field);
  const tone = toneOf(field);
  return (
    <button
      type="button"
      id={fieldElementId(field.path)}
      data-path={field.path}
      aria-pressed={active}
      aria-label={`${label}: ${quiet ? "not found" : `${value}, ${WORDS[tone]}`}`}
      tabIndex={stop ? 0 : -1}
      onClick={() => choose(field.path)}
      className={classes(
        "flex min-h-8 w-full items-start gap-1.5 px-1.5 py-1.5 text-left",
        active ? "bg-accent-soft" : "hover:bg-sunken",
        right && "justify-end tabular-nums",
      )}
    >
      {quiet ? null : <span aria-hidden className={classes("mt-1.5 size-2 shrink-0 rounded-full", DOTS[tone])} />}
      <span className={classes("max-w-64 break-words", value.length > LONG_VALUE && "min-w-28", isAbsent(field) && "text-muted")}>{value}</span>
    </button>
  );
});

function ActiveCell({ column, field }: { column: TableGroup<Field>["columns"][number] | undefined; field: Field }) {
  return (
    <div className="flex flex-col gap-1 border-t border-line bg-accent-soft px-3 py-2">
      <span className="flex items-baseline justify-between gap-3 text-xs">
        <span className="text-muted">{column?.label}</span>
        {isSettled(field) || isQuiet(field) ? null : <Confidence value={field.confidence} />}
      </span>
      {column?.hint ? <span className="text-xs text-muted first-letter:uppercase">{column.hint}</span> : null}
      <FieldNotes field={field} open />
    </div>
  );
}
