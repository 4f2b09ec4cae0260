import { queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";

export type Project = Schemas["ProjectRead"];

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: ({ signal }) => request<Project[]>("/projects", { signal }),
  staleTime: 60_000,
});
