import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Entry, entriesQuery } from "@/api/archives";
import type { DocumentRead } from "@/api/documents";
import { Badge, type Tone } from "@/components/Badge";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { shownName } from "@/components/shownName";
import { entryReason, incompleteWords } from "./entryWords";

const VERDICTS: Record<Entry["verdict"], { tone: Tone; label: string }> = {
  created: { tone: "good", label: "Added" },
  skipped: { tone: "neutral", label: "Skipped" },
  unsupported_type: { tone: "warn", label: "Unsupported" },
  refused: { tone: "bad", label: "Refused" },
};

/** What became of each entry of an archive, with links to the documents. */
export function Entries({ document }: { document: DocumentRead }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(entriesQuery(document.id));
  if (error) return <ErrorState error={error} retry={() => void refetch()} title="Could not load the entries" />;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const incomplete = document.entries?.incomplete;
  return (
    <section aria-label="Entries" className="h-full overflow-auto p-4">
      <h2 className="mb-1 text-lg font-semibold">Entries</h2>
      <p className="mb-3 text-sm text-muted">{summary(document.entries)}</p>
      {incomplete ? <p className="mb-3 text-sm text-warn">{incompleteWords(incomplete)}</p> : null}
      <ul className="divide-y divide-line">
        {entries.map((entry) => (
          <EntryRow key={entry.number} entry={entry} />
        ))}
      </ul>
      {hasNextPage ? (
        <div className="mt-3">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { tone, label } = VERDICTS[entry.verdict];
  const name = <span className="break-all">{shownName(entry.path)}</span>;
  return (
    <li className="flex items-baseline justify-between gap-3 py-2">
      <span className="min-w-0">
        {entry.document_id ? (
          <Link to="/documents/$documentId" params={{ documentId: entry.document_id }} className="text-accent underline">
            {name}
          </Link>
        ) : (
          name
        )}
        {entry.code ? <span className="block text-xs text-muted">{entryReason(entry.code)}</span> : null}
      </span>
      <span className="shrink-0">
        <Badge tone={tone}>{label}</Badge>
      </span>
    </li>
  );
}

function summary(counts: DocumentRead["entries"]): string {
  if (!counts) return "";
  const parts = [`${counts.created.toLocaleString("en")} added`];
  if (counts.skipped) parts.push(`${counts.skipped.toLocaleString("en")} skipped`);
  if (counts.unsupported_type) parts.push(`${counts.unsupported_type.toLocaleString("en")} of an unsupported type`);
  if (counts.refused) parts.push(`${counts.refused.toLocaleString("en")} refused`);
  return parts.join(", ");
}
