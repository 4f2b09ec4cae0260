import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { type Attempt, attemptsQuery } from "@/api/documents";
import { Age } from "@/components/Age";
import { Badge, type Tone } from "@/components/Badge";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { duration } from "@/components/format";
import { SkeletonRows } from "@/components/Skeleton";
import { stageWords } from "@/documents/stages";
import { nameInWords } from "@/fields/path";
import { reasonOf } from "@/document/reasons";

const OUTCOMES: Record<Attempt["outcome"], { tone: Tone; label: string }> = {
  running: { tone: "info", label: "Running" },
  completed: { tone: "good", label: "Done" },
  failed: { tone: "bad", label: "Failed" },
  retried: { tone: "warn", label: "Failed, retried" },
  cancelled: { tone: "warn", label: "Cancelled" },
  rescued: { tone: "warn", label: "Worker lost" },
  handed_back: { tone: "neutral", label: "Handed back" },
};
const KINDS: Record<string, string> = { process_document: "Read", extract: "Extract fields", run_extraction: "Extract fields" };

export function TimelineTab({ documentId }: { documentId: string }) {
  const { data, error, refetch } = useQuery(attemptsQuery(documentId));
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (data === undefined) return <div className="p-4"><SkeletonRows className="h-28" rows={3} /></div>;
  if (data.length === 0) {
    return (
      <EmptyState icon={<History aria-hidden className="size-8" />} title="No attempts yet">
        Attempts to process the document appear here with their duration.
      </EmptyState>
    );
  }
  return (
    <ol className="flex flex-col gap-3 p-3">
      {data.map((attempt) => (
        <AttemptCard key={`${attempt.job_id} ${attempt.attempt} ${attempt.started_at}`} attempt={attempt} />
      ))}
    </ol>
  );
}

function AttemptCard({ attempt }: { attempt: Attempt }) {
  const outcome = OUTCOMES[attempt.outcome];
  const reason = attempt.error ? reasonOf(attempt.error) : null;
  return (
    <li className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <h2 className="font-semibold">
          {KINDS[attempt.job_type] ?? nameInWords(attempt.job_type)}, try {attempt.attempt}
        </h2>
        <Badge tone={outcome.tone}>{outcome.label}</Badge>
        <span className="tabular-nums">{duration(attempt.duration_ms)}</span>
        <span className="ml-auto text-xs text-muted">
          <Age since={attempt.started_at} />
        </span>
      </div>
      {reason && attempt.error ? (
        <p className="rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
          {reason.title}. {attempt.error.message} <span className="font-mono text-xs">{attempt.error.code}</span>
        </p>
      ) : null}
      {attempt.stages.length > 0 ? <Stages attempt={attempt} /> : null}
      {attempt.worker_id ? <p className="text-xs text-muted">Worker {attempt.worker_id}</p> : null}
    </li>
  );
}

/** Each stage starts where the previous one ended, so that the bars add up to the whole. */
function Stages({ attempt: { stages } }: { attempt: Attempt }) {
  const whole = Math.max(1, stages.reduce((sum, { duration_ms }) => sum + duration_ms, 0));
  const starts = stages.map((_, index) => stages.slice(0, index).reduce((sum, { duration_ms }) => sum + duration_ms, 0));
  return (
    <ol className="grid grid-cols-[minmax(7rem,auto)_1fr_4.5rem] items-center gap-x-3 gap-y-1 text-xs">
      {stages.map(({ stage, duration_ms }, index) => (
        <li key={index} className="contents">
          <span className="truncate text-muted">{stageWords({ stage })}</span>
          <span aria-hidden className="relative h-3 rounded-sm bg-sunken">
            <span
              className="absolute inset-y-0 min-w-0.5 rounded-sm bg-accent"
              style={{ left: `${(100 * (starts[index] ?? 0)) / whole}%`, width: `${(100 * duration_ms) / whole}%` }}
            />
          </span>
          <span className="text-right tabular-nums">{duration(duration_ms)}</span>
        </li>
      ))}
    </ol>
  );
}
