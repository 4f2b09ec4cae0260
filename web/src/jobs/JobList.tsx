import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type JobFilter, jobsQuery } from "@/api/jobs";
import { queuesQuery } from "@/api/queues";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { Select } from "@/components/Inputs";
import { SkeletonRows } from "@/components/Skeleton";
import { among, NOTHING, ranged, toggled } from "@/documents/selection";
import { AllJobs, SelectedJobs } from "./JobActions";
import { JobRow } from "./JobRow";
import { ALL, StatusTabs } from "./StatusTabs";
import { useJobChanges } from "./useJobChanges";
import { KIND_CHOICES, queueWords } from "./words";

interface Props {
  status: string;
  jobType: string | undefined;
  queue: string | undefined;
  project: string | null;
  mayWrite: boolean;
}

export function JobList({ status, jobType, queue, project, mayWrite }: Props) {
  const filter: JobFilter = { status: status === ALL ? undefined : status, job_type: jobType, queue, project: project ?? undefined };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(jobsQuery(filter));
  const [held, setHeld] = useState(NOTHING);
  const jobs = useMemo(() => data?.pages.flatMap((page) => page.jobs) ?? [], [data]);
  const order = useMemo(() => jobs.map((job) => job.id), [jobs]);
  const selection = useMemo(() => among(held, order), [held, order]);
  const changes = useJobChanges(() => setHeld(NOTHING));
  const counts = data?.pages[0];
  return (
    <section aria-label="Jobs">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <StatusTabs current={status} counts={counts} />
        <div className="flex flex-1 flex-wrap gap-2 sm:justify-end">
          <Narrowing jobType={jobType} queue={queue} project={project} />
          {mayWrite && counts ? <AllJobs filter={filter} counts={counts} changes={changes} /> : null}
        </div>
      </div>
      {mayWrite && selection.ids.size > 0 ? (
        <SelectedJobs selected={jobs.filter((job) => selection.ids.has(job.id))} changes={changes} clear={() => setHeld(NOTHING)} />
      ) : null}
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        {data === undefined && error ? (
          <ErrorState error={error} retry={() => void refetch()} title="Could not load jobs" />
        ) : data === undefined ? (
          <div className="p-3">
            <SkeletonRows rows={5} className="h-14" />
          </div>
        ) : jobs.length === 0 ? (
          <p className="px-4 py-10 text-center text-muted">{NONE[status] ?? "No matching jobs."}</p>
        ) : (
          <ul className="divide-y divide-line">
            {jobs.map((job) => (
              <JobRow
                key={job.id}
                job={job}
                selected={selection.ids.has(job.id)}
                changes={mayWrite ? changes : null}
                select={(id, range) => setHeld((former) => (range ? ranged(former, order, id) : toggled(former, id)))}
              />
            ))}
          </ul>
        )}
      </div>
      {hasNextPage ? (
        <div className="mt-3 flex justify-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  );
}

const NONE: Record<string, string> = {
  failed: "No failed jobs.",
  pending: "No pending jobs.",
  processing: "No running jobs.",
  completed: "No completed jobs yet. Upload a document to get started.",
  cancelled: "No cancelled jobs.",
};

function Narrowing({ jobType, queue, project }: Pick<Props, "jobType" | "queue" | "project">) {
  const navigate = useNavigate({ from: "/jobs" });
  const { data } = useQuery(queuesQuery(project));
  const queues = new Set([...(data?.queues.map((each) => each.name) ?? []), ...(queue ? [queue] : [])]);
  const set = (change: { job_type?: string | undefined; queue?: string | undefined }) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  return (
    <>
      <Select
        aria-label="Kind of job"
        className="min-w-0 flex-1 max-sm:pr-1! max-sm:pl-2! sm:flex-none"
        value={jobType ?? ""}
        onChange={(event) => set({ job_type: event.target.value || undefined })}
      >
        <option value="">Any kind</option>
        {KIND_CHOICES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Queue"
        className="min-w-0 flex-1 max-sm:pr-1! max-sm:pl-2! sm:flex-none"
        value={queue ?? ""}
        onChange={(event) => set({ queue: event.target.value || undefined })}
      >
        <option value="">Any queue</option>
        {[...queues].map((name) => (
          <option key={name} value={name}>
            {queueWords(name)}
          </option>
        ))}
      </Select>
    </>
  );
}
