/** A field according to the schema: its name and allowed values. */

import { type Named, namingOf } from "./naming";
import { type Part, partAt } from "./schemaParts";

export type Scalar = string | number | boolean | null;
export type Kind = "string" | "number" | "integer" | "boolean";

export interface Leaf extends Named {
  kind: Kind;
  isDate: boolean;
  /** The allowed values without null, if the schema lists them. */
  choices: readonly Exclude<Scalar, null>[] | null;
}

export function leafOf(schema: unknown, path: string): Leaf {
  const part = partAt(schema, path);
  const kind = kindOf(part);
  return { kind, isDate: kind === "string" && part["format"] === "date", choices: choicesOf(part), ...namingOf(schema)(path) };
}

function kindOf(part: Part): Kind {
  const said = part["type"];
  const type = Array.isArray(said) ? said.find((each) => each !== "null") : said;
  return type === "number" || type === "integer" || type === "boolean" ? type : "string";
}

function choicesOf(part: Part): Leaf["choices"] {
  const listed = Array.isArray(part["enum"]) ? part["enum"] : "const" in part ? [part["const"]] : null;
  if (listed === null) return kindOf(part) === "boolean" ? [true, false] : null;
  return listed.filter((each): each is string | number | boolean => ["string", "number", "boolean"].includes(typeof each));
}
