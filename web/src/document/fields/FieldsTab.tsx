import { CircleAlert } from "lucide-react";
import { useState } from "react";
import type { ExtractionSummary, Field } from "@/api/extractions";
import type { DocumentState } from "@/api/documents";
import { Badge } from "@/components/Badge";
import { Confidence } from "@/components/Confidence";
import { Select } from "@/components/Inputs";
import { FieldList } from "@/fields/FieldList";
import type { Naming } from "@/fields/naming";
import { isAbsent } from "@/fields/state";
import { extractionInWords, schemaInWords } from "@/document/extractionWords";
import { reasonOf } from "@/document/reasons";
import { ResultDocuments } from "./ResultDocuments";

interface Props {
  documentId: string;
  fields: readonly Field[];
  naming: Naming;
  extractions: readonly ExtractionSummary[];
  extraction: ExtractionSummary | undefined;
  state: DocumentState | undefined;
  chooseExtraction: (id: string) => void;
  active: string | null;
  point: (path: string) => void;
  choose: (path: string) => void;
}

export function FieldsTab({ documentId, fields, naming, extractions, extraction, state, chooseExtraction, active, point, choose }: Props) {
  const [onlyReview, setOnlyReview] = useState(false);
  const completed = extractions.filter(({ status }) => status === "completed");
  const toReview = fields.filter((field) => field.needs_review);
  const found = fields.filter((field) => !isAbsent(field)).length;
  const shown = onlyReview && toReview.length > 0 ? toReview : fields;
  const failed = state?.extraction?.status === "failed" ? state.extraction.error : null;
  return (
    <div className="flex flex-col gap-3 p-3">
      {failed ? (
        <p role="alert" className="flex items-start gap-2 rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          The last search for fields failed: {reasonOf(failed).advice}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        {completed.length > 1 ? (
          <Select aria-label="Result" className="max-w-full" value={extraction?.id ?? ""} onChange={(event) => chooseExtraction(event.target.value)}>
            {completed.map((each) => (
              <option key={each.id} value={each.id}>
                {extractionInWords(each)}
              </option>
            ))}
          </Select>
        ) : (
          <h2 className="font-semibold">{schemaInWords(extraction?.schema ?? null)}</h2>
        )}
        {extraction?.confidence != null ? <Confidence value={extraction.confidence} /> : null}
        <span className="text-muted">{found} found</span>
        {extraction?.verified_at ? <Badge tone="good">Reviewed</Badge> : null}
        {toReview.length > 0 ? (
          <label className="ml-auto inline-flex min-h-6 items-center gap-2">
            <input type="checkbox" className="size-4 accent-accent" checked={onlyReview} onChange={(event) => setOnlyReview(event.target.checked)} />
            Only the {toReview.length} to check
          </label>
        ) : null}
      </div>
      {extraction && (extraction.documents.length > 1 || extraction.batch_id) ? <ResultDocuments extraction={extraction} here={documentId} /> : null}
      <FieldList fields={shown} here={documentId} naming={naming} active={active} point={point} choose={choose} />
    </div>
  );
}
