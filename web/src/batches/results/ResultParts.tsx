/** Parts of a result that table and cards share. */

import { Link } from "@tanstack/react-router";
import { CircleAlert, ListChecks } from "lucide-react";
import type { Result } from "@/api/batches";
import { classes } from "@/components/classes";
import { shownName } from "@/components/shownName";
import { StatusBadge } from "@/components/StatusBadge";
import { reasonOf } from "@/document/reasons";
import { documentsInWords } from "@/documents/words";

/** The name of the group, which opens its first document with this result, and its documents if there are several. */
export function GroupName({ result }: { result: Result }) {
  const [first] = result.documents;
  const name = <span className="line-clamp-2 wrap-anywhere">{shownName(result.group)}</span>;
  const others = result.documents.length > 1;
  return (
    <div className="flex flex-col gap-1">
      {first ? (
        <Link
          to="/documents/$documentId"
          params={{ documentId: first.id }}
          search={result.status === "completed" ? { extraction: result.extraction_id } : {}}
          preload={false}
          title={shownName(result.group)}
          className="min-h-6 rounded font-medium hover:text-accent hover:underline"
        >
          {name}
        </Link>
      ) : (
        <span className="font-medium">{name}</span>
      )}
      {others ? (
        <span className="line-clamp-2 text-xs wrap-anywhere text-muted" title={result.documents.map(({ filename }) => shownName(filename)).join(", ")}>
          {documentsInWords(result.documents.length)}: {result.documents.map(({ filename }) => shownName(filename)).join(", ")}
        </span>
      ) : null}
      <Missing result={result} />
    </div>
  );
}

/** Documents of the group that could not be read. The result is made of the others. */
function Missing({ result: { missing } }: { result: Result }) {
  return missing.map((each) => (
    <span key={each.document_id ?? each.message} className="text-xs text-warn">
      Without {each.filename ? shownName(each.filename) : "a deleted document"}: {reasonOf(each).title.toLowerCase()}
    </span>
  ));
}

/** The status of a result that has no values, with the reason if it failed: that of its documents first. */
export function Outcome({ result }: { result: Result }) {
  const { status } = result;
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
      <StatusBadge status={status} />
      <ul className={classes("flex min-w-0 flex-col gap-1", status === "failed" ? "text-bad" : "text-warn")}>
        {reasonsOf(result).map((reason) => (
          <li key={reason} className="flex items-start gap-1.5 break-words">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

function reasonsOf({ documents, error }: Result): string[] {
  if (error === null) return [];
  const unread = documents.flatMap(({ filename, error: reason }) => (reason ? [`${shownName(filename)}: ${inShort(reason)}`] : []));
  return unread.length > 0 ? unread : [error.message || inShort(error)];
}

function inShort(error: { code: string; message: string }): string {
  const { title, advice } = reasonOf(error);
  return advice === error.message ? error.message : `${title}. ${advice}`;
}

export function ReviewLink({ result }: { result: Result }) {
  const document = result.fields?.find((field) => field.needs_review)?.document_id ?? result.documents[0]?.id;
  if (!result.needs_review || document === undefined) return null;
  return (
    <Link to="/review" search={{ document }} preload={false} className="inline-flex min-h-6 items-center gap-1 rounded-full bg-warn-soft px-2 text-xs font-medium whitespace-nowrap text-warn hover:underline">
      <ListChecks aria-hidden className="size-3.5" />
      Needs review
    </Link>
  );
}
