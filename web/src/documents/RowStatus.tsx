import { type DocumentRead, type DocumentState, inProgress } from "@/api/documents";
import { StatusBadge } from "@/components/StatusBadge";
import { ProgressBar } from "@/upload/ProgressBar";
import { shownName } from "@/components/shownName";
import { stagePart, stageWords } from "./stages";
import { useLiveState } from "./useLiveState";

/** Status of a document: stage and page while it is processed, the reason if it failed. Settled rows do not poll. */
export function RowStatus({ row }: { row: DocumentRead }) {
  return inProgress(row.status) ? <LiveStatus row={row} /> : <ShownStatus row={row} state={undefined} />;
}

function LiveStatus({ row }: { row: DocumentRead }) {
  return <ShownStatus row={row} state={useLiveState(row.id)} />;
}

function ShownStatus({ row, state }: { row: DocumentRead; state: DocumentState | undefined }) {
  const status = state?.status ?? row.status;
  const progress = state ? state.progress : row.progress;
  const error = state?.error ?? row.error;
  if (isRunning(status) && progress) {
    const words = stageWords(progress);
    return (
      <span className="block w-full max-w-44">
        <span className="mb-1 block truncate text-xs font-medium text-info">{words}</span>
        <ProgressBar part={stagePart(progress)} label={`${shownName(row.filename)}: ${words}`} />
      </span>
    );
  }
  return (
    <span className="flex min-w-0 flex-col items-start gap-0.5">
      <StatusBadge status={status} />
      {status === "failed" && error ? (
        <span className="line-clamp-1 max-w-full text-xs break-all text-bad" title={error.message}>
          {error.message}
        </span>
      ) : null}
      {inProgress(status) && !isRunning(status) ? <Waiting state={state} /> : null}
    </span>
  );
}

function isRunning(status: string): boolean {
  return status === "processing" || status === "unpacking" || status === "downloading";
}

function Waiting({ state }: { state: DocumentState | undefined }) {
  if (state?.error) {
    return (
      <span className="line-clamp-1 text-xs break-all text-warn" title={state.error.message}>
        Trying again soon: {state.error.message}
      </span>
    );
  }
  if (!state?.queue_position || state.queue_position < 2) return null;
  const place = state.queue_position >= 1000 ? "over 1,000" : String(state.queue_position - 1);
  return <span className="text-xs text-muted">{place} before it</span>;
}
