import { Ban, RotateCcw, X } from "lucide-react";
import { useState } from "react";
import type { Job, JobFilter, JobPage } from "@/api/jobs";
import { Button, IconButton } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import type { useJobChanges } from "./useJobChanges";
import { jobsInWords } from "./words";

interface Props {
  filter: JobFilter;
  counts: JobPage;
  selected: readonly Job[];
  changes: ReturnType<typeof useJobChanges>;
  clear: () => void;
}

export function SelectedJobs({ selected, changes, clear }: Omit<Props, "filter" | "counts">) {
  const { retry, cancel } = changes;
  const failed = selected.filter((job) => job.status === "failed").map((job) => job.id);
  const unfinished = selected.filter((job) => job.status === "pending" || job.status === "processing").map((job) => job.id);
  return (
    <div role="toolbar" aria-label="Selected jobs" className="mb-2 flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-1.5">
      <p role="status" className="mr-auto text-sm font-medium">
        {jobsInWords(selected.length)} selected
      </p>
      {failed.length > 0 ? <RetryButton busy={retry.isPending} retry={() => retry.mutate({ ids: failed })} label={`Retry ${failed.length}`} /> : null}
      {unfinished.length > 0 ? (
        <CancelButton busy={cancel.isPending} cancel={() => cancel.mutate({ ids: unfinished })} label={`Cancel ${unfinished.length}`} />
      ) : null}
      <IconButton label="Clear selection" onClick={clear}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

/** The same actions for all jobs that match the filter, loaded or not. */
export function AllJobs({ filter, counts, changes: { retry, cancel } }: Pick<Props, "filter" | "counts" | "changes">) {
  if (filter.status === "failed" && counts.failed_count > 0) {
    return (
      <RetryButton busy={retry.isPending} retry={() => retry.mutate(filter)} label={`Retry all ${counts.failed_count.toLocaleString("en")}`} />
    );
  }
  if (filter.status === "pending" && counts.pending_count > 0) {
    return <CancelAll count={counts.pending_count} busy={cancel.isPending} cancel={() => cancel.mutate(filter)} />;
  }
  return null;
}

/** Cancelled jobs do not run again automatically, so cancelling many needs confirmation. */
function CancelAll({ count, busy, cancel }: { count: number; busy: boolean; cancel: () => void }) {
  const [asking, setAsking] = useState(false);
  const label = `Cancel all ${count.toLocaleString("en")}`;
  const confirm = () => {
    setAsking(false);
    cancel();
  };
  return (
    <>
      <CancelButton busy={busy} cancel={() => setAsking(true)} label={label} />
      <Dialog
        open={asking}
        close={() => setAsking(false)}
        title={`Cancel ${jobsInWords(count)}?`}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Keep running</Button>
            <CancelButton busy={busy} cancel={confirm} label={label} />
          </>
        }
      >
        <p className="text-muted">Pending documents stay in the list as cancelled. You can reprocess them from there.</p>
      </Dialog>
    </>
  );
}

function RetryButton({ busy, retry, label }: { busy: boolean; retry: () => void; label: string }) {
  return (
    <Button icon={<RotateCcw aria-hidden className="size-4" />} busy={busy} onClick={retry}>
      {label}
    </Button>
  );
}

function CancelButton({ busy, cancel, label }: { busy: boolean; cancel: () => void; label: string }) {
  return (
    <Button look="danger" icon={<Ban aria-hidden className="size-4" />} busy={busy} onClick={cancel}>
      {label}
    </Button>
  );
}
