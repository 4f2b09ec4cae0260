/** Schemas: the sets of fields that can be looked for. */

import { queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";

export type SchemaFacts = Schemas["SchemaFacts"];
export type Schema = Schemas["SchemaRead"];

export const schemasQuery = queryOptions({
  queryKey: ["schemas"],
  queryFn: ({ signal }) => request<SchemaFacts[]>("/schemas", { signal }),
  staleTime: 60_000,
});

/** One version, such as `invoice@3`; it never changes. */
export const schemaQuery = (ref: string) =>
  queryOptions({
    queryKey: ["schemas", ref],
    queryFn: ({ signal }) => {
      const [name = "", version] = ref.split("@");
      const versioned = version === undefined ? "" : `/versions/${encodeURIComponent(version)}`;
      return request<Schema>(`/schemas/${encodeURIComponent(name)}${versioned}`, { signal });
    },
    staleTime: Infinity,
  });
