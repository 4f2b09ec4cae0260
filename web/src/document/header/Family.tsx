import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CornerLeftUp, Paperclip } from "lucide-react";
import { childrenQuery, type DocumentRead, documentQuery } from "@/api/documents";
import { MENU_ITEM, Menu } from "@/components/Menu";
import { shownName } from "@/components/shownName";

/** The document this one is attached to or embedded in. */
export function ParentLink({ id }: { id: string }) {
  const { data: parent } = useQuery(documentQuery(id));
  return (
    <Link to="/documents/$documentId" params={{ documentId: id }} className="inline-flex min-w-0 items-center gap-1 text-accent underline">
      <CornerLeftUp aria-hidden className="size-3.5 shrink-0" />
      <span className="max-w-60 truncate">From {parent ? shownName(parent.filename) : "another document"}</span>
    </Link>
  );
}

/** The documents embedded in this one. Requested only for types that can contain documents. */
export function Children({ document }: { document: DocumentRead }) {
  const { data } = useQuery({ ...childrenQuery(document.id), enabled: document.status === "ready" });
  // The parts of a packet have a separate tab.
  const children = (data?.documents ?? []).filter((child) => child.first_page == null);
  if (children.length === 0) return null;
  return (
    <Menu label={children.length === 1 ? "1 attachment" : `${children.length} attachments`} icon={<Paperclip aria-hidden className="size-4" />}>
      {(close) =>
        children.map((child) => (
          <Link key={child.id} to="/documents/$documentId" params={{ documentId: child.id }} onClick={close} className={MENU_ITEM}>
            <span className="max-w-64 truncate">{shownName(child.filename)}</span>
          </Link>
        ))
      }
    </Menu>
  );
}
