import type { UseQueryResult } from "@tanstack/react-query";
import { Braces, FileText, Hourglass, ListX } from "lucide-react";
import { type DocumentRead, type DocumentState, inProgress } from "@/api/documents";
import type { DocumentFields, ExtractionSummary } from "@/api/extractions";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { SkeletonRows } from "@/components/Skeleton";
import type { Naming } from "@/fields/naming";
import type { useDocumentActions } from "./actions";
import { CompareTab } from "@/document/compare/CompareTab";
import { FieldsTab } from "@/document/fields/FieldsTab";
import { JsonTab } from "@/document/content/JsonTab";
import { NoFields } from "@/document/fields/NoFields";
import { PartsTab } from "@/document/packet/PartsTab";
import { TextTab } from "@/document/content/TextTab";
import { TimelineTab } from "@/document/content/TimelineTab";

interface Search {
  extraction?: string | undefined;
  other?: string | undefined;
}

interface Props {
  tab: string;
  document: DocumentRead;
  state: DocumentState | undefined;
  fields: UseQueryResult<DocumentFields>;
  naming: Naming;
  extractions: readonly ExtractionSummary[];
  search: Search;
  change: (changes: Search) => void;
  active: string | null;
  point: (path: string) => void;
  choose: (path: string) => void;
  showPage: (page: number) => void;
  actions: ReturnType<typeof useDocumentActions>;
}

/** The selected tab next to the page. */
export function SidePanel(props: Props) {
  const { tab, document, state, fields, extractions, search, change, choose, showPage } = props;
  const read = (state?.page_count ?? document.page_count) != null;
  switch (tab) {
    case "text":
      return read || document.pages_shown ? <TextTab documentId={document.id} showPage={showPage} /> : <NotYet icon={<FileText aria-hidden className="size-8" />} what="text" />;
    case "json": {
      const id = fields.data?.extraction_id;
      return id ? <JsonTab extractionId={id} filename={document.filename} /> : <NotYet icon={<Braces aria-hidden className="size-8" />} what="fields" />;
    }
    case "parts":
      return <PartsTab documentId={document.id} showPage={showPage} />;
    case "timeline":
      return <TimelineTab documentId={document.id} />;
    case "compare":
      return <CompareTab extractions={extractions} here={search.extraction} there={search.other} choose={change} point={choose} />;
    default:
      return <Fields {...props} read={read} />;
  }
}

function Fields({ document, state, fields, naming, extractions, change, active, point, choose, actions, read }: Props & { read: boolean }) {
  if (fields.error) return <ErrorState error={fields.error} retry={() => void fields.refetch()} />;
  if (fields.data === undefined) return <div className="p-3"><SkeletonRows rows={10} /></div>;
  const { extraction_id: id } = fields.data;
  if (id !== null) {
    return (
      <FieldsTab
        documentId={document.id}
        fields={fields.data.fields}
        naming={naming}
        extractions={extractions}
        extraction={extractions.find((each) => each.id === id)}
        state={state}
        chooseExtraction={(extraction) => change({ extraction })}
        active={active}
        point={point}
        choose={choose}
      />
    );
  }
  const coming = inProgress(state?.status) || inProgress(state?.extraction?.status);
  if (coming && !fields.data.schema_requested && !inProgress(state?.extraction?.status)) {
    return (
      <EmptyState icon={<ListX aria-hidden className="size-8" />} title="No schema selected">
        No fields will be extracted, because neither the upload nor its project names a schema. You can choose one once the document has been read.
      </EmptyState>
    );
  }
  if (coming) {
    return (
      <EmptyState icon={<Hourglass aria-hidden className="size-8" />} title={read ? "Extracting fields" : "Fields follow after the pages"}>
        They appear here automatically.
      </EmptyState>
    );
  }
  if (!read) {
    return (
      <EmptyState icon={<FileText aria-hidden className="size-8" />} title="No fields">
        The document could not be read, so no fields were extracted. See the timeline for details.
      </EmptyState>
    );
  }
  return <NoFields likely={document.class} reason={document.no_fields} busy={actions.extract.isPending} extract={(schema) => actions.extract.mutate(schema)} />;
}

function NotYet({ icon, what }: { icon: React.ReactNode; what: string }) {
  return (
    <EmptyState icon={icon} title={`No ${what} yet`}>
      {what === "text" ? "The text appears here once the document has been read." : "They appear here once they have been extracted."}
    </EmptyState>
  );
}
