import { CircleAlert, CircleCheck, PencilLine, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import type { Field } from "@/api/extractions";
import { Age } from "@/components/Age";
import { classes } from "@/components/classes";
import { failedChecks, isUngrounded, valueInWords } from "./state";

/** Notes on a value: failed checks, missing evidence, corrections and acceptance. */
export function FieldNotes({ field, open = false }: { field: Field; open?: boolean }) {
  const checks = failedChecks(field);
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
