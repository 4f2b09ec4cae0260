/** The columns of the results: one per field of the values, with a single column for each list. */

import type { Result } from "@/api/batches";

export interface Column {
  path: string;
  /** A list has its number of items in its cells. */
  list: boolean;
  numeric: boolean;
  /** No result has a value, or a field to review, in it. */
  empty: boolean;
}

/** In the order of the values. Results can have different schemas if those are chosen by class. */
export function columnsOf(results: readonly Result[]): Column[] {
  const columns = new Map<string, Column>();
  for (const result of results) {
    if (result.value === null) continue;
    const doubtful = new Set(result.fields?.filter((field) => field.needs_review).map(({ path }) => path));
    for (const [path, value] of leavesOf(result.value)) {
      const known = columns.get(path) ?? { path, list: false, numeric: true, empty: true };
      const absent = isAbsent(value);
      columns.set(path, {
        path,
        list: known.list || Array.isArray(value),
        numeric: known.numeric && (absent || typeof value === "number"),
        empty: known.empty && absent && !doubtful.has(path),
      });
    }
  }
  return [...columns.values()];
}

function* leavesOf(value: unknown, prefix = ""): Generator<[string, unknown]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    if (prefix !== "") yield [prefix, value];
    return;
  }
  for (const [name, inner] of Object.entries(value)) yield* leavesOf(inner, prefix === "" ? name : `${prefix}.${name}`);
}

export function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

export function valueAt(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** A list of texts as it is, any other list by its size. */
export function listInWords(items: readonly unknown[]): string {
  if (items.every((item) => typeof item !== "object" || item === null)) return items.join(", ");
  return items.length === 1 ? "1 item" : `${items.length} items`;
}
