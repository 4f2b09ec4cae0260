/** Extractions of documents: fetch, compare, start. */

import { queryOptions } from "@tanstack/react-query";
import { inProgress } from "./documents";
import { ApiProblem, request, type Schemas } from "./http";
import { unlessLive } from "./live";

export type Extraction = Schemas["ExtractionRead"];
export type ExtractionSummary = Schemas["ExtractionSummary"];
export type Field = Schemas["FieldRead"];
export type Doubt = Schemas["Doubt"];
export type DocumentFields = Schemas["DocumentFields"];
export type Comparison = Schemas["Comparison"];
export type ComparedField = Schemas["ComparedRead"];

const MAX_LISTED = 100;
const POLL_MS = 1_500;
const NOT_YET = ["document_not_ready", "extraction_not_completed"];

const NO_FIELDS: DocumentFields = { schema_requested: true, extraction_id: null, schema: null, fields: [] };

/** Fields of this document, by default of the newest completed extraction. Empty while there is none. */
export const documentFieldsQuery = (documentId: string, extractionId: string | null) =>
  queryOptions({
    queryKey: ["documents", documentId, "fields", extractionId],
    queryFn: ({ signal }) =>
      request<DocumentFields>(`/documents/${documentId}/fields`, { query: { extraction_id: extractionId }, signal }).catch((error: unknown) => {
        if (error instanceof ApiProblem && NOT_YET.includes(error.code)) return NO_FIELDS;
        throw error;
      }),
  });

/** All fields of an extraction over several documents. Kept with the document, so that a change there fetches them again. */
export const allFieldsQuery = (documentId: string, extractionId: string) =>
  queryOptions({
    queryKey: ["documents", documentId, "fields of all documents", extractionId],
    queryFn: ({ signal }) => request<DocumentFields>(`/extractions/${extractionId}/fields`, { signal }),
  });

export const documentExtractionsQuery = (documentId: string) =>
  queryOptions({
    queryKey: ["documents", documentId, "extractions"],
    queryFn: async ({ signal }) => {
      const answer = await request<Schemas["ExtractionPage"]>(`/documents/${documentId}/extractions`, { query: { limit: MAX_LISTED }, signal });
      return answer.extractions;
    },
    refetchInterval: ({ state }) => (state.data?.some((each) => inProgress(each.status)) ? unlessLive(POLL_MS) : false),
  });

export const extractionQuery = (id: string) =>
  queryOptions({
    queryKey: ["extractions", id],
    queryFn: ({ signal }) => request<Extraction>(`/extractions/${id}`, { signal }),
  });

export const comparisonQuery = (here: string, there: string) =>
  queryOptions({
    queryKey: ["extractions", here, "compare", there],
    queryFn: ({ signal }) => request<Comparison>(`/extractions/${here}/compare/${there}`, { signal }),
  });

export function startExtraction(documentId: string, schema: string): Promise<Extraction> {
  return request("/extractions", { method: "POST", body: { document_ids: [documentId], schema } });
}

export function cancelExtraction(id: string): Promise<Extraction> {
  return request(`/extractions/${id}/cancel`, { method: "POST" });
}
