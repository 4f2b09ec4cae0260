import { Link } from "@tanstack/react-router";
import type { BatchSummary } from "@/api/batches";
import { Age } from "@/components/Age";
import { shownName } from "@/components/shownName";
import { StatusBadge } from "@/components/StatusBadge";
import { BatchBar } from "./BatchBar";
import { count, endedOf, fieldsInWords, groupingInWords, statusInWords, timeLeft } from "./words";

export function BatchRow({ batch }: { batch: BatchSummary }) {
  const { progress } = batch;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-3 hover:bg-sunken lg:grid-cols-[minmax(0,1fr)_7rem_16rem_9rem_4rem]">
      <div className="min-w-0">
        <Link to="/batches/$batchId" params={{ batchId: batch.id }} className="block truncate rounded font-medium after:absolute after:inset-0 hover:text-accent" title={shownName(batch.name)}>
          {shownName(batch.name)}
        </Link>
        <p className="truncate text-xs text-muted">
          {fieldsInWords(batch)} · {groupingInWords(batch.group_by)}
        </p>
      </div>
      <div className="justify-self-end lg:justify-self-start">
        <StatusBadge status={statusInWords(batch)} />
      </div>
      <div className={progress.total > 0 ? "max-lg:col-span-2" : "max-lg:hidden"}>
        {progress.total > 0 ? (
          <>
            <p className="mb-1 flex justify-between gap-2 text-xs text-muted tabular-nums">
              <span>
                {count(endedOf(progress))} of {count(progress.total)}
              </span>
              <span>{timeLeft(progress.estimated_seconds_left)}</span>
            </p>
            <BatchBar progress={progress} label={`Progress of ${shownName(batch.name)}`} />
          </>
        ) : null}
      </div>
      <Outcome progress={progress} />
      <p className="text-right text-sm text-muted">
        <Age since={batch.created_at} />
      </p>
    </li>
  );
}

/** What needs a person: failed extractions, and fields to review. */
function Outcome({ progress: { failed, needs_review } }: Pick<BatchSummary, "progress">) {
  return (
    <p className="flex flex-wrap gap-x-3 text-sm tabular-nums">
      {failed > 0 ? <span className="text-bad">{count(failed)} failed</span> : null}
      {needs_review > 0 ? <span className="text-warn">{count(needs_review)} to review</span> : null}
    </p>
  );
}
