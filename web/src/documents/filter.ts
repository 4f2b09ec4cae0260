import { type DocumentFilter, type Sort, SORTS } from "@/api/documents";

/** Search parameters of the page. */
export interface ListSearch {
  q?: string | undefined;
  status?: string | undefined;
  class?: string | undefined;
  sort?: string | undefined;
}

export const NEEDS_REVIEW = "needs_review";

export const STATUS_CHOICES: readonly (readonly [value: string, label: string])[] = [
  ["pending", "Waiting"],
  ["processing", "Reading"],
  ["ready", "Ready"],
  ["unpacking", "Unpacking"],
  ["unpacked", "Unpacked"],
  [NEEDS_REVIEW, "Needs review"],
  ["failed", "Failed"],
  ["cancelled", "Cancelled"],
];

export const NEWEST_FIRST: Sort = "-created_at";

/** URLs can be edited, so invalid values are ignored. */
export function filterOf(search: ListSearch, project: string | null): DocumentFilter {
  const status = STATUS_CHOICES.some(([value]) => value === search.status) ? search.status : undefined;
  return {
    name: search.q,
    status: status === NEEDS_REVIEW ? undefined : status,
    needs_review: status === NEEDS_REVIEW ? true : undefined,
    class: search.class,
    project: project ?? undefined,
    sort: SORTS.find((sort) => sort === search.sort) ?? NEWEST_FIRST,
  };
}

export function narrows(search: ListSearch): boolean {
  return Boolean(search.q || search.status || search.class);
}

/** The sort order after a click on a column head: the usual one first, then the reverse. */
export function nextSort(current: Sort, column: "filename" | "created_at" | "size" | "confidence"): Sort {
  const down: Sort = `-${column}`;
  const usual = column === "filename" || column === "confidence" ? column : down;
  if (current !== column && current !== down) return usual;
  return current === down ? column : down;
}
