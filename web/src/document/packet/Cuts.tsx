import { Scissors } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import type { Cut, CutChange, Splits } from "@/api/splits";
import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { Confidence } from "@/components/Confidence";
import { TextInput } from "@/components/Inputs";

interface Actions {
  busy: boolean;
  decide: (change: CutChange) => void;
}

interface Props {
  cut: Cut;
  /** Null if the key is read-only. */
  actions: Actions | null;
  showPage: (page: number) => void;
}

/** A cut with its reasons. One that waits for a person stands out. */
export function CutRow({ cut, actions, showPage }: Props) {
  const { after_page, state } = cut;
  const made = state === "accepted" || state === "added";
  const open = state === "proposed";
  return (
    <li className={classes("flex flex-col gap-1 rounded-xl px-3 py-1.5 text-sm", open ? "border border-warn bg-surface" : "border border-transparent")}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Scissors aria-hidden className={classes("size-4 shrink-0", open ? "text-warn" : "text-muted")} />
        <button type="button" className={classes("min-h-9 text-left underline", open ? "font-medium" : "text-muted")} onClick={() => showPage(after_page + 1)}>
          {made ? `Cut after page ${after_page}` : open ? `Cut after page ${after_page}?` : `No cut after page ${after_page}`}
        </button>
        {open ? <Badge tone="warn">Needs review</Badge> : null}
        {cut.confidence != null ? <Confidence value={cut.confidence} compact /> : <span className="text-xs text-muted">added by a person</span>}
      </div>
      {cut.reasons.length > 0 ? <p className="pl-7 text-xs text-muted first-letter:uppercase">{cut.reasons.join("; ")}</p> : null}
      {actions ? (
        <span className="flex gap-2 pb-1 pl-7">
          {made ? null : (
            <Button look={open ? "primary" : "plain"} busy={actions.busy} onClick={() => actions.decide({ action: "accept", after_page })}>
              Cut here
            </Button>
          )}
          {state === "removed" ? null : (
            <Button busy={actions.busy} onClick={() => actions.decide({ action: "remove", after_page })}>
              {open ? "Do not cut" : "Remove cut"}
            </Button>
          )}
        </span>
      ) : null}
    </li>
  );
}

/** A cut that was not found. Cuts that are known have their own buttons. */
export function AddCut({ splits, busy, decide }: { splits: Splits } & Actions) {
  const id = useId();
  const [page, setPage] = useState("");
  const known = splits.cuts.some((cut) => cut.after_page === Number(page) && cut.state !== "removed");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    decide({ action: "add", after_page: Number(page) });
    setPage("");
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2 text-sm">
      <label htmlFor={id}>Cut after page</label>
      <TextInput id={id} type="number" required min={1} max={splits.page_count - 1} className="w-20" value={page} onChange={(event) => setPage(event.target.value)} />
      <Button type="submit" busy={busy} disabled={known}>
        Add cut
      </Button>
    </form>
  );
}
