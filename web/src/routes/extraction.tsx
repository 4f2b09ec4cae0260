import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "@tanstack/react-router";
import { FileX } from "lucide-react";
import { extractionQuery } from "@/api/extractions";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { LoadingDocument } from "@/document/LoadingDocument";

/** An extraction is shown at its first readable document, which lists the others. */
export function ExtractionPage() {
  const { extractionId } = useParams({ from: "/signed-in/extractions/$extractionId" });
  const { data, error, refetch } = useQuery(extractionQuery(extractionId));
  if (error) return <ErrorState error={error} retry={() => void refetch()} title="Could not load the result" />;
  if (data === undefined) return <LoadingDocument />;
  const unread = new Set(data.missing.map((each) => each.document_id));
  const documentId = data.documents.find((id) => !unread.has(id)) ?? data.documents[0];
  if (documentId === undefined) return <EmptyState icon={<FileX aria-hidden className="size-8" />} title="Its documents have been deleted" />;
  return <Navigate to="/documents/$documentId" params={{ documentId }} search={{ extraction: extractionId }} replace />;
}
