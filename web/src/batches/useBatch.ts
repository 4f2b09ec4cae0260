/** A batch with its live progress. What depends on it is fetched again when it changes. */

import { type Query, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { BATCHES, type Batch, batchQuery, MAX_REFRESHED_PAGES } from "@/api/batches";
import { onStored } from "@/upload/uploads";

export function useBatch(id: string) {
  const queries = useQueryClient();
  const batch = useQuery(batchQuery(id));
  const happened = batch.data ? fingerprint(batch.data) : null;
  const before = useRef<string | null>(null);
  useEffect(() => {
    const first = before.current === null;
    before.current = happened;
    if (first || happened === null) return;
    void queries.invalidateQueries({ queryKey: [...BATCHES, id], predicate: (query) => query.queryKey.length > 2 && !isLong(query) });
  }, [happened, id, queries]);
  useEffect(() => onStored(() => void queries.invalidateQueries({ queryKey: [...BATCHES, id], predicate: (query) => !isLong(query) })), [id, queries]);
  return batch;
}

function fingerprint({ status, starting, progress }: Batch): string {
  return JSON.stringify([status, starting, { ...progress, estimated_seconds_left: null }]);
}

function isLong({ state }: Query): boolean {
  const data = state.data as { pages?: unknown[] } | undefined;
  return (data?.pages?.length ?? 0) > MAX_REFRESHED_PAGES;
}
