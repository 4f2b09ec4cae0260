/** What the list of a packet shows, in the order of pages. */

import type { Cut, Part, Splits } from "@/api/splits";

export type Row =
  | { kind: "part"; page: number; part: Part }
  | { kind: "cut"; page: number; cut: Cut }
  | { kind: "left out"; page: number; reason: string };

const ORDER = { part: 0, cut: 1, "left out": 2 };

/** A part comes at its first page, a cut after the page that it follows. */
export function rowsOf({ parts, cuts, left_out }: Pick<Splits, "parts" | "cuts" | "left_out">): Row[] {
  const rows: Row[] = [
    ...parts.map((part) => ({ kind: "part" as const, page: part.first_page, part })),
    ...cuts.map((cut) => ({ kind: "cut" as const, page: cut.after_page, cut })),
    ...left_out.map(({ page, reason }) => ({ kind: "left out" as const, page, reason })),
  ];
  return rows.sort((a, b) => a.page - b.page || ORDER[a.kind] - ORDER[b.kind]);
}

/** “6 pages hold 2 documents. 1 cut needs review.” */
export function partsInWords({ page_count, parts, cuts }: Pick<Splits, "page_count" | "parts" | "cuts">): string {
  const open = cuts.filter(({ state }) => state === "proposed").length;
  const hold = parts.length > 1 ? `${page_count} pages hold ${parts.length} documents.` : `${page_count} pages, not split.`;
  return open === 0 ? hold : `${hold} ${open === 1 ? "1 cut needs" : `${open} cuts need`} review.`;
}

export function pagesInWords({ first_page, last_page }: Pick<Part, "first_page" | "last_page">): string {
  return first_page === last_page ? `Page ${first_page}` : `Pages ${first_page}–${last_page}`;
}
