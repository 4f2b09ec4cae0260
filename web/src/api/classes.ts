/** Kinds of documents: the built-in ones and the tenant's own. */

import { queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";

export type DocumentClass = Schemas["ClassRead"];

export const classesQuery = queryOptions({
  queryKey: ["classes"],
  queryFn: ({ signal }) => request<DocumentClass[]>("/classes", { signal }),
  staleTime: 60_000,
});
