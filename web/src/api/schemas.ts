/** Schemas: the sets of fields that can be extracted. */

import { queryOptions, skipToken } from "@tanstack/react-query";
import type { ExtractionSummary } from "./extractions";
import { request, requestAll, type Schemas } from "./http";

export type SchemaFacts = Schemas["SchemaFacts"];
export type SchemaDefinition = Schemas["SchemaRead"]["schema"];

export const schemasQuery = queryOptions({
  queryKey: ["schemas"],
  queryFn: ({ signal }) => requestAll<"schemas", SchemaFacts>("/schemas", "schemas", signal),
  staleTime: 60_000,
});

/** The schema of an extraction: a version of a named schema, or one sent with the request. Neither changes. */
export const definitionQuery = (extraction: Pick<ExtractionSummary, "id" | "schema"> | undefined) =>
  queryOptions({
    queryKey: ["definitions", extraction?.schema ?? extraction?.id ?? null],
    queryFn: extraction === undefined ? skipToken : ({ signal }) => definitionOf(extraction, signal),
    staleTime: Infinity,
  });

async function definitionOf({ id, schema }: Pick<ExtractionSummary, "id" | "schema">, signal: AbortSignal): Promise<SchemaDefinition> {
  if (schema === null) return (await request<Schemas["ExtractionRead"]>(`/extractions/${id}`, { signal })).schema_definition;
  const [name = "", version = "0"] = schema.split("@");
  return (await request<Schemas["SchemaRead"]>(`/schemas/${encodeURIComponent(name)}/versions/${version}`, { signal })).schema;
}
