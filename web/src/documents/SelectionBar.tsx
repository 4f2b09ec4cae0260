import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ban, RotateCw, Trash2, X } from "lucide-react";
import { useState } from "react";
import { cancelDocuments, type DocumentRead, type DocumentsChanged, inProgress, reprocessDocuments } from "@/api/documents";
import { Button, IconButton } from "@/components/Button";
import { explain } from "@/components/explain";
import { showToast } from "@/state/toasts";
import { changeLists, showQueued, withEach } from "./listCache";
import { deleteSoon } from "./pendingDeletes";
import { type ReadingChoice, ReprocessDialog } from "./ReprocessDialog";
import { documentsInWords } from "./words";

interface Props {
  rows: readonly DocumentRead[];
  clear: () => void;
}

/** Actions for the selected documents. */
export function SelectionBar({ rows, clear }: Props) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const ids = rows.map((row) => row.id);
  const onError = (error: Error) => showToast({ tone: "bad", text: explain(error) });
  const cancel = useMutation({
    mutationFn: () => cancelDocuments(ids),
    onSuccess: (answer) => {
      const changed = changedOf(ids, answer);
      changeLists(queries, (pages) => withEach(pages, changed, (row) => ({ ...row, status: "cancelled", progress: null })));
      tell("cancelled", answer);
      clear();
    },
    onError,
  });
  const reprocess = useMutation({
    mutationFn: (choice: ReadingChoice) => reprocessDocuments(ids, choice),
    onSuccess: (answer) => {
      showQueued(queries, changedOf(ids, answer));
      tell("will be reprocessed", answer);
      setAsking(false);
      clear();
    },
    onError,
  });
  const remove = () => {
    deleteSoon(queries, ids);
    clear();
  };
  return (
    <div role="toolbar" aria-label="Selected documents" className="flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-1.5 sm:-my-1.5">
      <p role="status" className="mr-auto text-sm font-medium">
        {documentsInWords(ids.length)} selected
      </p>
      <Button icon={<RotateCw aria-hidden className="size-4" />} onClick={() => setAsking(true)}>
        <span className="max-sm:sr-only">Reprocess</span>
      </Button>
      {rows.some((row) => inProgress(row.status)) ? (
        <Button icon={<Ban aria-hidden className="size-4" />} busy={cancel.isPending} onClick={() => cancel.mutate()}>
          <span className="max-sm:sr-only">Cancel</span>
        </Button>
      ) : null}
      <Button look="danger" icon={<Trash2 aria-hidden className="size-4" />} onClick={remove}>
        <span className="max-sm:sr-only">Delete</span>
      </Button>
      <IconButton label="Clear selection" onClick={clear}>
        <X aria-hidden className="size-4" />
      </IconButton>
      <ReprocessDialog open={asking} count={ids.length} busy={reprocess.isPending} close={() => setAsking(false)} start={reprocess.mutate} />
    </div>
  );
}

function changedOf(ids: readonly string[], { skipped }: DocumentsChanged): Set<string> {
  const changed = new Set(ids);
  for (const each of skipped) changed.delete(each.id);
  return changed;
}

function tell(what: string, { count, skipped }: DocumentsChanged): void {
  const first = skipped[0];
  const left = first === undefined ? "" : ` ${documentsInWords(skipped.length)} unchanged: ${first.message}`;
  showToast({ tone: count === 0 && first ? "bad" : "good", text: `${documentsInWords(count)} ${what}.${left}` });
}
