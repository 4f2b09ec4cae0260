/** Groups fields in schema order for display: top-level fields, nested objects, and lists as tables. */

import { byPath, inWords, type Naming } from "./naming";
import { parsePath } from "./path";

interface Leaf {
  path: string;
}

export interface PlainGroup<Field extends Leaf> {
  kind: "plain";
  key: string;
  /** Null for top-level fields. */
  title: string | null;
  /** `hint` is the schema's description. */
  fields: { label: string; hint: string; field: Field }[];
}

export interface TableGroup<Field extends Leaf> {
  kind: "table";
  key: string;
  title: string;
  columns: { key: string; label: string; hint: string }[];
  /** By column. Rows of a list of scalar values have one column with the empty key. */
  rows: { index: number; cells: ReadonlyMap<string, Field> }[];
}

export type Group<Field extends Leaf> = PlainGroup<Field> | TableGroup<Field>;

const IN_LIST = /^(.*?)\[(\d+)\]\.?(.*)$/;

export function groupFields<Field extends Leaf>(fields: readonly Field[], naming: Naming = byPath): Group<Field>[] {
  const groups: Group<Field>[] = [];
  const named = new Map<string, Group<Field>>();
  for (const field of fields) {
    const inList = IN_LIST.exec(field.path);
    if (inList) addToTable(groups, named, naming, field, inList[1] ?? "", Number(inList[2]), inList[3] ?? "");
    else addPlain(groups, named, naming, field);
  }
  for (const group of groups) if (group.kind === "table") group.rows.sort((one, other) => one.index - other.index);
  return groups;
}

function addPlain<Field extends Leaf>(groups: Group<Field>[], named: Map<string, Group<Field>>, naming: Naming, field: Field): void {
  const dot = field.path.indexOf(".");
  const part = dot < 0 ? null : field.path.slice(0, dot);
  const { words, description: hint } = naming(field.path);
  const label = (part === null ? words : words.slice(1)).join(" › ");
  const last = groups.at(-1);
  // Top-level fields keep their position between nested objects: totals come after the lines they sum up.
  const known = part === null ? (last?.kind === "plain" && last.title === null ? last : undefined) : named.get(part);
  if (known?.kind === "plain") {
    known.fields.push({ label, hint, field });
    return;
  }
  const key = part ?? `top ${field.path}`;
  const group: PlainGroup<Field> = { kind: "plain", key, title: part === null ? null : (words[0] ?? part), fields: [{ label, hint, field }] };
  groups.push(group);
  if (part !== null) named.set(part, group);
}

function addToTable<Field extends Leaf>(
  groups: Group<Field>[],
  named: Map<string, Group<Field>>,
  naming: Naming,
  field: Field,
  list: string,
  index: number,
  column: string,
): void {
  const key = `${list}[]`;
  let table = named.get(key);
  if (table?.kind !== "table") {
    table = { kind: "table", key, title: inWords(naming(list)), columns: [], rows: [] };
    groups.push(table);
    named.set(key, table);
  }
  if (!table.columns.some((each) => each.key === column)) {
    const { words, description: hint } = naming(field.path);
    table.columns.push({ key: column, label: columnLabel(column, words.slice(parsePath(list).length)) || table.title, hint });
  }
  // Fields of a row are adjacent, so the row is nearly always the last one.
  const last = table.rows.at(-1);
  const row = last?.index === index ? last : table.rows.find((each) => each.index === index);
  if (row) (row.cells as Map<string, Field>).set(column, field);
  else table.rows.push({ index, cells: new Map([[column, field]]) });
}

/** A list of lists has no column names, only positions. */
function columnLabel(column: string, words: readonly string[]): string {
  return column.startsWith("[") ? inWords(byPath(column)) : words.join(" › ");
}
