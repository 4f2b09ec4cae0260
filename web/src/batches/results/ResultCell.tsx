import { Link } from "@tanstack/react-router";
import { PencilLine } from "lucide-react";
import type { Result } from "@/api/batches";
import { Badge } from "@/components/Badge";
import { classes } from "@/components/classes";
import { Confidence } from "@/components/Confidence";
import { valueInWords } from "@/fields/state";
import { type Column, isAbsent, listInWords, valueAt } from "./columns";

export interface NamedColumn extends Column {
  label: string;
}

/** Up to this many characters, a value is kept on one line. */
const SHORT = 18;

/** A value with its confidence. It links to its location on the page. */
export function ResultCell({ result, column, inline = false }: { result: Result; column: NamedColumn; inline?: boolean }) {
  const value = valueAt(result.value, column.path);
  const field = result.fields?.find(({ path }) => path === column.path);
  const documentId = field?.document_id ?? result.documents[0]?.id;
  const absent = isAbsent(value);
  if (absent && !field?.needs_review) return <span className="text-muted">—</span>;
  const text = absent ? "Not found" : Array.isArray(value) ? listInWords(value) : valueInWords(value);
  return (
    <div className={classes("inline-flex max-w-full gap-x-3 gap-y-0.5", inline ? "flex-wrap items-center" : "flex-col items-start", text.length > SHORT && !inline && "min-w-44")}>
      {documentId === undefined ? (
        <span className="line-clamp-2 break-words">{text}</span>
      ) : (
        <Link
          to="/documents/$documentId"
          params={{ documentId }}
          search={column.list ? { extraction: result.extraction_id } : { extraction: result.extraction_id, field: column.path }}
          preload={false}
          title={text}
          className={classes("line-clamp-2 min-h-6 rounded hover:text-accent hover:underline", text.length > SHORT ? "break-words" : "whitespace-nowrap")}
        >
          {text}
        </Link>
      )}
      {field ? (
        <span className="flex items-center gap-2">
          {field.confidence === null ? <Corrected /> : absent ? null : <Confidence value={field.confidence} compact />}
          {field.needs_review ? <Badge tone="warn">Review</Badge> : null}
        </span>
      ) : null}
    </div>
  );
}

function Corrected() {
  return (
    <span className="inline-flex items-center gap-1 text-xs text-muted">
      <PencilLine aria-hidden className="size-3" />
      Corrected
    </span>
  );
}
