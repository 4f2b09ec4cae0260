/** A document with its live state, polled while it changes. Dependent queries are refetched when it has settled. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { documentQuery, documentStatusQuery, settled } from "@/api/documents";
import { isLive } from "@/api/live";
import { pagesKey, textQuery } from "@/api/pages";

export function useDocument(id: string) {
  const queries = useQueryClient();
  const document = useQuery(documentQuery(id));
  const { data: polled } = useQuery(documentStatusQuery(id));
  const state = polled?.state;
  const happened = state ? `${state.status} ${state.page_count} ${state.extraction?.id} ${state.extraction?.status}` : null;
  const over = state !== undefined && settled(state);
  const before = useRef<string | null>(null);
  useEffect(() => {
    const first = before.current === null;
    before.current = happened;
    if (first || happened === null) return;
    void queries.invalidateQueries({ queryKey: ["documents", id], predicate: ({ queryKey }) => queryKey[2] !== "status" });
    if (over) void queries.invalidateQueries({ queryKey: pagesKey(id) });
  }, [happened, over, id, queries]);
  const page = state?.progress?.page;
  useEffect(() => {
    // events say so too
    if (page && !isLive()) void queries.invalidateQueries({ queryKey: ["documents", id], exact: true });
  }, [page, id, queries]);
  const early = document.data?.pages_shown ?? null;
  const earlyBefore = useRef(early);
  useEffect(() => {
    if (early === earlyBefore.current) return;
    earlyBefore.current = early;
    // Early pages do not change, but their text grows. The complete ones may come from another attempt.
    void queries.invalidateQueries({ queryKey: early === null ? pagesKey(id) : textQuery(id).queryKey });
  }, [early, id, queries]);
  return { document, state };
}
