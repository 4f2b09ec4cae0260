import { queryOptions } from "@tanstack/react-query";
import { request, requestAll, type Schemas } from "./http";

export type Sample = Schemas["SampleRead"];

export const samplesQuery = queryOptions({
  queryKey: ["samples"],
  queryFn: ({ signal }) => requestAll<"samples", Sample>("/samples", "samples", signal),
  staleTime: Infinity,
});

/** Adds all samples if no names are given. */
export function addSamples(names: readonly string[] | null, project: string | null): Promise<Schemas["SamplesAdded"]> {
  return request("/samples", { method: "POST", body: { names, project } });
}
