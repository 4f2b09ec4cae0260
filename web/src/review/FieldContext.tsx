import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, CircleDot, Dot, PencilLine } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Field } from "@/api/extractions";
import { classes } from "@/components/classes";
import { inWords, type Naming } from "@/fields/naming";
import { fieldInWords } from "@/fields/state";
import type { FieldState } from "@/review/walk/queue";

export interface ContextRow {
  field: Field;
  state: FieldState;
}

const ROW = 40;

/** The document's other fields with their review state. A click selects one, whether it needs review or not. */
export function FieldContext({ rows, naming, current, go }: { rows: readonly ContextRow[]; naming: Naming; current: string | null; go: (path: string) => void }) {
  const [all, setAll] = useState(false);
  const asked = rows.filter((row) => row.state !== "settled");
  const shown = all ? rows : rows.filter((row) => row.state !== "settled" || row.field.path === current);
  const scroller = useRef<HTMLDivElement>(null);
  // The virtualizer keeps its own state, so its results must not be memoized.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({ count: shown.length, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 8 });
  const at = shown.findIndex((row) => row.field.path === current);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: "auto" });
  }, [at, virtual]);
  return (
    <section aria-label="Fields of this document" className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center justify-between gap-2 py-1 text-sm">
        <h3 className="font-medium">In this document</h3>
        <button type="button" aria-pressed={all} className="min-h-8 rounded-sm px-1 text-accent hover:underline" onClick={() => setAll(!all)}>
          {all ? `Only the ${asked.length} to review` : `Show all ${rows.length} fields`}
        </button>
      </div>
      <div ref={scroller} className="relative min-h-32 flex-1 overflow-y-auto rounded-lg border border-line">
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = shown[item.index];
            return row === undefined ? null : (
              <li key={row.field.path} className="absolute inset-x-0 top-0" style={{ height: ROW, transform: `translateY(${item.start}px)` }}>
                <Row row={row} label={inWords(naming(row.field.path))} isCurrent={row.field.path === current} go={go} />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function Row({ row: { field, state }, label, isCurrent, go }: { row: ContextRow; label: string; isCurrent: boolean; go: (path: string) => void }) {
  return (
    <button
      type="button"
      aria-current={isCurrent ? "true" : undefined}
      onClick={() => go(field.path)}
      className={classes("flex h-full w-full items-center gap-2 px-2 text-left text-sm", isCurrent ? "bg-accent-soft" : "hover:bg-sunken")}
    >
      <StateIcon field={field} state={state} />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <span className="max-w-[45%] truncate text-muted">{fieldInWords(field)}</span>
    </button>
  );
}

function StateIcon({ field, state }: { field: Field; state: FieldState }) {
  const look = "size-4 shrink-0";
  if (field.correction) return <PencilLine role="img" aria-label="Corrected" className={classes(look, "text-info")} />;
  if (field.accepted) return <Check role="img" aria-label="Accepted" className={classes(look, "text-good")} />;
  if (state === "due") return <CircleDot role="img" aria-label="Needs review" className={classes(look, "text-warn")} />;
  return <Dot role="img" aria-label="High confidence" className={classes(look, "text-muted")} />;
}
