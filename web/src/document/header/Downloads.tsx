import { useMutation } from "@tanstack/react-query";
import { Braces, Download, FileDown, FileSearch, FileText, FileType } from "lucide-react";
import type { DocumentRead } from "@/api/documents";
import { extractionQuery } from "@/api/extractions";
import { address, send } from "@/api/http";
import { explain } from "@/components/explain";
import { MENU_ITEM, Menu } from "@/components/Menu";
import { showToast } from "@/state/toasts";
import { useQueryClient } from "@tanstack/react-query";
import { saveAs, withEnding } from "./saving";

interface Props {
  document: DocumentRead;
  hasPages: boolean;
  extractionId: string | null;
}

export function Downloads({ document, hasPages, extractionId }: Props) {
  const queries = useQueryClient();
  const refused = (error: Error) => showToast({ tone: "bad", text: `Download failed. ${explain(error)}` });
  const content = useMutation({
    mutationFn: async ({ format, ending }: { format: "markdown" | "text"; ending: string }) => {
      const answer = await send(`/documents/${document.id}/content?format=${format}`);
      saveAs(await answer.blob(), withEnding(document.filename, ending));
    },
    onError: refused,
  });
  const isScannable = document.media_type === "application/pdf" || document.media_type?.startsWith("image/") === true;
  const json = useMutation({
    mutationFn: async (id: string) => {
      const extraction = await queries.fetchQuery(extractionQuery(id));
      const content = JSON.stringify(extraction.corrected_value ?? extraction.value, null, 2);
      saveAs(new Blob([content], { type: "application/json" }), withEnding(document.filename, "json"));
    },
    onError: refused,
  });
  return (
    <Menu label="Download" icon={<Download aria-hidden className="size-4" />}>
      {(close) => (
        <>
          {document.original_deleted_at === null ? (
            <a href={address(`/documents/${document.id}/file`)} download onClick={close} className={MENU_ITEM}>
              <FileDown aria-hidden className="size-4" /> Original file
            </a>
          ) : (
            <button type="button" disabled className={MENU_ITEM}>
              <FileDown aria-hidden className="size-4" /> Original file was deleted
            </button>
          )}
          {isScannable && hasPages && document.original_deleted_at === null && (
            <a href={address(`/documents/${document.id}/file?searchable=true`)} download onClick={close} className={MENU_ITEM}>
              <FileSearch aria-hidden className="size-4" /> Searchable PDF
            </a>
          )}
          <button
            type="button"
            disabled={!hasPages}
            className={MENU_ITEM}
            onClick={() => (content.mutate({ format: "markdown", ending: "md" }), close())}
          >
            <FileType aria-hidden className="size-4" /> Markdown
          </button>
          <button
            type="button"
            disabled={!hasPages}
            className={MENU_ITEM}
            onClick={() => (content.mutate({ format: "text", ending: "txt" }), close())}
          >
            <FileText aria-hidden className="size-4" /> Text
          </button>
          <button
            type="button"
            disabled={extractionId === null}
            className={MENU_ITEM}
            onClick={() => {
              if (extractionId !== null) json.mutate(extractionId);
              close();
            }}
          >
            <Braces aria-hidden className="size-4" /> Fields as JSON
          </button>
        </>
      )}
    </Menu>
  );
}
