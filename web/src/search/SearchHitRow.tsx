import { Link } from "@tanstack/react-router";
import { FileText } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { imageAddress } from "@/api/pages";
import type { SearchHit } from "@/api/search";
import { Badge } from "@/components/Badge";
import { shownName } from "@/components/shownName";
import { nameInWords } from "@/fields/path";
import { boxOf, shownParts } from "./snippet";

const THUMBNAIL = 160;
const MAX_COPIES = 3;

interface Props {
  hit: SearchHit;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A search hit. It opens the document, or one of its duplicates, at the matching line. */
export function SearchHitRow({ hit, onKeyDown }: Props) {
  return (
    <>
      <Passage hit={hit} onKeyDown={onKeyDown} />
      {hit.also_in.length > 0 ? <Copies hit={hit} /> : null}
    </>
  );
}

function Copies({ hit }: { hit: SearchHit }) {
  const shown = hit.also_in.slice(0, MAX_COPIES);
  const more = hit.also_in.length - shown.length;
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 px-3 pt-1 text-sm text-muted">
      The same document:
      {shown.map((copy) => (
        <Link
          key={copy.document_id}
          to="/documents/$documentId"
          params={{ documentId: copy.document_id }}
          search={{ page: hit.page, box: boxOf(hit) }}
          preload={false}
          className="max-w-60 truncate rounded text-accent underline"
        >
          {shownName(copy.filename)}
        </Link>
      ))}
      {more > 0 ? <span>and {more} more</span> : null}
    </p>
  );
}

function Passage({ hit, onKeyDown }: Props) {
  return (
    <Link
      to="/documents/$documentId"
      params={{ documentId: hit.document_id }}
      search={{ page: hit.page, box: boxOf(hit) }}
      preload={false}
      data-hit
      onKeyDown={onKeyDown}
      className="flex gap-4 rounded-xl border border-line bg-surface p-3 hover:border-accent focus-visible:border-accent"
    >
      <Thumbnail documentId={hit.document_id} page={hit.page} />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{shownName(hit.filename)}</span>
          {hit.class ? <Badge>{nameInWords(hit.class)}</Badge> : null}
          <span className="text-sm whitespace-nowrap text-muted">Page {hit.page}</span>
          <MatchTag matchedBy={hit.matched_by} />
          {hit.kind === "table" ? <span className="text-sm text-muted">in a table</span> : null}
        </span>
        {hit.heading ? <span className="truncate text-sm font-medium text-muted">{hit.heading}</span> : null}
        <Snippet hit={hit} />
      </span>
    </Link>
  );
}

/** Marks a passage that does not contain the words of the query. */
function MatchTag({ matchedBy }: { matchedBy: SearchHit["matched_by"] }) {
  if (matchedBy.includes("words")) return null;
  return <Badge>{matchedBy[0] === "spelling" ? "Similar spelling" : "Similar meaning"}</Badge>;
}

function Snippet({ hit }: { hit: SearchHit }) {
  return (
    <span className="text-sm leading-relaxed [overflow-wrap:anywhere] text-muted">
      {shownParts(hit.snippet).map((part, index) =>
        part.hit ? (
          <mark key={index} className="rounded-sm bg-warn-soft px-0.5 font-medium text-ink">
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </span>
  );
}

function Thumbnail({ documentId, page }: { documentId: string; page: number }) {
  const [missing, setMissing] = useState(false);
  return (
    <span className="flex h-24 w-18 shrink-0 items-start justify-center overflow-hidden rounded-md border border-line bg-page">
      {missing ? (
        <FileText aria-hidden className="m-auto size-6 text-line-strong" />
      ) : (
        <img
          src={imageAddress(documentId, page, THUMBNAIL)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setMissing(true)}
          className="w-full object-cover object-top"
        />
      )}
    </span>
  );
}
