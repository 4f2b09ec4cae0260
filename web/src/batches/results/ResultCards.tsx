import type { Result } from "@/api/batches";
import { Confidence } from "@/components/Confidence";
import { isAbsent, valueAt } from "./columns";
import { type NamedColumn, ResultCell } from "./ResultCell";
import { GroupName, Outcome, ReviewLink } from "./ResultParts";

/** The results below each other, for narrow screens. Fields without a value are left out. */
export function ResultCards({ results, columns }: { results: readonly Result[]; columns: readonly NamedColumn[] }) {
  return (
    <ul aria-label="Results" className="flex flex-col gap-3">
      {results.map((result) => (
        <li key={result.extraction_id} className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4 text-sm">
          <div className="flex flex-wrap items-start justify-between gap-2">
            <div className="min-w-0 flex-1">
              <GroupName result={result} />
            </div>
            {result.value === null || result.confidence == null ? null : <Confidence value={result.confidence} />}
          </div>
          {result.value === null ? <Outcome result={result} /> : <Fields result={result} columns={columns} />}
          <ReviewLink result={result} />
        </li>
      ))}
    </ul>
  );
}

function Fields({ result, columns }: { result: Result; columns: readonly NamedColumn[] }) {
  const doubtful = new Set(result.fields?.filter((field) => field.needs_review).map(({ path }) => path));
  const shown = columns.filter(({ path }) => doubtful.has(path) || !isAbsent(valueAt(result.value, path)));
  return (
    <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 gap-y-2">
      {shown.map((column) => (
        <div key={column.path} className="contents">
          <dt className="pt-0.5 text-xs break-words text-muted">{column.label}</dt>
          <dd className="min-w-0">
            <ResultCell result={result} column={column} inline />
          </dd>
        </div>
      ))}
    </dl>
  );
}
