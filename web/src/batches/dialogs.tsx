import { useState } from "react";
import type { Batch } from "@/api/batches";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { shownName } from "@/components/shownName";
import { documentsInWords } from "@/documents/words";

/** A cancelled batch cannot be started again, so cancelling needs confirmation. */
export function CancelDialog({ open, close, cancel }: { open: boolean; close: () => void; cancel: () => void }) {
  const confirm = () => {
    close();
    cancel();
  };
  return (
    <Dialog
      open={open}
      close={close}
      title="Cancel this batch?"
      actions={
        <>
          <Button onClick={close}>Keep running</Button>
          <Button look="danger" onClick={confirm}>
            Cancel batch
          </Button>
        </>
      }
    >
      <p className="text-muted">Everything that has not finished stops now. Results that exist are kept. A cancelled batch cannot be started again.</p>
    </Dialog>
  );
}

interface DeleteProps {
  open: boolean;
  close: () => void;
  batch: Batch;
  busy: boolean;
  discard: (withDocuments: boolean) => void;
}

export function DeleteDialog({ open, close, batch, busy, discard }: DeleteProps) {
  const [withDocuments, setWithDocuments] = useState(false);
  const { documents } = batch.progress;
  return (
    <Dialog
      open={open}
      close={close}
      title={`Delete ${shownName(batch.name)}?`}
      actions={
        <>
          <Button onClick={close}>Keep</Button>
          <Button look="danger" busy={busy} onClick={() => discard(withDocuments)}>
            Delete
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-muted">The batch and its results are deleted for good.{batch.status === "running" ? " Everything that is still running stops." : ""}</p>
        {documents > 0 ? (
          <label className="inline-flex min-h-6 items-center gap-2 text-sm">
            <input type="checkbox" className="size-4 accent-accent" checked={withDocuments} onChange={(event) => setWithDocuments(event.target.checked)} />
            Also delete its {documentsInWords(documents)}
          </label>
        ) : null}
      </div>
    </Dialog>
  );
}
