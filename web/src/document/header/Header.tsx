import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, CircleStop, Keyboard, ListChecks, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { type DocumentRead, type DocumentState, settled } from "@/api/documents";
import { useMay } from "@/api/session";
import { Badge } from "@/components/Badge";
import { Button, IconButton } from "@/components/Button";
import { Confidence } from "@/components/Confidence";
import { fileSize } from "@/components/format";
import { StatusBadge } from "@/components/StatusBadge";
import { deleteSoon } from "@/documents/pendingDeletes";
import { ReprocessDialog } from "@/documents/ReprocessDialog";
import { stageWords } from "@/documents/stages";
import { nameInWords } from "@/fields/path";
import { shownName } from "@/components/shownName";
import type { useDocumentActions } from "@/document/actions";
import { Downloads } from "./Downloads";
import { Children, ParentLink } from "./Family";
import { languageInWords } from "./language";
import { LeftOut } from "./LeftOut";
import { pagesInWords } from "@/document/packet/packet";

interface Props {
  document: DocumentRead;
  state: DocumentState | undefined;
  actions: ReturnType<typeof useDocumentActions>;
  extractionId: string | null;
  toReview: number;
  showKeys: () => void;
}

export function Header({ document, state, actions, extractionId, toReview, showKeys }: Props) {
  const pages = state?.page_count ?? document.page_count;
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-2 border-b sm:gap-x-4 border-line bg-surface px-3 py-2">
      <Link to="/documents" aria-label="All documents" title="All documents" className="inline-flex size-9 items-center justify-center rounded-lg text-muted hover:bg-sunken">
        <ArrowLeft aria-hidden className="size-4" />
      </Link>
      <div className="min-w-0 flex-1 basis-60">
        <h1 className="truncate text-base font-semibold" title={shownName(document.filename)}>
          {shownName(document.filename)}
        </h1>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
          <StatusBadge status={state?.status ?? document.status} />
          {state && !settled(state) && state.status === "ready" ? <Badge tone="info">Extracting fields</Badge> : null}
          {state?.progress ? <span>{stageWords(state.progress)}</span> : null}
          {document.class ? <span>{nameInWords(document.class)}</span> : null}
          {document.language ? <span>{languageInWords(document.language)}</span> : null}
          {pages ? <span>{pages === 1 ? "1 page" : `${pages} pages`}</span> : null}
          {document.pages_failed ? <Badge tone="warn">{document.pages_failed} of them could not be read</Badge> : null}
          {document.original_deleted_at !== null ? <Badge tone="info">Original file deleted</Badge> : null}
          {document.split_needs_review ? <Badge tone="warn">Cuts need review</Badge> : null}
          {document.first_page != null && document.last_page != null ? (
            <span>{pagesInWords({ first_page: document.first_page, last_page: document.last_page })} of the original</span>
          ) : null}
          <LeftOut document={document} />
          {document.size === null ? null : <span>{fileSize(document.size)}</span>}
          <time dateTime={document.created_at}>{new Date(document.created_at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}</time>
          {document.confidence != null ? <Confidence value={document.confidence} /> : null}
          {document.parent_id ? <ParentLink id={document.parent_id} /> : null}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {toReview > 0 ? (
          <Link
            to="/review"
            search={{ document: document.id }}
            className="inline-flex min-h-9 items-center gap-2 rounded-lg bg-accent px-3 text-sm font-medium text-accent-ink hover:opacity-90"
          >
            <ListChecks aria-hidden className="size-4" />
            Review {toReview}
          </Link>
        ) : null}
        <Children document={document} />
        <Downloads document={document} hasPages={pages != null} extractionId={extractionId} />
        <Changes document={document} state={state} actions={actions} />
        <span className="hidden md:block">
          <IconButton label="Keyboard shortcuts ( ? )" onClick={showKeys}>
            <Keyboard aria-hidden className="size-4" />
          </IconButton>
        </span>
      </div>
    </header>
  );
}

/** Actions on the document; none for read-only keys. */
function Changes({ document, state, actions }: Pick<Props, "document" | "state" | "actions">) {
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  if (!useMay("write") || state === undefined) return null;
  const remove = () => {
    deleteSoon(queries, [document.id]);
    void navigate({ to: "/documents" });
  };
  return (
    <>
      {settled(state) ? (
        <Button
          disabled={document.original_deleted_at !== null}
          icon={<RefreshCw aria-hidden className="size-4" />}
          onClick={() => setAsking(true)}
        >
          <span className="max-sm:sr-only">Reprocess</span>
        </Button>
      ) : (
        <Button look="danger" busy={actions.cancel.isPending} icon={<CircleStop aria-hidden className="size-4" />} onClick={() => actions.cancel.mutate()}>
          Cancel
        </Button>
      )}
      <IconButton label="Delete" onClick={remove}>
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      <ReprocessDialog
        open={asking}
        count={1}
        busy={actions.reprocess.isPending}
        close={() => setAsking(false)}
        start={(by) => actions.reprocess.mutate(by, { onSuccess: () => setAsking(false) })}
      />
    </>
  );
}
