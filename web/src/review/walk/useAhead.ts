import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { documentQuery } from "@/api/documents";
import { documentFieldsQuery, extractionQuery } from "@/api/extractions";
import { imageAddress, pageQuery } from "@/api/pages";
import type { Group } from "./queue";

/** Prefetches the next document and its first page. */
export function useAhead(next: Group | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (next === null) return;
    const { documentId, extractionId } = next;
    void queries.prefetchQuery(documentQuery(documentId));
    void queries.prefetchQuery(extractionQuery(extractionId));
    void queries.fetchQuery(documentFieldsQuery(documentId, extractionId)).then(
      ({ fields }) => {
        const first = fields.find((field) => field.needs_review);
        const page = first?.evidence.find((each) => each.document_id === documentId)?.page ?? 1;
        void queries.prefetchQuery(pageQuery(documentId, page));
        fetchImage(documentId, page);
      },
      () => undefined,
    );
  }, [next, queries]);
}

/** In the current width of the page view, because only that one will be requested. */
export function fetchImage(documentId: string, page: number): void {
  const shown = document.querySelector<HTMLImageElement>("[data-review-pages] img[alt^='Page']");
  const width = Number(new URL(shown?.src ?? "", window.location.href).searchParams.get("width"));
  if (width > 0) new Image().src = imageAddress(documentId, page, width);
}
