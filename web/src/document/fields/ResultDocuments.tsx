import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Files, Layers } from "lucide-react";
import { useState } from "react";
import { documentQuery } from "@/api/documents";
import type { ExtractionSummary } from "@/api/extractions";
import { shownName } from "@/components/shownName";
import { documentsInWords } from "@/documents/words";
import { reasonOf } from "@/document/reasons";

const SHOWN_AT_FIRST = 8;

/** All documents that a result was made of, those that could not be read, and the batch that it belongs to. */
export function ResultDocuments({ extraction, here }: { extraction: ExtractionSummary; here: string }) {
  const { documents, missing, batch_id: batchId, group } = extraction;
  const [all, setAll] = useState(false);
  const shown = all ? documents : documents.slice(0, SHOWN_AT_FIRST);
  return (
    <section aria-label="Documents of this result" className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-3 text-sm">
      {batchId === null ? null : (
        <Link to="/batches/$batchId" params={{ batchId }} className="inline-flex min-h-6 items-center gap-2 self-start text-accent underline">
          <Layers aria-hidden className="size-4 shrink-0" />
          Result “{shownName(group ?? "")}” of a batch
        </Link>
      )}
      {documents.length > 1 ? (
        <>
          <h2 className="flex items-center gap-2 font-medium">
            <Files aria-hidden className="size-4 shrink-0 text-muted" />
            This result comes from {documentsInWords(documents.length)}
          </h2>
          <Names ids={shown} extraction={extraction} here={here} />
        </>
      ) : null}
      {shown.length < documents.length ? (
        <button type="button" className="min-h-6 self-start text-accent underline" onClick={() => setAll(true)}>
          Show all {documents.length}
        </button>
      ) : null}
      {missing
        .filter((each) => each.document_id === null)
        .map((each, place) => (
          <p key={place} className="text-xs text-warn">
            {each.message}
          </p>
        ))}
    </section>
  );
}

function Names({ ids, extraction, here }: { ids: readonly string[]; extraction: ExtractionSummary; here: string }) {
  const named = useQueries({ queries: ids.map((id) => ({ ...documentQuery(id), staleTime: 60_000 })) });
  return (
    <ol className="flex flex-col gap-1">
      {ids.map((id, place) => {
        const filename = named[place]?.data?.filename;
        const left = extraction.missing.find((each) => each.document_id === id);
        const name = filename === undefined ? `Document ${place + 1}` : shownName(filename);
        return (
          <li key={id} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {id === here ? (
              <span aria-current="page" className="min-h-6 font-medium wrap-anywhere">
                {name}
              </span>
            ) : (
              <Link to="/documents/$documentId" params={{ documentId: id }} search={{ extraction: extraction.id }} className="min-h-6 wrap-anywhere text-accent underline">
                {name}
              </Link>
            )}
            {id === here ? <span className="text-xs text-muted">shown here</span> : null}
            {left ? <span className="text-xs text-warn">left out: {reasonOf(left).title.toLowerCase()}</span> : null}
          </li>
        );
      })}
    </ol>
  );
}
