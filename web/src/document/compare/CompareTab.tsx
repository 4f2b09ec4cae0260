import { useQuery } from "@tanstack/react-query";
import { GitCompareArrows } from "lucide-react";
import { useId, useState } from "react";
import { comparisonQuery, type ExtractionSummary } from "@/api/extractions";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { Select } from "@/components/Inputs";
import { SkeletonRows } from "@/components/Skeleton";
import { useNaming } from "@/fields/useNaming";
import { ComparisonTable } from "./ComparisonTable";
import { extractionInWords } from "@/document/extractionWords";

interface Props {
  extractions: readonly ExtractionSummary[];
  here: string | undefined;
  there: string | undefined;
  choose: (chosen: { extraction?: string; other?: string }) => void;
  point: (path: string) => void;
}

export function CompareTab({ extractions, here, there, choose, point }: Props) {
  const completed = extractions.filter(({ status }) => status === "completed");
  const first = completed.find(({ id }) => id === here) ?? completed[0];
  const second = completed.find(({ id }) => id === there && id !== first?.id) ?? completed.find(({ id }) => id !== first?.id);
  if (first === undefined || second === undefined) {
    return (
      <EmptyState icon={<GitCompareArrows aria-hidden className="size-8" />} title="Nothing to compare yet">
        Choose “Reprocess” with different fields or a different engine. Both results then appear here side by side.
      </EmptyState>
    );
  }
  return (
    <div className="@container flex flex-col gap-3 p-3">
      <div className="grid gap-3 @2xl:grid-cols-2">
        <Choice label="This result" value={first.id} options={completed} choose={(id) => choose({ extraction: id })} />
        <Choice label="Compared with" value={second.id} options={completed.filter(({ id }) => id !== first.id)} choose={(id) => choose({ other: id })} />
      </div>
      <Differences here={first} there={second} point={point} />
    </div>
  );
}

function Choice({ label, value, options, choose }: { label: string; value: string; options: readonly ExtractionSummary[]; choose: (id: string) => void }) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-muted">
        {label}
      </label>
      <Select id={id} value={value} onChange={(event) => choose(event.target.value)}>
        {options.map((each) => (
          <option key={each.id} value={each.id}>
            {extractionInWords(each)}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Differences({ here, there, point }: { here: ExtractionSummary; there: ExtractionSummary; point: (path: string) => void }) {
  const { data, error, refetch } = useQuery(comparisonQuery(here.id, there.id));
  const naming = useNaming(here);
  const [all, setAll] = useState(false);
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows />;
  const shown = all ? data.fields : data.fields.filter(({ outcome }) => outcome !== "same");
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <p role="status">
          <strong>{data.different === 0 ? "No difference" : data.different === 1 ? "1 difference" : `${data.different} differences`}</strong>
          <span className="text-muted">, {data.same} the same</span>
        </p>
        <label className="ml-auto inline-flex min-h-6 items-center gap-2">
          <input type="checkbox" className="size-4 accent-accent" checked={all} onChange={(event) => setAll(event.target.checked)} />
          Also show equal fields
        </label>
      </div>
      {shown.length > 0 ? <ComparisonTable fields={shown} naming={naming} point={point} /> : null}
    </>
  );
}
