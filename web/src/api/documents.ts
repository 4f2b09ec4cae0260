import { infiniteQueryOptions, keepPreviousData, type QueryKey, queryOptions } from "@tanstack/react-query";
import { ApiProblem, request, requestAll, type Schemas, send } from "./http";
import { isLive, unlessLive } from "./live";

export type DocumentRead = Schemas["DocumentRead"];
export type DocumentPage = Schemas["DocumentPage"];
export type DocumentState = Schemas["DocumentState"];
export type DocumentsChanged = Schemas["DocumentsChanged"];

export const SORTS = ["-created_at", "created_at", "filename", "-filename", "size", "-size", "confidence", "-confidence"] as const;
export type Sort = (typeof SORTS)[number];

/** Filters of the list, named as in the API. */
export interface DocumentFilter {
  name?: string | undefined;
  status?: string | undefined;
  class?: string | undefined;
  needs_review?: boolean | undefined;
  project?: string | undefined;
  sort: Sort;
}

export const DOCUMENT_LISTS: QueryKey = ["documents", "list"];
/** A small first page loads quickly; the following pages are as large as the API allows. */
const FIRST_ROWS = 60;
const MORE_ROWS = 200;

export function readDocuments(filter: DocumentFilter, cursor: string | null, signal?: AbortSignal): Promise<DocumentPage> {
  const limit = cursor === null ? FIRST_ROWS : MORE_ROWS;
  return request<DocumentPage>("/documents", { query: { ...filter, cursor, limit }, signal });
}

/** Rows in progress refresh themselves and the others do not change, so the list is never refetched automatically. */
export const documentsQuery = (filter: DocumentFilter) =>
  infiniteQueryOptions({
    queryKey: [...DOCUMENT_LISTS, filter],
    queryFn: ({ pageParam, signal }) => readDocuments(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ["documents", id],
    queryFn: ({ signal }) => request<DocumentRead>(`/documents/${id}`, { signal }),
  });

const IN_PROGRESS = new Set(["pending", "processing", "pending_unpacking", "unpacking", "pending_download", "downloading"]);

export function inProgress(status: string | undefined): boolean {
  return status !== undefined && IN_PROGRESS.has(status);
}

export function isArchive({ status, entries }: Pick<DocumentRead, "status" | "entries">): boolean {
  return entries != null || status === "pending_unpacking" || status === "unpacking" || status === "unpacked";
}

/** Processing and extraction have ended; nothing changes without a user action. */
export function settled(state: Pick<DocumentState, "status" | "extraction">): boolean {
  return !inProgress(state.status) && !inProgress(state.extraction?.status);
}

/** The last response of the status route, and how often it has been the same since. */
export interface Polled {
  etag: string;
  state: DocumentState;
  unchanged: number;
}

const SOONEST_MS = 1_000;
const LATEST_MS = 5_000;
const SLOWER_BY = 1.5;
/** From this position in the queue on, nothing happens within a second. */
const FAR_BACK = 20;

/** When to poll again: soon while things change and no event would report it, else less often, never once they are settled. */
export function pollDelay(polled: Polled | undefined, error: Error | null = null): number | false {
  if (error instanceof ApiProblem && error.status >= 400 && error.status < 500) return false;
  if (error !== null) return LATEST_MS;
  if (polled === undefined) return SOONEST_MS;
  if (settled(polled.state)) return false;
  if (isLive() || (polled.state.queue_position ?? 0) > FAR_BACK) return LATEST_MS;
  return Math.min(LATEST_MS, Math.round(SOONEST_MS * SLOWER_BY ** polled.unchanged));
}

/** Polls one document until it is settled, while it is on screen. A 304 response costs next to nothing. */
export const documentStatusQuery = (id: string) => {
  const queryKey = ["documents", id, "status"];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<Polled> => {
      const former = client.getQueryData<Polled>(queryKey);
      const headers: Record<string, string> = former?.etag ? { "If-None-Match": former.etag } : {};
      const response = await send(`/documents/${id}/status`, { signal, headers });
      if (response.status === 304 && former) return { ...former, unchanged: former.unchanged + 1 };
      return { etag: response.headers.get("ETag") ?? "", state: (await response.json()) as DocumentState, unchanged: 0 };
    },
    staleTime: 0,
    refetchInterval: ({ state }) => pollDelay(state.data, state.error),
  });
};

/** The API's limit of ids per request. */
const MAX_IDS = 1_000;

export const deleteDocuments = (ids: readonly string[], keepalive = false) => change("delete", ids, {}, keepalive);
export const cancelDocuments = (ids: readonly string[]) => change("cancel", ids);
export const reprocessDocuments = (ids: readonly string[], by: { schema: string | null; engine: string | null }) =>
  change("reprocess", ids, by);

/** Reprocess a protected document with its password. */
export function unlockDocument(id: string, password: string): Promise<Schemas["Reprocessing"]> {
  return request(`/documents/${id}/reprocess`, { method: "POST", body: { password } });
}

async function change(what: string, ids: readonly string[], by = {}, keepalive = false): Promise<DocumentsChanged> {
  const parts: (readonly string[])[] = [];
  for (let from = 0; from < ids.length; from += MAX_IDS) parts.push(ids.slice(from, from + MAX_IDS));
  const ask = (part: readonly string[]) =>
    request<DocumentsChanged>(`/documents/${what}`, { method: "POST", body: { ids: part, ...by }, keepalive });
  const answers: DocumentsChanged[] = [];
  // A page that is being closed runs no more code, so everything is sent at once.
  if (keepalive) answers.push(...(await Promise.all(parts.map(ask))));
  else for (const part of parts) answers.push(await ask(part));
  return {
    count: answers.reduce((sum, answer) => sum + answer.count, 0),
    skipped: answers.flatMap((answer) => answer.skipped),
  };
}

export type Attempt = Schemas["AttemptRead"];

/** Processing attempts of a document, newest first. */
export const attemptsQuery = (id: string) =>
  queryOptions({
    queryKey: ["documents", id, "attempts"],
    queryFn: ({ signal }) => requestAll<"attempts", Attempt>(`/documents/${id}/attempts`, "attempts", signal),
    refetchInterval: ({ state }) => (state.data?.some((attempt) => attempt.outcome === "running") ? unlessLive(2_000) : false),
  });

/** The document's own metadata, and the parts that were not read. */
export const detailsQuery = (id: string) =>
  queryOptions({
    queryKey: ["documents", id, "details"],
    queryFn: ({ signal }) => request<Schemas["DocumentInfo"]>(`/documents/${id}/details`, { signal }),
  });

const MAX_CHILDREN = 100;

/** Documents attached to or embedded in this one. */
export const childrenQuery = (id: string) =>
  queryOptions({
    queryKey: ["documents", id, "children"],
    queryFn: ({ signal }) => request<DocumentPage>("/documents", { query: { parent_id: id, limit: MAX_CHILDREN }, signal }),
  });
