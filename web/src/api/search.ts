import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";

export type SearchAnswer = Schemas["SearchAnswer"];
export type SearchHit = Schemas["SearchHit"];
export type SnippetPart = Schemas["SnippetPart"];

export interface Wanted {
  q: string;
  class: string | undefined;
  project: string | null;
  limit: number;
}

/** Results stay on screen until those of the new query arrive. Outdated requests are aborted. */
export const searchQuery = (wanted: Wanted) =>
  queryOptions({
    queryKey: ["search", wanted],
    queryFn: ({ signal }) => request<SearchAnswer>("/search", { query: { ...wanted }, signal }),
    enabled: wanted.q !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
