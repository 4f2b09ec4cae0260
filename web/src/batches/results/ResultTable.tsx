import type { Result } from "@/api/batches";
import { classes } from "@/components/classes";
import { Confidence } from "@/components/Confidence";
import { type NamedColumn, ResultCell } from "./ResultCell";
import { GroupName, Outcome, ReviewLink } from "./ResultParts";

const CELL = "px-3 py-2 align-top";

/** The results next to each other. The first column stays in sight. */
export function ResultTable({ results, columns }: { results: readonly Result[]; columns: readonly NamedColumn[] }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable areas must be reachable by keyboard
    <div role="group" aria-label="Table of the results" tabIndex={0} className="overflow-x-auto rounded-xl border border-line bg-surface">
      <table className="min-w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="bg-sunken text-left text-xs text-muted">
            <th scope="col" className="sticky left-0 z-10 border-b border-line bg-sunken px-3 py-2 font-medium">
              Group
            </th>
            <th scope="col" className="border-b border-line px-3 py-2 font-medium whitespace-nowrap">
              {results.some(({ value }) => value !== null) ? "Confidence" : "Status"}
            </th>
            {columns.map(({ path, label, numeric, list }) => (
              <th key={path} scope="col" className={classes("border-b border-line px-3 py-2 font-medium whitespace-nowrap", numeric && !list && "text-right")}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&>tr:last-child>*]:border-b-0">
          {results.map((result) => (
            <ResultRow key={result.extraction_id} result={result} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ResultRow({ result, columns }: { result: Result; columns: readonly NamedColumn[] }) {
  return (
    <tr className="group">
      <th scope="row" className={classes(CELL, "sticky left-0 z-10 max-w-64 min-w-44 border-r border-b border-line bg-surface text-left font-normal")}>
        <GroupName result={result} />
      </th>
      {result.value === null ? (
        <td colSpan={columns.length + 1} className={classes(CELL, "border-b border-line")}>
          <div className="max-w-3xl">
            <Outcome result={result} />
          </div>
        </td>
      ) : (
        <>
          <td className={classes(CELL, "border-b border-line")}>
            <div className="flex flex-col items-start gap-1">
              {result.confidence == null ? null : <Confidence value={result.confidence} />}
              <ReviewLink result={result} />
            </div>
          </td>
          {columns.map((column) => (
            <td key={column.path} className={classes(CELL, "max-w-72 border-b border-line", column.numeric && !column.list && "text-right")}>
              <ResultCell result={result} column={column} />
            </td>
          ))}
        </>
      )}
    </tr>
  );
}
