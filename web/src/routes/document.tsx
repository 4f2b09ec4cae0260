import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { isArchive } from "@/api/documents";
import { allFieldsQuery, documentExtractionsQuery, documentFieldsQuery } from "@/api/extractions";
import { splitsQuery } from "@/api/splits";
import { ErrorState } from "@/components/ErrorState";
import { useDocumentActions } from "@/document/actions";
import { EarlyPages } from "@/document/unread/EarlyPages";
import { Header } from "@/document/header/Header";
import { KeysDialog } from "@/document/KeysDialog";
import { LoadingDocument } from "@/document/LoadingDocument";
import { SidePanel } from "@/document/SidePanel";
import { Split } from "@/document/Split";
import { Tabs } from "@/document/Tabs";
import { Unread } from "@/document/unread/Unread";
import { useDocument } from "@/document/useDocument";
import { useHelpKey } from "@/document/useHelpKey";
import { useLater } from "@/document/useLater";
import { useWide } from "@/document/useWide";
import { showField } from "@/fields/pointing";
import { marksOf } from "@/fields/state";
import { useNaming } from "@/fields/useNaming";
import { parseBox } from "@/viewer/geometry";
import { type Mark, PageViewer } from "@/viewer/PageViewer";

const TABS = [
  { id: "fields", label: "Fields" },
  { id: "text", label: "Text" },
  { id: "json", label: "JSON" },
  { id: "timeline", label: "Timeline" },
  { id: "compare", label: "Compare" },
] as const;
const PARTS_TAB = { id: "parts", label: "Parts" };
const PAGE_TAB = { id: "page", label: "Page" };
/** An archive has entries instead of pages, and no fields. */
const ARCHIVE_TABS = TABS.filter(({ id }) => id === "timeline");
const ENTRIES_TAB = { id: "page", label: "Entries" };
const LINKED = "linked box";

export function DocumentPage() {
  const { documentId } = useParams({ from: "/signed-in/documents/$documentId" });
  return <DocumentView key={documentId} documentId={documentId} />;
}

