import type { Correction } from "@/api/fields";
import { Age } from "@/components/Age";
import { valueInWords } from "@/fields/state";

/** All corrections and acceptances of a field, newest first. */
export function History({ done }: { done: readonly Correction[] }) {
  if (done.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="min-h-6 w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
        History ({done.length})
      </summary>
      <ol className="mt-2 flex flex-col gap-2 border-l-2 border-line pl-3">
        {done.toReversed().map((each, index) => (
          <li key={index} className="[overflow-wrap:anywhere]">
            <What done={each} />
            <span className="block text-xs text-muted">
              {each.made_by_name ?? each.made_by} · <Age since={each.made_at} />
              {each.undone ? " · undone" : ""}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function What({ done }: { done: Correction }) {
  if (done.action === "accept") return <>Accepted: {valueInWords(done.new_value)}</>;
  const verb = done.action === "undo" ? "Undone" : "Corrected";
  return (
    <>
      {verb}: <s className="text-muted">{valueInWords(done.old_value)}</s> <span aria-label="to">→</span> {valueInWords(done.new_value)}
    </>
  );
}
