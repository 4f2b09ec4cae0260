import { useEffect, useEffectEvent, useMemo } from "react";
import type { Field } from "@/api/extractions";
import { FieldRow } from "./FieldRow";
import { FieldTable } from "./FieldTable";
import { type Group, groupFields, type PlainGroup } from "./groups";
import type { Naming } from "./naming";
import { fieldElementId, type Pointing, useFieldKeys, useHover } from "./pointing";
import { isQuiet } from "./state";

interface Props {
  fields: readonly Field[];
  /** The document that is shown. Fields that were found in another one say so. */
  here?: string;
  naming: Naming;
  active: string | null;
  /** The pointer rests on it, or it received the focus. */
  point: (path: string) => void;
  /** It was clicked or selected by keyboard. */
  choose: (path: string) => void;
}

/** The fields of a document in groups, with lists as tables. Fields that were not found are collapsed at the end of their group. */
export function FieldList({ fields, here, naming, active, point, choose }: Props) {
  const groups = useMemo(() => groupFields(fields, naming), [fields, naming]);
  const order = useMemo(() => groups.flatMap(pathsOf), [groups]);
  useFieldKeys(order, active, choose);
  const hover = useHover(point);
  const showFirst = useEffectEvent(() => {
    if (active !== null) document.getElementById(fieldElementId(active))?.scrollIntoView({ block: "center" });
  });
  useEffect(() => showFirst(), []);
  const pointing: Pointing = { active, stop: active !== null && fields.some(({ path }) => path === active) ? active : (order[0] ?? null), choose };
  return (
    <div
      className="flex flex-col gap-4"
      onPointerOver={hover.onPointerOver}
      onPointerLeave={hover.onPointerLeave}
      onFocusCapture={(event) => {
        const path = event.target.getAttribute("data-path");
        if (path !== null) point(path);
      }}
    >
      {groups.map((group) => (
        <section key={group.key} aria-label={group.title ?? undefined} className="overflow-hidden rounded-xl border border-line bg-surface">
          {group.title !== null ? <h2 className="border-b border-line bg-sunken px-3 py-2 text-sm font-semibold">{group.title}</h2> : null}
          {group.kind === "table" ? <FieldTable table={group} pointing={pointing} /> : <PlainFields group={group} here={here} pointing={pointing} />}
        </section>
      ))}
    </div>
  );
}

function PlainFields({ group, here, pointing }: { group: PlainGroup<Field>; here: string | undefined; pointing: Pointing }) {
  const shown = group.fields.filter(({ field }) => !isQuiet(field));
  const quiet = group.fields.filter(({ field }) => isQuiet(field));
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map(({ label, hint, field }) => (
          <li key={field.path}>
            <FieldRow
              label={label}
              hint={hint}
              field={field}
              elsewhere={here !== undefined && field.document_id !== here}
              active={pointing.active === field.path}
              stop={pointing.stop === field.path}
              choose={pointing.choose}
            />
          </li>
        ))}
      </ul>
      {quiet.length > 0 ? (
        <p className="border-t border-line px-3 py-2 text-xs text-muted first:border-0">
          Not found: {quiet.map(({ label }) => label).join(", ")}
        </p>
      ) : null}
    </>
  );
}

function pathsOf(group: Group<Field>): string[] {
  if (group.kind === "plain") return group.fields.filter(({ field }) => !isQuiet(field)).map(({ field }) => field.path);
  return group.rows.flatMap((row) => [...row.cells.values()].filter((field) => !isQuiet(field)).map((field) => field.path));
}
