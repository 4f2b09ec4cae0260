import { useInfiniteQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { type Batch, resultsQuery } from "@/api/batches";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { SkeletonRows } from "@/components/Skeleton";
import { useWide } from "@/document/useWide";
import { inWords } from "@/fields/naming";
import { useNaming } from "@/fields/useNaming";
import { columnsOf } from "./columns";
import { ResultCards } from "./ResultCards";
import { ResultTable } from "./ResultTable";
import { filterOf, ResultTabs, shownOf } from "./ResultTabs";

/** One row per group, with its fields. */
export function Results({ batch, show }: { batch: Batch; show: string | undefined }) {
  const shown = shownOf(show, batch.progress);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = useInfiniteQuery(resultsQuery(batch.id, filterOf(shown)));
  const wide = useWide();
  const heading = useId();
  const [all, setAll] = useState(false);
  const results = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data]);
  const columns = useMemo(() => columnsOf(results), [results]);
  const completed = results.find(({ status }) => status === "completed");
  const naming = useNaming(completed && { id: completed.extraction_id, schema: null });
  const named = useMemo(() => columns.filter(({ empty }) => all || !empty).map((column) => ({ ...column, label: inWords(naming(column.path)) })), [columns, all, naming]);
  const empty = columns.filter((column) => column.empty).length;
  return (
    <section aria-labelledby={heading} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={heading} className="font-semibold">
          Results
        </h2>
        <ResultTabs current={shown} progress={batch.progress} />
        {empty > 0 && wide ? (
          <label className="inline-flex min-h-6 items-center gap-2 text-sm sm:ml-auto">
            <input type="checkbox" className="size-4 accent-accent" checked={all} onChange={(event) => setAll(event.target.checked)} />
            {empty === 1 ? "Also show the empty field" : `Also show ${empty} empty fields`}
          </label>
        ) : null}
      </div>
      {data === undefined && error ? (
        <ErrorState error={error} retry={() => void refetch()} title="Could not load the results" />
      ) : data === undefined ? (
        <SkeletonRows rows={6} className="h-14" />
      ) : results.length === 0 ? (
        <p className="rounded-xl border border-line bg-surface px-4 py-10 text-center text-muted">No matching results.</p>
      ) : (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? "opacity-60" : undefined}>
          {wide ? <ResultTable results={results} columns={named} /> : <ResultCards results={results} columns={named} />}
        </div>
      )}
      {hasNextPage ? (
        <div className="flex justify-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  );
}
