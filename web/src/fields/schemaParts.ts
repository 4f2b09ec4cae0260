/** The parts of a schema along a path, with references resolved. */

import { parsePath } from "./path";

export type Part = Readonly<Record<string, unknown>>;

export interface SchemaStep {
  name: string;
  /** The schema of this name; for a list, of the list itself. */
  part: Part;
}

/** The schema at each step of a path; empty if it does not define the step. */
export function stepsTo(schema: unknown, path: string): SchemaStep[] {
  return walked(schema, path).steps;
}

/** The schema at the end of a path. */
export function partAt(schema: unknown, path: string): Part {
  return walked(schema, path).end;
}

function walked(schema: unknown, path: string): { steps: SchemaStep[]; end: Part } {
  const root = asPart(schema);
  let part = resolved(root, root);
  const steps = parsePath(path).map(({ name, indices }): SchemaStep => {
    if (name !== "") part = resolved(asPart(asPart(part["properties"])[name]), root);
    const step = { name, part };
    for (let depth = 0; depth < indices.length; depth += 1) part = resolved(asPart(part["items"]), root);
    return step;
  });
  return { steps, end: part };
}

const MAX_REFERENCES = 50;

function resolved(part: Part, root: Part): Part {
  let current = part;
  for (let turn = 0; turn < MAX_REFERENCES; turn += 1) {
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

function asPart(value: unknown): Part {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Part) : {};
}
