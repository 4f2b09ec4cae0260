/** A batch with its live progress. What depends on it is fetched again when it changes. */

import { type Query, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { BATCHES, batchQuery, MAX_REFRESHED_PAGES } from "@/api/batches";
import { onStored } from "@/upload/uploads";
import { groupsDependOn, resultsDependOn } from "./freshness";

export function useBatch(id: string) {
  const queries = useQueryClient();
  const batch = useQuery(batchQuery(id));
  useRefetched(id, "results", batch.data && resultsDependOn(batch.data));
  useRefetched(id, "groups", batch.data && groupsDependOn(batch.data));
  useEffect(() => onStored(() => void queries.invalidateQueries({ queryKey: batchQuery(id).queryKey, exact: true })), [id, queries]);
  return batch;
}

/** Fetches results or groups again whenever what they depend on is different. */
function useRefetched(id: string, what: "results" | "groups", dependsOn: string | undefined): void {
  const queries = useQueryClient();
  const before = useRef(dependsOn);
  useEffect(() => {
    const first = before.current === undefined;
    const same = before.current === dependsOn;
    before.current = dependsOn;
    if (!first && !same) void queries.invalidateQueries({ queryKey: [...BATCHES, id, what], predicate: (query) => !isLong(query) });
  }, [dependsOn, id, what, queries]);
}

function isLong({ state }: Query): boolean {
  const data = state.data as { pages?: unknown[] } | undefined;
  return (data?.pages?.length ?? 0) > MAX_REFRESHED_PAGES;
}
