import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText } from "lucide-react";
import { useMay } from "@/api/session";
import { type CutChange, changeSplits, type Part, splitsQuery } from "@/api/splits";
import { Badge } from "@/components/Badge";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { explain } from "@/components/explain";
import { SkeletonRows } from "@/components/Skeleton";
import { StatusBadge } from "@/components/StatusBadge";
import { nameInWords } from "@/fields/path";
import { showToast } from "@/state/toasts";
import { AddCut, CutRow } from "./Cuts";
import { pagesInWords, partsInWords, rowsOf } from "./packet";

interface Props {
  documentId: string;
  showPage: (page: number) => void;
}

/** The documents that a packet was split into, and where it was cut. */
export function PartsTab({ documentId, showPage }: Props) {
  const splits = useQuery(splitsQuery(documentId));
  const queries = useQueryClient();
  const mayWrite = useMay("write");
  const change = useMutation({
    mutationFn: (cut: CutChange) => changeSplits(documentId, splits.data?.revision ?? 0, [cut]),
    onError: (error: Error) => showToast({ tone: "bad", text: explain(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["documents", documentId] }),
  });
  if (splits.error) return <ErrorState error={splits.error} retry={() => void splits.refetch()} />;
  if (splits.data === undefined) return <div className="p-3"><SkeletonRows rows={6} /></div>;
  const rows = rowsOf(splits.data);
  const cut = mayWrite ? { busy: change.isPending, decide: change.mutate } : null;
  const add = cut && splits.data.page_count > 1 ? <AddCut splits={splits.data} {...cut} /> : null;
  if (rows.length === 0) {
    return (
      <EmptyState icon={<FileText aria-hidden className="size-8" />} title="One document" actions={add}>
        No sign of several documents was found in this file.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3 p-3">
      <p role="status" className="text-sm text-muted">
        {partsInWords(splits.data)}
      </p>
      <ol className="flex flex-col gap-2">
        {rows.map((row) => {
          switch (row.kind) {
            case "part":
              return <PartRow key={`part ${row.page}`} part={row.part} showPage={showPage} />;
            case "cut":
              return <CutRow key={`cut ${row.page}`} cut={row.cut} actions={cut} showPage={showPage} />;
            case "left out":
              return (
                <li key={`page ${row.page}`} className="px-3 text-xs text-muted">
                  Page {row.page}: {row.reason === "blank" ? "blank page" : "separator sheet"}, part of no document
                </li>
              );
          }
        })}
      </ol>
      {add}
    </div>
  );
}

function PartRow({ part, showPage }: { part: Part; showPage: (page: number) => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-line bg-surface px-3 py-1.5 text-sm">
      <FileText aria-hidden className="size-4 shrink-0 text-muted" />
      <button type="button" className="min-h-9 text-left font-medium text-accent underline" onClick={() => showPage(part.first_page)}>
        {pagesInWords(part)}
      </button>
      {part.class ? <span>{nameInWords(part.class)}</span> : null}
      {part.status ? <StatusBadge status={part.status} /> : <Badge tone="info">Being written</Badge>}
      {part.needs_review ? <Badge tone="warn">Fields need review</Badge> : null}
      {part.document_id ? (
        <Link to="/documents/$documentId" params={{ documentId: part.document_id }} className="ml-auto inline-flex min-h-6 items-center text-accent underline">
          Open<span className="sr-only"> {pagesInWords(part).toLowerCase()}</span>
        </Link>
      ) : null}
    </li>
  );
}
