import { type Ref, useId } from "react";
import { classes } from "@/components/classes";
import { Select } from "@/components/Inputs";
import { KeyCap } from "@/review/keys/KeyCap";
import type { Leaf, Scalar } from "@/fields/leaf";
import { choiceWords, readTyped, understoodAs } from "./typed";

const MAX_BUTTONS = 9;

interface Props {
  name: string;
  leaf: Leaf;
  value: unknown;
  text: string;
  edited: boolean;
  readOnly: boolean;
  /** Show the error in the input. */
  strict: boolean;
  type: (text: string) => void;
  choose: (value: Scalar) => void;
  editor: Ref<HTMLTextAreaElement>;
}

/** An editor for the value's type. */
export function ValueEditor(props: Props) {
  const { leaf } = props;
  if (leaf.choices === null) return <TextEditor {...props} />;
  return leaf.choices.length <= MAX_BUTTONS ? <ChoiceButtons {...props} choices={leaf.choices} /> : <ChoiceList {...props} choices={leaf.choices} />;
}

function TextEditor({ name, leaf, text, edited, readOnly, strict, type, editor }: Props) {
  const hint = useId();
  const typed = readTyped(text, leaf);
  const meant = edited ? understoodAs(text, typed, leaf) : null;
  const wrong = edited && strict && !typed.ok ? typed.why : null;
  return (
    <div className="flex flex-col gap-1">
      <textarea
        ref={editor}
        data-review-editor
        aria-label={name}
        aria-invalid={wrong !== null}
        aria-describedby={hint}
        readOnly={readOnly}
        rows={1}
        spellCheck={false}
        autoComplete="off"
        inputMode={leaf.kind === "number" ? "decimal" : leaf.kind === "integer" ? "numeric" : "text"}
        placeholder={readOnly ? "Not found" : "Not found: type the value, or draw a box around it"}
        className={classes(
          "field-sizing-content max-h-48 min-h-11 w-full resize-none rounded-lg border bg-surface px-3 py-2 text-lg [overflow-wrap:anywhere]",
          leaf.kind === "number" || leaf.kind === "integer" ? "tabular-nums" : "",
          wrong !== null ? "border-bad" : edited ? "border-accent" : "border-line-strong",
        )}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      <p id={hint} role={wrong === null ? undefined : "alert"} className={classes("min-h-5 text-sm", wrong === null ? "text-muted" : "text-bad")}>
        {wrong ?? (meant === null ? (edited ? "Enter saves, Escape reverts." : "") : `Will be saved as ${meant}.`)}
      </p>
    </div>
  );
}

interface ChoiceProps extends Props {
  choices: readonly Exclude<Scalar, null>[];
}

function ChoiceButtons({ name, value, readOnly, choose, choices }: ChoiceProps) {
  return (
    <div role="group" aria-label={name} className="mb-2 flex flex-wrap gap-2">
      {choices.map((choice, index) => (
        <button
          key={String(choice)}
          type="button"
          disabled={readOnly}
          aria-pressed={value === choice}
          aria-keyshortcuts={String(index + 1)}
          className={classes(
            "inline-flex min-h-11 items-center gap-2 rounded-lg border px-4 text-base font-medium disabled:cursor-default",
            value === choice ? "border-accent bg-accent-soft text-accent" : "border-line-strong bg-surface hover:bg-sunken disabled:opacity-60",
          )}
          onClick={() => choose(choice)}
        >
          {choiceWords(choice)}
          {readOnly ? null : <KeyCap>{String(index + 1)}</KeyCap>}
        </button>
      ))}
    </div>
  );
}

function ChoiceList({ name, value, readOnly, choose, choices }: ChoiceProps) {
  const chosen = choices.findIndex((choice) => choice === value);
  return (
    <Select
      aria-label={name}
      disabled={readOnly}
      className="mb-2 min-h-11 w-full text-base"
      value={chosen}
      onChange={(event) => choose(choices[Number(event.target.value)] ?? null)}
    >
      <option value={-1} disabled>
        Nothing found
      </option>
      {choices.map((choice, index) => (
        <option key={String(choice)} value={index}>
          {choiceWords(choice)}
        </option>
      ))}
    </Select>
  );
}
