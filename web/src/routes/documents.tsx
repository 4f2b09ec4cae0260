import { useNavigate, useSearch } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useMemo, useState } from "react";
import type { Sort } from "@/api/documents";
import { useMay } from "@/api/session";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { DocumentTable, SkeletonRow } from "@/documents/DocumentTable";
import { filterOf, narrows, NEWEST_FIRST } from "@/documents/filter";
import { FilterBar } from "@/documents/FilterBar";
import { FirstStart } from "@/documents/FirstStart";
import { SelectionBar } from "@/documents/SelectionBar";
import { useShownProject } from "@/documents/shownProject";
import { useDocumentList } from "@/documents/useDocumentList";
import { useSelection } from "@/documents/useSelection";
import { documentsInWords } from "@/documents/words";
import { UploadButton, UploadDialog } from "@/upload/UploadDialog";

export function DocumentsPage() {
  const search = useSearch({ from: "/signed-in/documents" });
  const { q, status, sort, class: kind } = search;
  const project = useShownProject();
  const mayWrite = useMay("write");
  // Held by the page, because the button that opened the dialog goes away when the list turns out to be empty, or no longer is.
  const [uploading, setUploading] = useState(false);
  const upload = () => setUploading(true);
  const filter = useMemo(() => filterOf({ q, status, sort, class: kind }, project), [q, status, sort, kind, project]);
  const list = useDocumentList(filter);
  const selected = useSelection(list);
  const navigate = useNavigate({ from: "/documents" });
  const toSort = (next: Sort) => void navigate({ search: (former) => ({ ...former, sort: next === NEWEST_FIRST ? undefined : next }), replace: true });
  const loading = list.isPending || (list.isFormer && list.total === 0);
  const broken = list.error !== null && list.rows.length === 0;
  const empty = !loading && !broken && list.total === 0;
  const firstStart = empty && !narrows(search);
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-3 px-3 pt-4 pb-3 md:px-6">
        <div className="flex items-center gap-3">
          <h1 className="text-xl font-semibold max-sm:sr-only">Documents</h1>
          <p role="status" className="mr-auto truncate pt-1 text-sm text-muted tabular-nums">
            {selected.gathering ? "Selecting all…" : loading || broken || firstStart ? null : documentsInWords(list.total)}
          </p>
          {mayWrite && !firstStart ? <UploadButton onClick={upload} /> : null}
        </div>
        {firstStart ? null : (
          <div className="min-h-20 sm:min-h-9">
            {selected.rows.length > 0 ? <SelectionBar rows={selected.rows} clear={selected.clear} /> : <FilterBar search={search} sort={filter.sort} />}
          </div>
        )}
      </div>
      {firstStart ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <FirstStart mayWrite={mayWrite} project={project} upload={upload} />
        </div>
      ) : empty ? (
        <NothingMatches clear={() => void navigate({ search: {}, replace: true })} />
      ) : loading ? (
        <LoadingRows />
      ) : broken ? (
        <ErrorState error={list.error} retry={list.retry} title="Could not load documents" />
      ) : (
        <DocumentTable list={list} sort={filter.sort} onSort={toSort} selectable={mayWrite} selected={selected} />
      )}
      <UploadDialog open={uploading} close={() => setUploading(false)} />
    </div>
  );
}

function NothingMatches({ clear }: { clear: () => void }) {
  return (
    <EmptyState icon={<SearchX aria-hidden className="size-8" />} title="No matching documents" actions={<Button onClick={clear}>Show all documents</Button>}>
      Try a shorter part of the name, or a different status or kind.
    </EmptyState>
  );
}

function LoadingRows() {
  return (
    <div role="status" aria-label="Loading documents" className="min-h-0 flex-1 overflow-hidden bg-surface">
      <div className="hidden h-10 border-y border-line bg-sunken lg:block" />
      {Array.from({ length: 12 }, (_, place) => (
        <div key={place} className="h-[76px] border-b border-line lg:h-[60px]">
          <SkeletonRow />
        </div>
      ))}
    </div>
  );
}
