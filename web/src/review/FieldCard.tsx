import type { ReactNode, Ref } from "react";
import type { Doubt, Field } from "@/api/extractions";
import type { Correction } from "@/api/fields";
import { Badge } from "@/components/Badge";
import { Confidence } from "@/components/Confidence";
import { FieldNotes } from "@/fields/FieldNotes";
import { fieldInWords, isAbsent, openDoubts, otherValue } from "@/fields/state";
import type { Drawn } from "@/viewer/layers/mark";
import { History } from "./History";
import type { Leaf } from "@/fields/leaf";
import type { FieldState } from "@/review/walk/queue";

interface Props {
  field: Field;
  leaf: Leaf;
  state: FieldState;
  history: readonly Correction[];
  /** Error message if saving failed. */
  failure: string | null;
  card: Ref<HTMLDivElement>;
  editor: ReactNode;
  documentId: string;
  /** Puts another value into the editor, with its place. Null if nothing can be changed. */
  take: ((other: Drawn) => void) | null;
}

/** One field: its name, value, confidence and explanation. */
export function FieldCard({ field, leaf, state, history, failure, card, editor, documentId, take }: Props) {
  const name = leaf.words.at(-1) ?? field.path;
  const within = leaf.words.slice(0, -1);
  const evidence = field.correction ? [] : field.evidence;
  const explained = openDoubts(field).some(({ code }) => code !== "low_confidence");
  const offer = (doubt: Doubt) => {
    const other = otherValue(doubt, documentId);
    return take !== null && other !== null ? <UseOther other={other} take={take} /> : null;
  };
  return (
    <div ref={card} data-review-current tabIndex={-1} role="group" aria-label={`${leaf.words.join(", ")}: ${fieldInWords(field)}`} className="flex flex-col gap-3 outline-none">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0">
          {within.length > 0 ? <p className="text-sm text-muted">{within.join(" › ")}</p> : null}
          <h2 className="text-xl font-semibold [overflow-wrap:anywhere]">{name}</h2>
        </div>
        {state === "due" ? <Confidence value={field.confidence} absent={isAbsent(field)} /> : <Standing field={field} />}
      </div>
      {leaf.description ? <p className="-mt-2 text-sm text-muted first-letter:uppercase max-sm:hidden">{leaf.description}</p> : null}
      {editor}
      {failure !== null ? (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
          Not saved yet: {failure}
        </p>
      ) : null}
      <div className="flex flex-col gap-1.5 empty:hidden">
        <FieldNotes field={field} offer={offer} />
      </div>
      {evidence[0] ? (
        <figure className="rounded-lg bg-sunken px-3 py-2 text-sm">
          <blockquote className="line-clamp-4 [overflow-wrap:anywhere]">“{evidence.map((each) => each.text).join(" … ")}”</blockquote>
          <figcaption className="mt-1 text-xs text-muted">
            On page {evidence[0].page}
            {field.why ? `, ${field.why.replace(new RegExp(` on page ${evidence[0].page}$`), "")}` : null}
          </figcaption>
        </figure>
      ) : null}
      {evidence.length === 0 && field.why && !explained && state === "due" ? <p className="text-sm text-muted first-letter:uppercase">{field.why}</p> : null}
      <History done={history} />
    </div>
  );
}

function UseOther({ other, take }: { other: Drawn; take: (other: Drawn) => void }) {
  return (
    <button type="button" className="-my-2 min-h-8 rounded-sm px-1 font-medium text-accent hover:underline" onClick={() => take(other)}>
      Use “<span className="[overflow-wrap:anywhere]">{other.text}</span>”
    </button>
  );
}

function Standing({ field }: { field: Field }) {
  if (field.correction) return <Badge tone="info">Corrected</Badge>;
  if (field.accepted) return <Badge tone="good">Accepted</Badge>;
  return <Confidence value={field.confidence} absent={isAbsent(field)} />;
}
