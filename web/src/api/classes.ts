/** Document classes: the built-in ones and the tenant's own. */

import { queryOptions } from "@tanstack/react-query";
import { requestAll, type Schemas } from "./http";

export type DocumentClass = Schemas["ClassRead"];

export const classesQuery = queryOptions({
  queryKey: ["classes"],
  queryFn: ({ signal }) => requestAll<"classes", DocumentClass>("/classes", "classes", signal),
  staleTime: 60_000,
});
