import { queryOptions } from "@tanstack/react-query";
import { requestAll, type Schemas } from "./http";

export type Project = Schemas["ProjectRead"];

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: ({ signal }) => requestAll<"projects", Project>("/projects", "projects", signal),
  staleTime: 60_000,
});
