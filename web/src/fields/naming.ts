/** Display names of fields: the schema's titles, or the property names. */

import { nameInWords, parsePath } from "./path";
import { type Part, partAt, stepsTo } from "./schemaParts";

export interface Named {
  /** “Line items 2” and “Price”: from the outermost part inward. */
  words: readonly string[];
  /** The schema's description, or empty. */
  description: string;
}

export type Naming = (path: string) => Named;

/** Rows of a list have the same names, so each field is looked up once. */
export function namingOf(schema: unknown): Naming {
  const known = new Map<string, Named>();
  return (path) => {
    const pattern = path.replace(/\[\d+\]/g, "[0]");
    let found = known.get(pattern);
    if (found === undefined) {
      found = { words: stepsTo(schema, path).map(({ name, part }) => said(part, "title") || nameInWords(name)), description: said(partAt(schema, path), "description") };
      known.set(pattern, found);
    }
    const { words, description } = found;
    return {
      words: parsePath(path).map(({ indices }, at) => [words[at] ?? "", ...indices.map((index) => String(index + 1))].filter(Boolean).join(" ")),
      description,
    };
  };
}

export const byPath = namingOf(undefined);

/** “Line items 1 › Unit price”. */
export function inWords({ words }: Named): string {
  return words.join(" › ");
}

function said(part: Part, what: "title" | "description"): string {
  const text = part[what];
  return typeof text === "string" ? text.trim() : "";
}
