import { useQuery } from "@tanstack/react-query";
import { type Queue, queuesQuery } from "@/api/queues";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { queueWords, since } from "./words";

/** Depth and age of each queue. */
export function QueueCards({ project }: { project: string | null }) {
  const { data, error, refetch } = useQuery(queuesQuery(project));
  if (data === undefined && error) return <ErrorState error={error} retry={() => void refetch()} title="Could not load queues" />;
  return (
    <section aria-label="Queues">
      {data?.queues.length === 0 ? (
        <p className="rounded-xl border border-line bg-surface px-4 py-6 text-center text-muted">All queues are empty. Uploads are processed immediately.</p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
          {data ? data.queues.map((queue) => <QueueCard key={queue.name} queue={queue} />) : <Skeleton className="h-28 rounded-xl" />}
        </ul>
      )}
    </section>
  );
}

function QueueCard({ queue }: { queue: Queue }) {
  const oldest = queue.oldest_pending_seconds;
  return (
    <li className="rounded-xl border border-line bg-surface p-4">
      <h2 className="text-sm font-medium" title={queue.name}>
        {queueWords(queue.name)}
      </h2>
      <p className="mt-1 flex items-baseline gap-2">
        <span className="text-2xl font-semibold tabular-nums">{queue.pending.toLocaleString("en")}</span>
        <span className="text-sm text-muted">waiting</span>
      </p>
      <p className="text-sm text-muted">{oldest === null ? "No pending jobs" : `Oldest: ${since(oldest)}`}</p>
      <dl className="mt-3 flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-2 text-xs text-muted">
        <Count label="running" value={queue.processing} look="text-info" />
        <Count label="scheduled" value={queue.scheduled} look="text-ink" />
        <Count label="failed" value={queue.failed} look="text-bad" />
      </dl>
    </li>
  );
}

function Count({ label, value, look }: { label: string; value: number; look: string }) {
  return (
    <div className="flex flex-row-reverse gap-1">
      <dt>{label}</dt>
      <dd className={`font-semibold tabular-nums ${value > 0 ? look : ""}`}>{value.toLocaleString("en")}</dd>
    </div>
  );
}
