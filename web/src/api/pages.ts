/** Pages: words with boxes, images, and the full text. */

import { queryOptions } from "@tanstack/react-query";
import { address, request, type Schemas } from "./http";

export type Page = Schemas["Page"];
export type DocumentText = Schemas["DocumentText"];

/** A page does not change until its document is reprocessed, which invalidates `pagesKey`. */
export const pagesKey = (documentId: string) => ["pages", documentId] as const;

export const pageQuery = (documentId: string, number: number) =>
  queryOptions({
    queryKey: [...pagesKey(documentId), number],
    queryFn: ({ signal }) => request<Page>(`/documents/${documentId}/pages/${number}`, { signal }),
    staleTime: Infinity,
  });

export const textQuery = (documentId: string) =>
  queryOptions({
    queryKey: [...pagesKey(documentId), "text"],
    queryFn: ({ signal }) => request<DocumentText>(`/documents/${documentId}/text`, { signal }),
    staleTime: Infinity,
  });

/** The widths that the service renders. It rounds others up to these, which would only miss the browser's cache. */
const WIDTHS = [160, 320, 640, 960, 1280, 1920, 2560] as const;

export function imageWidth(pixels: number): number {
  return WIDTHS.find((width) => width >= pixels) ?? WIDTHS[WIDTHS.length - 1] ?? pixels;
}

export function imageAddress(documentId: string, number: number, width: number): string {
  return address(`/documents/${documentId}/pages/${number}/image`, { width });
}
