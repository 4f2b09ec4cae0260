import { useQuery } from "@tanstack/react-query";
import { type DocumentRead, detailsQuery } from "@/api/documents";
import { Badge } from "@/components/Badge";
import { shownName } from "@/components/shownName";

/** Parts of the document that were not read because of a limit. The first names are shown on hover. */
export function LeftOut({ document }: { document: DocumentRead }) {
  const { data } = useQuery({ ...detailsQuery(document.id), enabled: document.status === "ready" });
  return data?.left_out?.map(({ what, count, names }) => (
    <span key={what} title={names?.map(shownName).join(", ")}>
      <Badge tone="warn">
        <span className="capitalize">{what}</span> left out: {count.toLocaleString()}
      </Badge>
    </span>
  ));
}
