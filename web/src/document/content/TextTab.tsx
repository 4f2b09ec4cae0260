import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { memo, useDeferredValue, useMemo, useState } from "react";
import { textQuery } from "@/api/pages";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { TextInput } from "@/components/Inputs";
import { SkeletonRows } from "@/components/Skeleton";
import { CopyButton } from "./CopyButton";
import { type Piece, splitMatches } from "./matches";

interface Props {
  documentId: string;
  showPage: (page: number) => void;
}

export function TextTab({ documentId, showPage }: Props) {
  const { data, error, refetch } = useQuery(textQuery(documentId));
  const [typed, setTyped] = useState("");
  const needle = useDeferredValue(typed.trim());
  const pages = useMemo(
    () =>
      (data?.pages ?? [])
        .map(({ number, text }) => ({ number, pieces: splitMatches(text, needle) }))
        .filter(({ pieces }) => needle === "" || pieces.some(({ hit }) => hit)),
    [data, needle],
  );
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (data === undefined) return <div className="p-4"><SkeletonRows rows={10} className="h-5" /></div>;
  if (data.text.trim() === "") return <EmptyState title="No text">No text was found on the pages.</EmptyState>;
  const hits = pages.reduce((sum, { pieces }) => sum + pieces.filter(({ hit }) => hit).length, 0);
  return (
    <div className="flex flex-col">
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border-b border-line bg-surface p-2">
        <div className="relative min-w-40 flex-1">
          <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" />
          <TextInput type="search" aria-label="Find in text" placeholder="Find in text" className="w-full pl-8" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
        <span role="status" className="text-xs text-muted tabular-nums">
          {needle === "" ? "" : hits === 0 ? "Not found" : `${hits} on ${pages.length === 1 ? "1 page" : `${pages.length} pages`}`}
        </span>
        <CopyButton text={() => data.text} label="Copy all" />
      </div>
      {data.complete ? null : (
        <p role="status" className="border-b border-line px-4 py-2 text-xs text-muted">
          {data.page_count === 1 ? "This is the first page" : `These are the first ${data.page_count} pages`}; the rest is being read.
        </p>
      )}
      {pages.map(({ number, pieces }) => (
        <PageText key={number} number={number} pieces={pieces} showPage={showPage} />
      ))}
    </div>
  );
}

/** Pages that are not visible are not laid out, so that hundreds of pages stay fast. */
const PageText = memo(function PageText({ number, pieces, showPage }: { number: number; pieces: Piece[]; showPage: (page: number) => void }) {
  return (
    <section aria-label={`Text of page ${number}`} className="border-b border-line px-4 py-3 [contain-intrinsic-size:auto_600px] [content-visibility:auto]">
      <button type="button" onClick={() => showPage(number)} className="mb-1 min-h-6 text-xs font-medium text-accent hover:underline">
        Page {number}
      </button>
      <p className="text-sm leading-relaxed break-words whitespace-pre-wrap">
        {pieces.map(({ text, hit }, index) =>
          hit ? (
            <mark key={index} className="rounded-sm bg-warn-soft text-ink">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
    </section>
  );
});
