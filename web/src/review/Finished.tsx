import { Link } from "@tanstack/react-router";
import { PartyPopper } from "lucide-react";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { count } from "./ReviewHeader";
import { SaveState } from "./SaveState";
import { useSteps } from "./session";
import { type ReviewAction, usePlainLetters } from "./shortcuts";
import { useReviewKeys } from "./useReviewKeys";

interface Props {
  /** Of one document, or of the whole queue. */
  document: string | undefined;
  /** Fields that are still waiting in all. */
  left: number;
  startAgain: () => void;
  undo: () => void;
}

const ignore = () => undefined;
const LINK = "inline-flex min-h-9 items-center rounded-lg border px-3 text-sm font-medium";

/** Nothing more here: thanks, and what next. */
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
      title={document !== undefined ? "This document is checked" : left > 0 ? "You have been through all of them" : "Nothing is left to check"}
      actions={
        <>
          {left > 0 ? (
            document !== undefined ? (
              <Link to="/review" search={{}} className={`${LINK} border-transparent bg-accent text-accent-ink`}>
                Go on with the others
              </Link>
            ) : (
              <Button look="primary" onClick={startAgain}>
                Go on
              </Button>
            )
          ) : null}
          {document !== undefined ? (
            <Link to="/documents/$documentId" params={{ documentId: document }} search={{}} className={`${LINK} border-line-strong bg-surface hover:bg-sunken`}>
              Back to the document
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
          : "When a document is read and something in it is not sure, it will wait for you here."}
      </p>
      <div className="mt-2 flex justify-center">
        <SaveState />
      </div>
    </EmptyState>
  );
}
