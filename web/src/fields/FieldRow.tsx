import { memo } from "react";
import type { Field } from "@/api/extractions";
import { classes } from "@/components/classes";
import { Confidence } from "@/components/Confidence";
import { shownName } from "@/components/shownName";
import { fieldElementId } from "./pointing";
import { FieldNotes } from "./FieldNotes";
import { absentInWords, fieldInWords, isAbsent, isSettled, toneOf } from "./state";

const EDGES = { sure: "border-l-good", likely: "border-l-warn", unsure: "border-l-bad" } as const;

interface Props {
  label: string;
  /** The schema's description of the field. */
  hint: string;
  field: Field;
  /** It was found in another document than the one that is shown. */
  elsewhere: boolean;
  active: boolean;
  /** Whether it is the Tab stop. */
  stop: boolean;
  choose: (path: string) => void;
}

export const FieldRow = memo(function FieldRow({ label, hint, field, elsewhere, active, stop, choose }: Props) {
  const absent = isAbsent(field);
  const about = field.why && !field.correction ? field.why : hint;
  return (
    <button
      type="button"
      id={fieldElementId(field.path)}
      data-path={field.path}
      aria-pressed={active}
      title={hint || undefined}
      tabIndex={stop ? 0 : -1}
      onClick={() => choose(field.path)}
      className={classes(
        "flex w-full flex-col gap-0.5 border-l-4 px-3 py-2 text-left transition-colors",
        absent && !field.needs_review ? "border-l-transparent" : EDGES[toneOf(field)],
        active ? "bg-accent-soft" : "hover:bg-sunken",
      )}
    >
      <span className="flex w-full items-baseline justify-between gap-3">
        <span className="min-w-0 text-xs break-words text-muted">{label}</span>
        {active && about ? <span className="min-w-0 flex-1 truncate text-xs text-muted italic">{about}</span> : null}
        {isSettled(field) || (absent && !field.needs_review) ? null : <Confidence value={field.confidence} absent={absent} />}
      </span>
      <span className={classes("w-full break-words whitespace-pre-wrap", absent ? "text-muted" : "font-medium")}>
        {absent ? absentInWords(field) : fieldInWords(field)}
      </span>
      {elsewhere && !absent ? <span className="text-xs text-muted">In {shownName(field.filename)}</span> : null}
      <FieldNotes field={field} brief={!active} />
    </button>
  );
});
