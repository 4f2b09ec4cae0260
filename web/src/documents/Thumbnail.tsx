import { File, FileArchive, FileImage, FileSpreadsheet, FileText, Mail } from "lucide-react";
import { useEffect, useState } from "react";
import type { DocumentRead } from "@/api/documents";
import { address } from "@/api/http";

/** Rows that are only scrolled past do not load an image. */
const LOOKED_AT_MS = 150;

export function Thumbnail({ row }: { row: DocumentRead }) {
  const [wanted, setWanted] = useState(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setWanted(true), LOOKED_AT_MS);
    return () => window.clearTimeout(timer);
  }, []);
  const shown = wanted && !failed && row.status === "ready" && (row.page_count ?? 0) > 0;
  return (
    <span className="flex h-11 w-9 shrink-0 items-center justify-center overflow-hidden rounded border border-line bg-sunken text-muted">
      {shown ? (
        <img
          src={address(`/documents/${row.id}/thumbnail`)}
          alt=""
          width={36}
          height={44}
          decoding="async"
          className="size-full bg-page object-cover object-top"
          onError={() => setFailed(true)}
        />
      ) : (
        <KindIcon mediaType={row.media_type ?? ""} />
      )}
    </span>
  );
}

function KindIcon({ mediaType }: { mediaType: string }) {
  const look = { "aria-hidden": true, className: "size-4" };
  if (mediaType.startsWith("image/")) return <FileImage {...look} />;
  if (/spreadsheet|excel|csv/.test(mediaType)) return <FileSpreadsheet {...look} />;
  if (/zip|archive|compressed/.test(mediaType)) return <FileArchive {...look} />;
  if (/rfc822|outlook|mbox/.test(mediaType)) return <Mail {...look} />;
  return /pdf|word|text|presentation|opendocument/.test(mediaType) ? <FileText {...look} /> : <File {...look} />;
}
