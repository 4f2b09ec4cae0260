import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import type { BatchSettings, GroupBy } from "@/api/batches";
import { schemasQuery } from "@/api/schemas";
import { Select, TextInput } from "@/components/Inputs";
import { schemaInWords } from "@/document/extractionWords";
import { GROUPINGS } from "@/batches/words";

type Settings = Omit<BatchSettings, "name">;

interface Props {
  value: Settings;
  change: (changes: Partial<Settings>) => void;
}

/** What to extract, how documents are grouped, and whether files are split. */
export function SettingsForm({ value, change }: Props) {
  return (
    <>
      <SchemaChoice value={value.schema} choose={(schema) => change({ schema })} />
      <GroupingChoice value={value.group_by} choose={(group_by) => change({ group_by })} />
      <SplitChoice value={value.split} choose={(split) => change({ split })} />
    </>
  );
}

function Labeled({ label, hint, children }: { label: string; hint?: string | undefined; children: (ids: { id: string; "aria-describedby": string | undefined }) => ReactNode }) {
  const id = useId();
  const hintId = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": hint === undefined ? undefined : hintId })}
      {hint === undefined ? null : (
        <p id={hintId} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A schema that the API made from the fields of a batch. */
const OF_A_BATCH = /^batch-[0-9a-f]{12}@/;

function SchemaChoice({ value, choose }: { value: string | null; choose: (schema: string | null) => void }) {
  const { data: schemas } = useQuery(schemasQuery);
  const listed = value === null || value === "auto" || schemas?.some(({ name }) => name === value);
  return (
    <Labeled label="Fields to extract">
      {(ids) => (
        <Select {...ids} value={value ?? ""} onChange={(event) => choose(event.target.value || null)}>
          <option value="">Project default</option>
          <option value="auto">By document class</option>
          {schemas?.map((schema) => (
            <option key={schema.name} value={schema.name}>
              {schema.title ?? schema.name}
            </option>
          ))}
          {listed || value === null ? null : <option value={value}>{OF_A_BATCH.test(value) ? "Custom fields" : schemaInWords(value)}</option>}
        </Select>
      )}
    </Labeled>
  );
}

const EXAMPLE = "^(?P<group>[A-Z]+-[0-9]+)";

function GroupingChoice({ value, choose }: { value: GroupBy; choose: (by: GroupBy) => void }) {
  const hint = GROUPINGS.find(({ mode }) => mode === value.mode)?.hint;
  const listed = value.mode === "explicit";
  return (
    <>
      <Labeled label="Grouping" hint={hint}>
        {(ids) => (
          <Select {...ids} value={value.mode} onChange={(event) => choose(groupBy(event.target.value as GroupBy["mode"]))}>
            {GROUPINGS.map(({ mode, label }) => (
              <option key={mode} value={mode}>
                {label}
              </option>
            ))}
            {listed ? <option value="explicit">Groups listed one by one</option> : null}
          </Select>
        )}
      </Labeled>
      {value.mode === "pattern" ? <PatternInput key={value.pattern} value={value.pattern ?? ""} set={(pattern) => choose({ mode: "pattern", pattern })} /> : null}
    </>
  );
}

function groupBy(mode: GroupBy["mode"]): GroupBy {
  return mode === "pattern" ? { mode, pattern: EXAMPLE } : { mode };
}

/** Takes effect when it is left or with Enter, because a pattern is invalid while it is typed. */
function PatternInput({ value, set }: { value: string; set: (pattern: string) => void }) {
  const [typed, setTyped] = useState(value);
  const commit = () => {
    if (typed.trim() !== "" && typed !== value) set(typed);
  };
  return (
    <Labeled label="Pattern" hint="A regular expression. The part named group decides: INV-7 page 1.pdf and INV-7 page 2.pdf belong together.">
      {(ids) => (
        <TextInput
          {...ids}
          required
          maxLength={1000}
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
          }}
        />
      )}
    </Labeled>
  );
}

function SplitChoice({ value, choose }: { value: Settings["split"]; choose: (split: Settings["split"]) => void }) {
  const id = useId();
  const hintId = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4 accent-accent"
        aria-describedby={hintId}
        checked={value === "auto"}
        onChange={(event) => choose(event.target.checked ? "auto" : null)}
      />
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          Split files that hold several documents
        </label>
        <p id={hintId} className="text-xs text-muted">
          For scans of many documents in one file. Applies to files that are added afterwards.
        </p>
      </div>
    </div>
  );
}
