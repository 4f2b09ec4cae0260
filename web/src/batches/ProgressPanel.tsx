import { CircleAlert } from "lucide-react";
import type { Batch } from "@/api/batches";
import { reasonOf } from "@/document/reasons";
import { BatchBar } from "./BatchBar";
import { count, endedOf, newInWords, timeLeft, waitingInWords } from "./words";

/** How far a batch is that was started. */
export function ProgressPanel({ batch, now }: { batch: Batch; now: number }) {
  const { progress } = batch;
  return (
    <section aria-label="Progress" className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4">
      {batch.error ? (
        <p role="alert" className="flex items-start gap-2 text-sm text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          The last start failed: {batch.error.message || reasonOf(batch.error).title}
        </p>
      ) : null}
      {batch.starting ? (
        <p role="status" className="text-sm">
          {waitingInWords(batch, now)}
        </p>
      ) : null}
      {newInWords(batch) === null ? null : (
        <p role="status" className="text-sm">
          {newInWords(batch)}
        </p>
      )}
      {progress.total > 0 ? (
        <>
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <p role="status" className="text-sm font-medium tabular-nums">
              {count(endedOf(progress))} of {count(progress.total)} finished
            </p>
            <p className="text-sm text-muted tabular-nums">{batch.status === "running" ? (timeLeft(progress.estimated_seconds_left) ?? "Estimating the time left") : null}</p>
          </div>
          <BatchBar progress={progress} label="Progress" />
          <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
            <Count label="completed" value={progress.completed} look="text-good" always />
            <Count label="failed" value={progress.failed} look="text-bad" always />
            <Count label="to review" value={progress.needs_review} look="text-warn" always />
            <Count label="running" value={progress.running} look="text-info" />
            <Count label="waiting" value={progress.pending} look="text-ink" />
            <Count label="cancelled" value={progress.cancelled} look="text-warn" />
            <Count label={progress.documents_waiting === 1 ? "document being read" : "documents being read"} value={progress.documents_waiting} look="text-ink" />
          </dl>
        </>
      ) : null}
    </section>
  );
}

function Count({ label, value, look, always = false }: { label: string; value: number; look: string; always?: boolean }) {
  if (value === 0 && !always) return null;
  return (
    <div className="flex flex-row-reverse gap-1">
      <dt>{label}</dt>
      <dd className={`font-semibold tabular-nums ${value > 0 ? look : ""}`}>{count(value)}</dd>
    </div>
  );
}
