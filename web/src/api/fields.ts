/** Fields to review: the queue over all documents, and the review actions. */

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Extraction } from "./extractions";
import { request, type Schemas } from "./http";

export type FieldList = Schemas["FieldList"];
export type Correction = Schemas["CorrectionRead"];
export type Fix = Schemas["FixCreate"];

const ROWS_A_PAGE = 100;

/** Fields that need review, lowest confidence first. Never refetched automatically, so that the order does not change. */
export const reviewQueueQuery = (project: string | null) =>
  infiniteQueryOptions({
    queryKey: ["fields", "queue", project],
    queryFn: ({ pageParam, signal }) =>
      request<FieldList>("/fields", { query: { needs_review: true, project, limit: ROWS_A_PAGE, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: Infinity,
    gcTime: 0,
  });

/** Number of fields left to review, and of their documents. */
export const leftQuery = (project: string | null) =>
  queryOptions({
    queryKey: ["fields", "left", project],
    queryFn: async ({ signal }) => {
      const { left, documents_left } = await request<FieldList>("/fields", { query: { needs_review: true, project, limit: 1 }, signal });
      return { left, documents: documents_left };
    },
    refetchInterval: 60_000,
  });

export function correctFields(extractionId: string, fields: Fix[], keepalive = false): Promise<Extraction> {
  return request(`/extractions/${extractionId}/fields`, { method: "PATCH", body: { fields }, keepalive });
}

export function acceptFields(extractionId: string, paths: string[], keepalive = false): Promise<Extraction> {
  return request(`/extractions/${extractionId}/fields/accept`, { method: "POST", body: { paths }, keepalive });
}

export function undoFields(extractionId: string, paths: string[], keepalive = false): Promise<Extraction> {
  return request(`/extractions/${extractionId}/fields/undo`, { method: "POST", body: { paths }, keepalive });
}

export function verifyExtraction(extractionId: string, keepalive = false): Promise<Extraction> {
  return request(`/extractions/${extractionId}/verify`, { method: "POST", keepalive });
}
