import { useQuery } from "@tanstack/react-query";
import { Ban } from "lucide-react";
import { type Job, runningJobsQuery } from "@/api/jobs";
import { IconButton } from "@/components/Button";
import { SkeletonRows } from "@/components/Skeleton";
import { stagePart, stageWords } from "@/documents/stages";
import { ProgressBar } from "@/upload/ProgressBar";
import { JobSubject } from "./JobSubject";
import { useJobChanges } from "./useJobChanges";
import { kindWords, since, subjectWords } from "./words";

const SHOWN = 50;

/** Running jobs, refreshed every two seconds while on screen. */
export function RunningJobs({ project, mayWrite }: { project: string | null; mayWrite: boolean }) {
  const { data, dataUpdatedAt } = useQuery(runningJobsQuery(project));
  return (
    <section aria-labelledby="running">
      <h2 id="running" className="mb-2 font-semibold">
        Running now {data && data.processing_count > 0 ? <span className="text-muted tabular-nums">({data.processing_count})</span> : null}
      </h2>
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        {data === undefined ? (
          <div className="p-3">
            <SkeletonRows rows={2} />
          </div>
        ) : data.jobs.length === 0 ? (
          <p className="px-4 py-6 text-center text-muted">No running jobs.</p>
        ) : (
          <ul className="divide-y divide-line">
            {data.jobs.map((job) => (
              <RunningJob key={job.id} job={job} now={dataUpdatedAt} mayWrite={mayWrite} />
            ))}
          </ul>
        )}
        {data && data.processing_count > SHOWN ? (
          <p className="border-t border-line px-4 py-2 text-sm text-muted">and {data.processing_count - SHOWN} more</p>
        ) : null}
      </div>
    </section>
  );
}

function RunningJob({ job, now, mayWrite }: { job: Job; now: number; mayWrite: boolean }) {
  const { cancel } = useJobChanges();
  const words = job.progress ? stageWords(job.progress) : "Starting";
  const started = job.started_at === null ? null : since((now - Date.parse(job.started_at)) / 1000);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_14rem_5rem_2.25rem]">
      <div className="min-w-0">
        <JobSubject job={job} />
        <p className="truncate text-xs text-muted">{kindWords(job.job_type)}</p>
      </div>
      <div className="order-last col-span-2 sm:order-none sm:col-span-1">
        <p className="mb-1 truncate text-xs font-medium text-info">{words}</p>
        <ProgressBar part={job.progress ? stagePart(job.progress) : null} label={`${subjectWords(job)}: ${words}`} />
      </div>
      <p className="hidden text-right text-sm text-muted tabular-nums sm:block">{started}</p>
      {mayWrite ? (
        <IconButton label={`Cancel ${subjectWords(job)}`} onClick={() => cancel.mutate({ ids: [job.id] })}>
          <Ban aria-hidden className="size-4" />
        </IconButton>
      ) : (
        <span />
      )}
    </li>
  );
}
