import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { type DocumentFilter, type DocumentRead, documentsQuery, readDocuments } from "@/api/documents";
import { NEWEST_FIRST } from "./filter";
import { type DocumentPages, rowsOf, withTop } from "./listCache";
import { useHiddenDocuments } from "./pendingDeletes";

export interface DocumentList {
  rows: readonly DocumentRead[];
  /** Total number, loaded or not. */
  total: number;
  isPending: boolean;
  /** The rows still belong to the previous filter; those of the current one are loading. */
  isFormer: boolean;
  error: Error | null;
  retry: () => void;
  /** Loads the next page if the row at this index is not loaded yet. */
  need: (place: number) => void;
  /** Loads all matching documents and resolves with their ids. */
  loadAll: () => Promise<string[]>;
}

export function useDocumentList(filter: DocumentFilter): DocumentList {
  const options = useMemo(() => documentsQuery(filter), [filter]);
  const { data, error, isPending, isPlaceholderData: isFormer, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(options);
  const hidden = useHiddenDocuments();
  const loaded = useMemo(() => rowsOf(data), [data]);
  const rows = useMemo(() => (hidden.size === 0 ? loaded : loaded.filter((row) => !hidden.has(row.id))), [loaded, hidden]);
  useFreshTop(filter);

  const need = useCallback(
    (place: number) => {
      if (place >= rows.length && hasNextPage && !isFetching && error === null) void fetchNextPage();
    },
    [rows.length, hasNextPage, isFetching, error, fetchNextPage],
  );
  const loadAll = useCallback(async () => {
    for (;;) {
      const { data: pages, hasNextPage: more } = await fetchNextPage({ cancelRefetch: false, throwOnError: true });
      if (!more) return rowsOf(pages).map((row) => row.id);
    }
  }, [fetchNextPage]);
  const known = data?.pages.at(-1)?.total ?? 0;
  const total = hasNextPage ? Math.max(rows.length, known - (loaded.length - rows.length)) : rows.length;
  const retry = () => void (data === undefined ? refetch() : fetchNextPage());
  return { rows, total, isPending, isFormer, error, retry, need, loadAll };
}

/** Refreshes the list when the user returns from another page or window. */
function useFreshTop(filter: DocumentFilter): void {
  const queries = useQueryClient();
  useEffect(() => {
    const { queryKey } = documentsQuery(filter);
    const refresh = async () => {
      const state = queries.getQueryState(queryKey);
      if (document.hidden || state?.data === undefined || state.fetchStatus !== "idle") return;
      const top = await readDocuments(filter, null).catch(() => null);
      if (top === null) return;
      queries.setQueryData<DocumentPages>(queryKey, (pages) => pages && withTop(pages, top, filter.sort === NEWEST_FIRST));
    };
    void refresh();
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [filter, queries]);
}
