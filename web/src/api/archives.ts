import { infiniteQueryOptions } from "@tanstack/react-query";
import { request, type Schemas } from "./http";

export type Entry = Schemas["EntryRead"];

const ENTRIES_PER_PAGE = 200;

/** What became of the entries of an archive, in the order of the archive. */
export const entriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["documents", id, "entries"],
    queryFn: ({ pageParam, signal }) =>
      request<Schemas["EntryPage"]>(`/documents/${id}/entries`, { query: { cursor: pageParam, limit: ENTRIES_PER_PAGE }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
