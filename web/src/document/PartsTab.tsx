import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText, Scissors } from "lucide-react";
import { useMay } from "@/api/session";
import { type Cut, type CutChange, changeSplits, type Part, splitsQuery } from "@/api/splits";
import { Badge } from "@/components/Badge";
import { Button } from "@/components/Button";
import { Confidence } from "@/components/Confidence";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { explain } from "@/components/explain";
import { SkeletonRows } from "@/components/Skeleton";
import { StatusBadge } from "@/components/StatusBadge";
import { nameInWords } from "@/fields/path";
import { showToast } from "@/state/toasts";
import { pagesInWords, rowsOf } from "./packet";

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
  if (rows.length === 0) {
    return (
      <EmptyState icon={<FileText aria-hidden className="size-8" />} title="One document">
        No sign of several documents was found in this file.
      </EmptyState>
    );
  }
  return (
    <ol className="divide-y divide-line overflow-y-auto">
      {rows.map((row) => {
        switch (row.kind) {
          case "part":
            return <PartRow key={`part ${row.page}`} part={row.part} showPage={showPage} />;
          case "cut":
            return <CutRow key={`cut ${row.page}`} cut={row.cut} busy={change.isPending} mayWrite={mayWrite} showPage={showPage} decide={change.mutate} />;
          case "left out":
            return (
              <li key={`page ${row.page}`} className="px-3 py-2 text-xs text-muted">
                Page {row.page}: {row.reason === "blank" ? "blank page" : "separator sheet"}, part of no document
              </li>
            );
        }
      })}
    </ol>
  );
}

function PartRow({ part, showPage }: { part: Part; showPage: (page: number) => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
      <button type="button" className="min-h-9 text-left text-accent underline" onClick={() => showPage(part.first_page)}>
        {pagesInWords(part)}
      </button>
      {part.class ? <span>{nameInWords(part.class)}</span> : null}
      {part.status ? <StatusBadge status={part.status} /> : <Badge tone="info">Being written</Badge>}
      {part.needs_review ? <Badge tone="warn">Needs review</Badge> : null}
      {part.document_id ? (
        <Link to="/documents/$documentId" params={{ documentId: part.document_id }} className="ml-auto text-accent underline">
          Open
        </Link>
      ) : null}
    </li>
  );
}

interface CutProps {
  cut: Cut;
  busy: boolean;
  mayWrite: boolean;
  showPage: (page: number) => void;
  decide: (change: CutChange) => void;
}

function CutRow({ cut, busy, mayWrite, showPage, decide }: CutProps) {
  const made = cut.state === "accepted" || cut.state === "added";
  const { after_page } = cut;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-sunken px-3 py-2 text-xs text-muted">
      <Scissors aria-hidden className="size-4" />
      <button type="button" className="min-h-9 text-left underline" onClick={() => showPage(after_page + 1)}>
        {made ? "Cut" : cut.state === "removed" ? "No cut" : "Perhaps a cut"} after page {after_page}
      </button>
      {cut.state === "proposed" ? <Badge tone="warn">Needs review</Badge> : null}
      {cut.confidence != null ? <Confidence value={cut.confidence} compact /> : <span>added by a person</span>}
      {mayWrite ? (
        <span className="ml-auto flex gap-2">
          {made ? null : <Button busy={busy} onClick={() => decide({ action: "accept", after_page })}>Cut here</Button>}
          {cut.state === "removed" ? null : <Button look="quiet" busy={busy} onClick={() => decide({ action: "remove", after_page })}>Do not cut</Button>}
        </span>
      ) : null}
      {cut.reasons.length > 0 ? <p className="basis-full">{cut.reasons.join("; ")}</p> : null}
    </li>
  );
}
