import { Ban, CircleAlert, Clock } from "lucide-react";
import type { ReactNode } from "react";
import type { DocumentRead, DocumentState } from "@/api/documents";
import { useMay } from "@/api/session";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { stagePart, stageWords } from "@/documents/stages";
import { ProgressBar } from "@/upload/ProgressBar";
import { Entries } from "./Entries";
import { PasswordForm } from "./PasswordForm";
import { asksForPassword, reasonOf } from "@/document/reasons";

interface Props {
  document: DocumentRead;
  state: DocumentState | undefined;
  retry: () => void;
  retrying: boolean;
}

/** Shown while there are no pages: the progress, why reading failed, or the entries of an archive. */
export function Unread({ document, state, retry, retrying }: Props) {
  const may = useMay("write");
  const status = state?.status ?? document.status;
  if (status === "failed") return <Failed document={document} state={state} retry={retry} retrying={retrying} may={may} />;
  if (status === "cancelled") {
    return (
      <EmptyState
        icon={<Ban aria-hidden className="size-8" />}
        title="Processing was cancelled"
        actions={may ? <RetryButton label="Process now" retry={retry} busy={retrying} /> : null}
      >
        The document has not been read.
      </EmptyState>
    );
  }
  if (status === "unpacked") return <Entries document={document} />;
  return <UnderWay state={state} />;
}

function Failed({ document, state, retry, retrying, may }: Props & { may: boolean }) {
  const error = document.error ?? state?.error ?? { code: "unknown", message: "The reason is unknown." };
  const { title, advice } = reasonOf(error);
  const locked = asksForPassword(error.code);
  let way: ReactNode = null;
  if (may) way = locked ? <PasswordForm documentId={document.id} /> : <RetryButton label="Try again" retry={retry} busy={retrying} />;
  return (
    <EmptyState icon={<CircleAlert aria-hidden className="size-8" />} tone="bad" title={title} actions={way}>
      <p>{advice}</p>
      {error.message && error.message !== advice ? <p className="mt-2 text-sm break-words">{error.message}</p> : null}
      <p className="mt-2 font-mono text-xs">{error.code}</p>
    </EmptyState>
  );
}

function UnderWay({ state }: { state: DocumentState | undefined }) {
  const progress = state?.progress;
  const waiting = progress == null;
  const words = progress == null ? waitingWords(state) : stageWords(progress);
  return (
    <EmptyState icon={<Clock aria-hidden className="size-8" />} title={waiting ? "Waiting" : "Processing"}>
      <div role="status" aria-live="polite" className="flex w-64 flex-col gap-2">
        <span>{words}</span>
        {progress ? <ProgressBar part={stagePart(progress)} label="Progress" /> : null}
      </div>
      {state?.error ? <p className="mt-3 text-sm">The last try failed: {reasonOf(state.error).title.toLowerCase()}. It will be tried again.</p> : null}
    </EmptyState>
  );
}

function waitingWords(state: DocumentState | undefined): string {
  const position = state?.queue_position;
  if (position == null) return "Processing starts in a moment.";
  if (position === 1) return "Next in the queue.";
  return position >= 1000 ? "More than 1,000 documents are ahead of it." : `${position - 1} ahead of it in the queue.`;
}

function RetryButton({ label, retry, busy }: { label: string; retry: () => void; busy: boolean }) {
  return (
    <Button look="primary" busy={busy} onClick={retry}>
      {label}
    </Button>
  );
}
