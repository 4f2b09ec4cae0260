import { useQuery } from "@tanstack/react-query";
import { ListPlus } from "lucide-react";
import type { DocumentRead } from "@/api/documents";
import { schemasQuery } from "@/api/schemas";
import { useMay } from "@/api/session";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { SkeletonRows } from "@/components/Skeleton";
import { nameInWords } from "@/fields/path";

interface Props {
  /** The document's class: a schema with that name comes first. */
  likely: string | null;
  /** Why no schema was chosen by the class of the document. */
  reason: DocumentRead["no_fields"];
  extract: (schema: string) => void;
  busy: boolean;
}

const WHY: Record<string, string> = {
  class_uncertain: "The document was read, but its class is uncertain, so no schema was chosen.",
  class_without_schema: "The document was read, but its project has no schema for documents of this class.",
};

/** Shown when no schema was named or chosen for the document. */
export function NoFields({ likely, reason, extract, busy }: Props) {
  const may = useMay("write");
  const { data: schemas, error, refetch } = useQuery({ ...schemasQuery, enabled: may });
  const why = (reason && WHY[reason.code]) ?? "The document was read, but no schema was selected for extraction.";
  if (!may) {
    return (
      <EmptyState icon={<ListPlus aria-hidden className="size-8" />} title="No schema selected">
        {why}
      </EmptyState>
    );
  }
  const named = likely?.replaceAll("_", "-");
  const sorted = schemas?.toSorted((one, other) => Number(other.name === named) - Number(one.name === named));
  return (
    <div className="flex flex-col gap-4 p-4">
      <div>
        <h2 className="text-lg font-semibold">Extract fields</h2>
        <p className="text-muted">{why} What kind of document is it?</p>
      </div>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : null}
      {sorted === undefined && !error ? <SkeletonRows /> : null}
      <ul className="grid gap-2 sm:grid-cols-2">
        {sorted?.map((schema) => (
          <li key={schema.name}>
            <button
              type="button"
              disabled={busy}
              onClick={() => extract(schema.name)}
              className="flex size-full flex-col gap-1 rounded-xl border border-line bg-surface p-3 text-left hover:border-accent disabled:opacity-55"
            >
              <span className="font-medium">{schema.title ?? nameInWords(schema.name)}</span>
              {schema.description ? <span className="text-sm text-muted">{schema.description}</span> : null}
              <span className="mt-auto text-xs text-muted">{schema.field_count} fields</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
