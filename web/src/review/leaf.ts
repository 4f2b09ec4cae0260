/** What a schema says of one leaf: how it is called, and which values it may have. */

import { nameInWords, parsePath } from "@/fields/path";

export type Scalar = string | number | boolean | null;
export type Kind = "string" | "number" | "integer" | "boolean";

export interface Leaf {
  kind: Kind;
  isDate: boolean;
  /** The values that are allowed, where the schema lists them; null aside. */
  choices: readonly Exclude<Scalar, null>[] | null;
  description: string;
  /** “Line items 2” and “Price”: from the outermost part inward. */
  words: readonly string[];
}

type Part = Readonly<Record<string, unknown>>;

export function leafOf(schema: unknown, path: string): Leaf {
  const root = asPart(schema);
  let part = resolved(root, root);
  const words: string[] = [];
  for (const { name, indices } of parsePath(path)) {
    if (name !== "") part = resolved(asPart(asPart(part["properties"])[name]), root);
    const said = typeof part["title"] === "string" && part["title"] !== "" ? part["title"] : nameInWords(name);
    for (let depth = 0; depth < indices.length; depth += 1) part = resolved(asPart(part["items"]), root);
    words.push([said, ...indices.map((index) => index + 1)].filter((word) => word !== "").join(" "));
  }
  const kind = kindOf(part);
  return {
    kind,
    isDate: kind === "string" && part["format"] === "date",
    choices: choicesOf(part),
    description: typeof part["description"] === "string" ? part["description"] : "",
    words,
  };
}

const MOST_REFERENCES = 50;

function resolved(part: Part, root: Part): Part {
  let current = part;
  for (let turn = 0; turn < MOST_REFERENCES; turn += 1) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = current;
    const options = anyOf ?? oneOf;
    if (typeof $ref === "string") current = { ...referred($ref, root), ...without(current, "$ref") };
    else if (Array.isArray(options)) current = { ...asPart(options.find((each) => !isNull(asPart(each)))), ...rest, ...(allOf === undefined ? {} : { allOf }) };
    else if (Array.isArray(allOf)) current = { ...asPart(allOf[0]), ...rest };
    else return current;
  }
  return current;
}

function referred(ref: string, root: Part): Part {
  let target: unknown = root;
  for (const step of ref.replace(/^#\/?/, "").split("/")) {
    target = asPart(target)[decoded(step).replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return asPart(target);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function without(part: Part, name: string): Part {
  return Object.fromEntries(Object.entries(part).filter(([each]) => each !== name));
}

function isNull(part: Part): boolean {
  return part["type"] === "null" || ("const" in part && part["const"] === null);
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

function asPart(value: unknown): Part {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Part) : {};
}
