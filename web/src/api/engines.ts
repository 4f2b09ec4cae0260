/** Extraction engines. */

import { queryOptions } from "@tanstack/react-query";
import { requestAll, type Schemas } from "./http";

export type Engine = Schemas["EngineRead"];

export const enginesQuery = queryOptions({
  queryKey: ["engines"],
  queryFn: ({ signal }) => requestAll<"engines", Engine>("/engines", "engines", signal),
  staleTime: 60_000,
});
