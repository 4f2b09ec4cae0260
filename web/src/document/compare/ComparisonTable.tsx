import type { ComparedField } from "@/api/extractions";
import { Badge, type Tone } from "@/components/Badge";
import { classes } from "@/components/classes";
import { Confidence } from "@/components/Confidence";
import { inWords, type Naming } from "@/fields/naming";
import { valueInWords } from "@/fields/state";
import { type Changed, changedParts } from "./difference";

const OUTCOMES: Record<ComparedField["outcome"], { tone: Tone; label: string }> = {
  same: { tone: "neutral", label: "Equal" },
  differs: { tone: "warn", label: "Different" },
  only_here: { tone: "info", label: "Only left" },
  only_there: { tone: "info", label: "Only right" },
};

export function ComparisonTable({ fields, naming, point }: { fields: readonly ComparedField[]; naming: Naming; point: (path: string) => void }) {
  return (
    <div className="overflow-x-auto rounded-xl border border-line bg-surface">
      <table className="w-full table-fixed border-collapse text-sm">
        <thead>
          <tr className="border-b border-line bg-sunken text-left text-xs text-muted">
            <th scope="col" className="w-1/4 px-3 py-2 font-medium">
              Field
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              This result
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              Other result
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <Row key={field.path} field={field} label={inWords(naming(field.path))} point={point} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ field, label, point }: { field: ComparedField; label: string; point: (path: string) => void }) {
  const outcome = OUTCOMES[field.outcome];
  const here = valueInWords(field.here);
  const there = valueInWords(field.there);
  const [left, right] = field.outcome === "differs" ? changedParts(here, there) : [[{ text: here, changed: false }], [{ text: there, changed: false }]];
  return (
    <tr className="border-b border-line align-top last:border-0">
      <th scope="row" className="flex flex-col items-start gap-1 px-3 py-2 text-left font-normal">
        <button type="button" onClick={() => point(field.path)} className="min-h-6 text-left text-xs break-words text-muted hover:text-accent hover:underline">
          {label}
        </button>
        <Badge tone={outcome.tone}>{outcome.label}</Badge>
      </th>
      <Side parts={left} confidence={field.here === null ? null : field.confidence_here} />
      <Side parts={right} confidence={field.there === null ? null : field.confidence_there} />
    </tr>
  );
}

function Side({ parts, confidence }: { parts: readonly Changed[]; confidence: number | null }) {
  return (
    <td className="px-3 py-2 break-words whitespace-pre-wrap">
      {parts.map(({ text, changed }, index) => (
        <span key={index} className={classes(changed && "rounded-sm bg-warn-soft font-medium")}>
          {text}
        </span>
      ))}
      {confidence === null ? null : (
        <span className="block">
          <Confidence value={confidence} compact />
        </span>
      )}
    </td>
  );
}
