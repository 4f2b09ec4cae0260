import { Ban, RotateCcw } from "lucide-react";
import type { Job } from "@/api/jobs";
import { Age } from "@/components/Age";
import { Badge } from "@/components/Badge";
import { IconButton } from "@/components/Button";
import { classes } from "@/components/classes";
import { duration } from "@/components/format";
import { StatusBadge } from "@/components/StatusBadge";
import { JobSubject } from "./JobSubject";
import type { useJobChanges } from "./useJobChanges";
import { kindWords, subjectWords } from "./words";

interface Props {
  job: Job;
  selected: boolean;
  /** Null if the key is read-only. */
  changes: ReturnType<typeof useJobChanges> | null;
  select: (id: string, range: boolean) => void;
}

export function JobRow({ job, selected, changes, select }: Props) {
  return (
    <li className={classes("flex items-start gap-3 px-3 py-2", selected ? "bg-accent-soft" : "hover:bg-sunken")}>
      {changes ? (
        <label className="flex size-8 shrink-0 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={selected}
            aria-label={`Select ${subjectWords(job)}`}
            // The change event has no Shift state, but the click before it does.
            onClick={(event) => select(job.id, event.shiftKey)}
            onChange={() => undefined}
          />
        </label>
      ) : null}
      <div className="min-w-0 flex-1 py-1">
        <JobSubject job={job} />
        <p className="text-xs text-muted">{facts(job)}</p>
        {job.error_message ? (
          <p className={classes("mt-1 text-sm break-words", job.status === "failed" ? "text-bad" : "text-warn")}>{job.error_message}</p>
        ) : null}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1 py-1 text-xs text-muted">
        {job.status === "processing" ? <Badge tone="info">Running</Badge> : <StatusBadge status={job.status} />}
        <Age since={job.completed_at ?? job.started_at ?? job.created_at} />
      </div>
      {changes ? <Action job={job} changes={changes} /> : null}
    </li>
  );
}

function Action({ job, changes }: { job: Job; changes: NonNullable<Props["changes"]> }) {
  const name = subjectWords(job);
  if (job.status === "failed") {
    return (
      <IconButton label={`Retry ${name}`} onClick={() => changes.retry.mutate({ ids: [job.id] })}>
        <RotateCcw aria-hidden className="size-4" />
      </IconButton>
    );
  }
  if (job.status === "pending" || job.status === "processing") {
    return (
      <IconButton label={`Cancel ${name}`} onClick={() => changes.cancel.mutate({ ids: [job.id] })}>
        <Ban aria-hidden className="size-4" />
      </IconButton>
    );
  }
  return <span className="size-9 shrink-0" />;
}

function laterWords(job: Job, at: Date): string {
  if (job.deferred_by === null) return `next attempt at ${at.toLocaleTimeString()}`;
  const why = job.deferred_by === "run_at" ? "as requested" : "when the processing window opens";
  return `starts ${at.toLocaleString()}, ${why}`;
}

function facts(job: Job): string {
  const tries = job.attempts > 1 ? `tried ${job.attempts} times` : null;
  const lost = job.rescues > 0 ? `worker lost ${job.rescues === 1 ? "once" : `${job.rescues} times`}` : null;
  const took = job.processing_time_ms === null ? null : `took ${duration(job.processing_time_ms)}`;
  const later = job.run_at !== null && job.status === "pending" ? laterWords(job, new Date(job.run_at)) : null;
  return [kindWords(job.job_type), tries, lost, took, later].filter(Boolean).join(" · ");
}
