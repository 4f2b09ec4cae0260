import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";
import { unlessLive } from "./live";

export type Job = Schemas["JobRead"];
export type JobPage = Schemas["JobPage"];

export interface JobFilter {
  status?: string | undefined;
  job_type?: string | undefined;
  queue?: string | undefined;
  project?: string | undefined;
}

const REFRESH_MS = 2_000;
const MAX_RUNNING = 50;
const ROWS_PER_PAGE = 50;
const LIST_REFRESH_MS = 5_000;
/** Someone who loaded more pages than this is reading, so the list must not change. */
const MAX_REFRESHED_PAGES = 2;

/** Running jobs, and the number of jobs per status. */
export const runningJobsQuery = (project: string | null) =>
  queryOptions({
    queryKey: ["jobs", "running", project],
    queryFn: ({ signal }) => request<JobPage>("/jobs", { query: { status: "processing", project, limit: MAX_RUNNING }, signal }),
    refetchInterval: () => unlessLive(REFRESH_MS),
  });

export const jobsQuery = (filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: ["jobs", "list", filter],
    queryFn: ({ pageParam, signal }) => request<JobPage>("/jobs", { query: { ...filter, cursor: pageParam, limit: ROWS_PER_PAGE }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= MAX_REFRESHED_PAGES ? LIST_REFRESH_MS : false),
  });

export type JobSelection = JobFilter & { ids?: readonly string[] };

export function retryJobs(selection: JobSelection): Promise<{ count: number }> {
  return request("/jobs/retry", { method: "POST", body: selection });
}

export function cancelJobs(selection: JobSelection): Promise<{ count: number }> {
  return request("/jobs/cancel", { method: "POST", body: selection });
}
