/** Updates cached lists, so that they need not be refetched completely. */

import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { DOCUMENT_LISTS, type DocumentFilter, type DocumentPage, documentQuery, type DocumentRead } from "@/api/documents";

export type DocumentPages = InfiniteData<DocumentPage>;

export function rowsOf(pages: DocumentPages | undefined): DocumentRead[] {
  const seen = new Set<string>();
  const rows: DocumentRead[] = [];
  for (const page of pages?.pages ?? []) {
    for (const row of page.documents) {
      if (seen.has(row.id)) continue;
      seen.add(row.id);
      rows.push(row);
    }
  }
  return rows;
}

export function withRow(pages: DocumentPages, row: DocumentRead): DocumentPages {
  return changed(pages, (each) => (each.id === row.id ? row : each));
}

export function withEach(pages: DocumentPages, ids: ReadonlySet<string>, change: (row: DocumentRead) => DocumentRead): DocumentPages {
  return changed(pages, (each) => (ids.has(each.id) ? change(each) : each));
}

export function without(pages: DocumentPages, ids: ReadonlySet<string>): DocumentPages {
  const gone = rowsOf(pages).filter((row) => ids.has(row.id)).length;
  if (gone === 0) return pages;
  const kept = pages.pages.map((page) => ({
    ...page,
    total: Math.max(0, page.total - gone),
    documents: page.documents.filter((row) => !ids.has(row.id)),
  }));
  return { ...pages, pages: kept };
}

/** New rows are added at the top in any sort order, where the uploader looks for them. */
export function withNew(pages: DocumentPages, rows: readonly DocumentRead[]): DocumentPages {
  const known = new Set(rowsOf(pages).map((row) => row.id));
  const fresh = rows.filter((row) => !known.has(row.id));
  if (fresh.length === 0) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page, place) => ({
      ...page,
      total: page.total + fresh.length,
      documents: place === 0 ? [...fresh, ...page.documents] : page.documents,
    })),
  };
}

/** Merges a refetched first page: the rows below it are kept if they still adjoin. */
export function withTop(pages: DocumentPages, top: DocumentPage, newestFirst: boolean): DocumentPages {
  const rows = rowsOf(pages);
  const known = new Set(rows.map((row) => row.id));
  const fresh = top.documents.filter((row) => !known.has(row.id));
  const joins = newestFirst ? fresh.length < top.documents.length : fresh.length === 0;
  if (!joins) return { pages: [top], pageParams: [null] };
  const current = new Map(top.documents.map((row) => [row.id, row]));
  // Ids grow with time. Rows newer than the page were uploaded while it was fetched; older missing rows were deleted.
  const newest = top.documents[0]?.id ?? "";
  const oldest = top.next_cursor === null ? "" : (top.documents.at(-1)?.id ?? "");
  const gone = rows.filter(({ id }) => newestFirst && id < newest && id > oldest && !current.has(id));
  const sentMeanwhile = rows.filter(({ id }) => newestFirst && id > newest).length;
  const kept = without(pages, new Set(gone.map((row) => row.id)));
  const merged = changed(withNew(kept, fresh), (row) => current.get(row.id) ?? row);
  return { ...merged, pages: merged.pages.map((page) => ({ ...page, total: top.total + sentMeanwhile })) };
}

function changed(pages: DocumentPages, change: (row: DocumentRead) => DocumentRead): DocumentPages {
  let any = false;
  const next = pages.pages.map((page) => {
    const documents = page.documents.map(change);
    if (documents.every((row, place) => row === page.documents[place])) return page;
    any = true;
    return { ...page, documents };
  });
  return any ? { ...pages, pages: next } : pages;
}

/** Whether a document that was just uploaded belongs to a list. */
export function belongs(row: DocumentRead, filter: DocumentFilter): boolean {
  if (filter.needs_review || filter.class) return false;
  if (filter.status && filter.status !== row.status) return false;
  if (filter.project && filter.project !== row.project) return false;
  return !filter.name || row.filename.toLowerCase().includes(filter.name.toLowerCase());
}

export function changeLists(queries: QueryClient, change: (pages: DocumentPages) => DocumentPages): void {
  queries.setQueriesData<DocumentPages>({ queryKey: DOCUMENT_LISTS }, (pages) => pages && change(pages));
}

export function showNew(queries: QueryClient, rows: readonly DocumentRead[]): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: DOCUMENT_LISTS })) {
    const filter = query.queryKey[2] as DocumentFilter;
    const fitting = rows.filter((row) => belongs(row, filter));
    queries.setQueryData<DocumentPages>(query.queryKey, (pages) => pages && withNew(pages, fitting));
  }
}

/** Marks rows as queued again: they start to refresh themselves, and earlier results are cleared. */
export function showQueued(queries: QueryClient, ids: ReadonlySet<string>): void {
  for (const id of ids) queries.removeQueries({ queryKey: ["documents", id, "status"] });
  changeLists(queries, (pages) => withEach(pages, ids, (row) => ({ ...row, status: "pending", error: null, progress: null })));
}

/** Fetches one row in full, once, after it has settled. */
export async function rereadRow(queries: QueryClient, id: string): Promise<void> {
  const row = await queries.fetchQuery({ ...documentQuery(id), staleTime: 0 });
  changeLists(queries, (pages) => withRow(pages, row));
}
