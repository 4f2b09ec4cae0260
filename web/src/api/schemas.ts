/** Schemas: the sets of fields that can be looked for. */

import { queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";

export type SchemaFacts = Schemas["SchemaFacts"];

export const schemasQuery = queryOptions({
  queryKey: ["schemas"],
  queryFn: ({ signal }) => request<SchemaFacts[]>("/schemas", { signal }),
  staleTime: 60_000,
});
