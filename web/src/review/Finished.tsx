import { Link } from "@tanstack/react-router";
import { PartyPopper } from "lucide-react";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { count } from "./ReviewHeader";
import { SaveState } from "@/review/outbox/SaveState";
import { useSteps } from "@/review/walk/session";
import { type ReviewAction, usePlainLetters } from "@/review/keys/shortcuts";
import { useReviewKeys } from "@/review/keys/useReviewKeys";

interface Props {
  /** Set when only one document is reviewed. */
  document: string | undefined;
  /** Number of fields left to review in all documents. */
  left: number;
  startAgain: () => void;
  undo: () => void;
}

const ignore = () => undefined;
const LINK = "inline-flex min-h-9 items-center rounded-lg border px-3 text-sm font-medium";

/** Shown when nothing is left to review, with the next steps. */
export function Finished({ document, left, startAgain, undo }: Props) {
  const { done } = useSteps();
  const plainLetters = usePlainLetters();
  const act = (action: ReviewAction) => (action === "undo" ? undo() : undefined);
  useReviewKeys({ plainLetters, drawing: false, act, type: ignore, leave: ignore });
  const checked = new Set(done.map((step) => `${step.place.extractionId} ${step.place.path}`)).size;
  const documents = new Set(done.map((step) => step.place.documentId)).size;
  return (
    <EmptyState
      icon={<PartyPopper aria-hidden className="size-8" />}
      title={document !== undefined ? "Document reviewed" : left > 0 ? "You have seen all documents" : "Nothing left to review"}
      actions={
        <>
          {left > 0 ? (
            document !== undefined ? (
              <Link to="/review" search={{}} className={`${LINK} border-transparent bg-accent text-accent-ink`}>
                Review the other documents
              </Link>
            ) : (
              <Button look="primary" onClick={startAgain}>
                Go on
              </Button>
            )
          ) : null}
          {document !== undefined ? (
            <Link to="/documents/$documentId" params={{ documentId: document }} search={{}} className={`${LINK} border-line-strong bg-surface hover:bg-sunken`}>
              Back to document
            </Link>
          ) : null}
          <Link to="/documents" search={{}} className={`${LINK} border-line-strong bg-surface hover:bg-sunken`}>
            {left > 0 ? "All documents" : "Add documents"}
          </Link>
          {done.length > 0 ? (
            <Button look="quiet" aria-keyshortcuts="U" onClick={undo}>
              Undo the last
            </Button>
          ) : null}
        </>
      }
    >
      <p role="status">
        {checked > 0 ? `Thank you: you have checked ${count(checked, "field")} in ${count(documents, "document")}. ` : ""}
        {left > 0
          ? `${count(left, "field")} ${left === 1 ? "is" : "are"} still waiting.`
          : "Documents with fields that need review will appear here."}
      </p>
      <div className="mt-2 flex justify-center">
        <SaveState />
      </div>
    </EmptyState>
  );
}