function DocumentView({ documentId }: { documentId: string }) {
  const search = useSearch({ from: "/signed-in/documents/$documentId" });
  const navigate = useNavigate({ from: "/documents/$documentId" });
  const wide = useWide();
  const { document, state } = useDocument(documentId);
  const actions = useDocumentActions(documentId, state);
  const extractions = useQuery(documentExtractionsQuery(documentId));
  const fields = useQuery(documentFieldsQuery(documentId, search.extraction ?? null));
  const [keys, setKeys] = useState(false);
  useHelpKey(() => setKeys(true));

  const linked = parseBox(search.box);
  const [pointed, setPointed] = useState<string | null>(search.field ?? (linked ? LINKED : null));
  const [page, setPage] = useState(search.page);
  const pageCount = state?.page_count ?? document.data?.page_count;
  const early = pageCount == null ? (document.data?.pages_shown ?? 0) : 0;
  // While there are no pages, show the progress or the reason instead.
  const pageFirst = !wide && (Boolean(search.field) || linked !== null || !pageCount);
  const searched = document.data?.split_needs_review != null;
  const splits = useQuery({ ...splitsQuery(documentId), enabled: searched && Boolean(pageCount) });
  const isPacket = Boolean(splits.data && (splits.data.parts.length > 0 || splits.data.needs_review));
  const archive = document.data != null && isArchive(document.data);
  const main = archive ? "timeline" : isPacket ? PARTS_TAB.id : "fields";
  const tabs = archive ? ARCHIVE_TABS : searched ? [PARTS_TAB, ...TABS] : TABS;
  const asked = search.tab === PAGE_TAB.id || tabs.some(({ id }) => id === search.tab) ? search.tab : undefined;
  const tab = asked ?? (pageFirst ? PAGE_TAB.id : main);
  const change = useCallback(
    (changes: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  );

  const extraction = extractions.data?.find(({ id }) => id === fields.data?.extraction_id);
  const several = extraction !== undefined && extraction.documents.length > 1;
  const whole = useQuery({ ...allFieldsQuery(documentId, extraction?.id ?? ""), enabled: several });
  const rows = (several ? whole.data : fields.data)?.fields;
  const naming = useNaming(extraction);
  const linkedBox = search.box;
  const marks = useMemo(() => {
    const found: Mark[] = marksOf(rows ?? [], documentId, naming);
    const box = parseBox(linkedBox);
    return box ? [...found, { id: LINKED, page: search.page ?? 1, box, tone: "plain" as const, label: "Search result" }] : found;
  }, [rows, documentId, naming, linkedBox, search.page]);

  const changeLater = useLater(change);
  const choose = useCallback(
    (path: string) => {
      const elsewhere = rows?.find((field) => field.path === path && field.document_id !== documentId)?.document_id;
      if (elsewhere !== undefined) {
        void navigate({ to: "/documents/$documentId", params: { documentId: elsewhere }, search: { extraction: extraction?.id, field: path } });
        return;
      }
      setPointed(path);
      if (wide) changeLater({ field: path, box: undefined });
      else change({ field: path, box: undefined, tab: "page" });
    },
    [wide, change, changeLater, rows, documentId, extraction?.id, navigate],
  );
  const pick = useCallback(
    (id: string) => {
      setPointed(id);
      if (id === LINKED) return;
      change({ field: id, tab: "fields" });
      // The list may not be mounted until its tab is.
      window.setTimeout(() => showField(id), 50);
    },
    [change],
  );
  const showPage = (wanted: number) => {
    setPage(wanted);
    if (!wide) change({ tab: "page" });
  };

  if (document.error) return <ErrorState error={document.error} retry={() => void document.refetch()} title="Could not load the document" />;
  if (document.data === undefined) return <LoadingDocument />;
  const pages =
    pageCount != null && pageCount > 0 ? (
      <PageViewer documentId={documentId} pageCount={pageCount} marks={marks} active={pointed} onPick={pick} page={page} />
    ) : early > 0 ? (
      <EarlyPages progress={state?.progress} shown={early}>
        <PageViewer documentId={documentId} pageCount={early} marks={marks} active={pointed} onPick={pick} page={page} />
      </EarlyPages>
    ) : (
      <Unread document={document.data} state={state} retry={() => actions.retry.mutate()} retrying={actions.retry.isPending} />
    );
  const side = (
    <SidePanel
      tab={tab}
      document={document.data}
      state={state}
      fields={several ? whole : fields}
      naming={naming}
      extractions={extractions.data ?? []}
      search={search}
      change={change}
      active={pointed}
      point={setPointed}
      choose={choose}
      showPage={showPage}
      actions={actions}
    />
  );
  const toReview = fields.data?.fields.filter((field) => field.needs_review).length ?? 0;
  return (
    <div className="flex h-full flex-col">
      <Header
        document={document.data}
        state={state}
        actions={actions}
        extractionId={fields.data?.extraction_id ?? null}
        toReview={toReview}
        showKeys={() => setKeys(true)}
      />
      {wide ? (
        <Split
          label="Resize page and fields"
          left={pages}
          right={
            <Tabs tabs={tabs} chosen={tab === PAGE_TAB.id ? main : tab} choose={(id) => change({ tab: id })}>
              {side}
            </Tabs>
          }
        />
      ) : (
        <div className="min-h-0 flex-1">
          <Tabs tabs={[archive ? ENTRIES_TAB : PAGE_TAB, ...tabs]} chosen={tab} choose={(id) => change({ tab: id })}>
            {tab === PAGE_TAB.id ? pages : side}
          </Tabs>
        </div>
      )}
      <KeysDialog open={keys} close={() => setKeys(false)} />
    </div>
  );
}
