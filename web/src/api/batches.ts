import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { address, ApiProblem, request, type Schemas } from "./http";
import { unlessLive } from "./live";

export type Batch = Schemas["BatchRead"];
export type BatchSummary = Schemas["BatchSummary"];
export type Group = Schemas["GroupRead"];
export type GroupPage = Schemas["GroupPage"];
export type Result = Schemas["ResultRead"];
export type GroupBy = Schemas["GroupBy"];

/** The settings that the dashboard offers. `schema` null means the project's. */
export interface BatchSettings {
  name: string;
  schema: string | null;
  group_by: GroupBy;
  split: "auto" | null;
}

export const BATCHES = ["batches"] as const;
const POLL_MS = 1_500;
const LIST_POLL_MS = 3_000;
const ROWS_PER_PAGE = 50;
/** Someone who loaded more pages than this is reading, so the list must not change. */
export const MAX_REFRESHED_PAGES = 2;

export const batchesQuery = (project: string | null) =>
  infiniteQueryOptions({
    queryKey: [...BATCHES, "list", project],
    queryFn: ({ pageParam, signal }) => request<Schemas["BatchPage"]>("/batches", { query: { project, cursor: pageParam, limit: ROWS_PER_PAGE }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      const running = pages.some(({ batches }) => batches.some(({ status }) => status === "running"));
      return running && pages.length <= MAX_REFRESHED_PAGES ? unlessLive(LIST_POLL_MS) : false;
    },
  });

/** Polled while something changes without the user: extractions that run, and documents that are read. */
export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: [...BATCHES, id],
    queryFn: ({ signal }) => request<Batch>(`/batches/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) => {
      if (error instanceof ApiProblem && error.status === 404) return false;
      return data === undefined || changes(data) ? unlessLive(POLL_MS) : false;
    },
  });

function changes({ status, progress }: Batch): boolean {
  return status === "running" || (status !== "cancelled" && progress.documents_waiting > 0);
}

/** The groups that the next start would make. */
export const groupsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...BATCHES, id, "groups"],
    queryFn: ({ pageParam, signal }) => request<GroupPage>(`/batches/${id}/groups`, { query: { cursor: pageParam, limit: ROWS_PER_PAGE }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });

export interface ResultFilter {
  status?: Result["status"] | undefined;
  needs_review?: boolean | undefined;
}

export const resultsQuery = (id: string, filter: ResultFilter) =>
  infiniteQueryOptions({
    queryKey: [...BATCHES, id, "results", filter],
    queryFn: ({ pageParam, signal }) =>
      request<Schemas["ResultPage"]>(`/batches/${id}/results`, { query: { ...filter, fields: true, cursor: pageParam, limit: ROWS_PER_PAGE }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });

export function createBatch(settings: BatchSettings, project: string | null): Promise<Batch> {
  return request("/batches", { method: "POST", body: { ...settings, project } });
}

export function changeBatch(id: string, settings: Partial<BatchSettings>): Promise<Batch> {
  return request(`/batches/${id}`, { method: "PATCH", body: settings });
}

export function startBatch(id: string): Promise<Batch> {
  return request(`/batches/${id}/start`, { method: "POST" });
}

export function cancelBatch(id: string): Promise<Batch> {
  return request(`/batches/${id}/cancel`, { method: "POST" });
}

export function retryBatch(id: string): Promise<{ count: number }> {
  return request(`/batches/${id}/retry`, { method: "POST" });
}

export function deleteBatch(id: string, withDocuments: boolean): Promise<void> {
  return request(`/batches/${id}`, { method: "DELETE", query: { documents: withDocuments } });
}

export function removeFromBatch(id: string, documentId: string): Promise<void> {
  return request(`/batches/${id}/documents/${documentId}`, { method: "DELETE" });
}

export type ExportFormat = "csv" | "xlsx" | "jsonl" | "parquet";

/** The browser downloads it while it is written, so that its size does not matter. */
export function exportAddress(id: string, format: ExportFormat, evidence: boolean): string {
  return address(`/batches/${id}/export`, { format, evidence });
}
