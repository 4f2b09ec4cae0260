import { Link } from "@tanstack/react-router";
import { ArrowLeft, Ban, Play, RotateCcw, Trash2, Upload } from "lucide-react";
import { useState } from "react";
import type { Batch } from "@/api/batches";
import { Age } from "@/components/Age";
import { Button, IconButton } from "@/components/Button";
import { shownName } from "@/components/shownName";
import { StatusBadge } from "@/components/StatusBadge";
import { documentsInWords } from "@/documents/words";
import { CancelDialog, DeleteDialog } from "./dialogs";
import { ExportMenu } from "./ExportMenu";
import type { BatchActions } from "./useBatchActions";
import { count, fieldsInWords, groupingInWords, statusInWords } from "./words";

interface Props {
  batch: Batch;
  actions: BatchActions;
  mayWrite: boolean;
  /** The number of groups that a start would make now. */
  startable: number;
  addFiles: () => void;
}

export function BatchHeader({ batch, actions, mayWrite, startable, addFiles }: Props) {
  const { progress } = batch;
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-2 border-b border-line bg-surface px-3 py-2 sm:gap-x-4">
      <Link to="/batches" aria-label="All batches" title="All batches" className="inline-flex size-9 items-center justify-center rounded-lg text-muted hover:bg-sunken">
        <ArrowLeft aria-hidden className="size-4" />
      </Link>
      <div className="min-w-0 flex-1 basis-60">
        <h1 className="truncate text-base font-semibold" title={shownName(batch.name)}>
          {shownName(batch.name)}
        </h1>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
          <StatusBadge status={statusInWords(batch)} />
          <span>{fieldsInWords(batch)}</span>
          <span>{groupingInWords(batch.group_by)}</span>
          <span>{documentsInWords(progress.documents)}</span>
          <Age since={batch.created_at} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {mayWrite ? <Running batch={batch} actions={actions} startable={startable} addFiles={addFiles} /> : null}
        {progress.total > 0 ? <ExportMenu batchId={batch.id} /> : null}
        {mayWrite ? <Delete batch={batch} actions={actions} /> : null}
      </div>
    </header>
  );
}

function Running({ batch, actions, startable, addFiles }: Omit<Props, "mayWrite">) {
  const [asking, setAsking] = useState(false);
  const { status, progress } = batch;
  const { start, cancel, retry } = actions;
  const startLook = startable > 0 && status !== "running" ? "primary" : "plain";
  if (status === "cancelled") return null;
  return (
    <>
      {batch.starting ? null : startable > 0 ? (
        <Button look={startLook} icon={<Play aria-hidden className="size-4" />} busy={start.isPending} onClick={() => start.mutate()}>
          {progress.total === 0 ? "Start" : `Start ${count(startable)} more`}
        </Button>
      ) : null}
      <Button look={status === "pending_configuration" && startable === 0 ? "primary" : "plain"} icon={<Upload aria-hidden className="size-4" />} onClick={addFiles}>
        Add files
      </Button>
      {progress.failed > 0 ? (
        <Button icon={<RotateCcw aria-hidden className="size-4" />} busy={retry.isPending} onClick={() => retry.mutate()}>
          Retry {count(progress.failed)} failed
        </Button>
      ) : null}
      {status === "running" ? (
        <Button look="danger" icon={<Ban aria-hidden className="size-4" />} busy={cancel.isPending} onClick={() => setAsking(true)}>
          Cancel
        </Button>
      ) : null}
      <CancelDialog open={asking} close={() => setAsking(false)} cancel={() => cancel.mutate()} />
    </>
  );
}

function Delete({ batch, actions: { discard } }: Pick<Props, "batch" | "actions">) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <IconButton label="Delete batch" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      <DeleteDialog open={asking} close={() => setAsking(false)} batch={batch} busy={discard.isPending} discard={discard.mutate} />
    </>
  );
}
