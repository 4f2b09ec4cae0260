import { CircleAlert, CircleCheck, CircleHelp, PencilLine, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import type { Doubt, Field } from "@/api/extractions";
import { Age } from "@/components/Age";
import { classes } from "@/components/classes";
import { failedChecks, isUngrounded, openDoubts, valueInWords } from "./state";

interface Props {
  field: Field;
  open?: boolean;
  /** Only the gravest doubt that says more than the confidence, and none next to a failed check. */
  brief?: boolean;
  /** What a doubt offers, such as another value. */
  offer?: (doubt: Doubt) => ReactNode;
}

/** Notes on a value: failed checks, missing evidence, doubts, corrections and acceptance. */
export function FieldNotes({ field, open = false, brief = false, offer }: Props) {
  const checks = failedChecks(field);
  const noted = checks.length > 0 || isUngrounded(field);
  const doubts = brief ? openDoubts(field).filter(({ code }) => !noted && code !== "low_confidence").slice(0, 1) : openDoubts(field);
  const { correction, accepted } = field;
  return (
    <>
      {isUngrounded(field) ? (
        <Note tone="text-bad" icon={<SearchX aria-hidden className="size-3.5" />}>
          Not found on the page
        </Note>
      ) : null}
      {checks.map((message, index) => (
        <Note key={index} tone="text-bad" icon={<CircleAlert aria-hidden className="size-3.5" />}>
          {message}
        </Note>
      ))}
      {doubts.map((doubt, index) => (
        <Note key={index} tone="text-muted" icon={<CircleHelp aria-hidden className="size-3.5" />}>
          {doubt.message} {offer?.(doubt)}
        </Note>
      ))}
      {correction ? (
        <Note tone="text-info" icon={<PencilLine aria-hidden className="size-3.5" />}>
          <span className="sr-only">Corrected from </span>
          <s className="text-muted">{valueInWords(correction.old_value)}</s> → {valueInWords(correction.new_value)}
          <Who name={correction.made_by_name ?? correction.made_by} at={correction.made_at} />
          {correction.note ? <span className="block text-muted">{correction.note}</span> : null}
        </Note>
      ) : null}
      {accepted ? (
        <Note tone="text-good" icon={<CircleCheck aria-hidden className="size-3.5" />}>
          Accepted
          <Who name={accepted.made_by_name ?? accepted.made_by} at={accepted.made_at} />
        </Note>
      ) : null}
      {open && field.why && !correction ? <span className="block text-xs text-muted">Taken from: {field.why}</span> : null}
    </>
  );
}

function Note({ tone, icon, children }: { tone: string; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={classes("flex items-start gap-1.5 text-xs", tone)}>
      <span className="mt-0.5 shrink-0">{icon}</span>
      <span className="min-w-0 break-words">{children}</span>
    </span>
  );
}

function Who({ name, at }: { name: string; at: string }) {
  return (
    <span className="text-muted">
      {" "}
      · {name} · <Age since={at} />
    </span>
  );
}
