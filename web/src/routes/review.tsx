import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { FileQuestion } from "lucide-react";
import { useEffect, useMemo } from "react";
import { documentQuery } from "@/api/documents";
import { documentFieldsQuery } from "@/api/extractions";
import { leftQuery, reviewQueueQuery } from "@/api/fields";
import { sessionQuery } from "@/api/session";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { groupsOf } from "@/review/walk/queue";
import { ReviewSkeleton } from "@/review/ReviewSkeleton";
import { ReviewWalk } from "@/review/walk/ReviewWalk";
import { openReview, outbox } from "@/review/walk/session";
import { useProject } from "@/state/project";

export function ReviewPage() {
  const { document } = useSearch({ from: "/signed-in/review" });
  const project = useProject();
  useOpenReview();
  return (
    <>
      <h1 className="sr-only">Review</h1>
      {document === undefined ? <WholeQueue key={project} project={project} /> : <OneDocument key={document} documentId={document} />}
    </>
  );
}

function WholeQueue({ project }: { project: string | null }) {
  const queries = useQueryClient();
  const queue = useInfiniteQuery(reviewQueueQuery(project));
  const groups = useMemo(() => groupsOf(queue.data?.pages.flatMap((page) => page.fields) ?? []), [queue.data]);
  if (queue.isPending) return <ReviewSkeleton />;
  if (queue.isError && groups.length === 0) return <ErrorState error={queue.error} retry={() => void queue.refetch()} />;
  const restart = () => {
    void queries.resetQueries(reviewQueueQuery(project));
    void queries.invalidateQueries(leftQuery(project));
  };
  const more = queue.hasNextPage && !queue.isFetching && !queue.isError ? () => void queue.fetchNextPage() : null;
  return <ReviewWalk groups={groups} more={more} isMoreComing={queue.isFetching || more !== null} document={undefined} restart={restart} />;
}

function OneDocument({ documentId }: { documentId: string }) {
  const document = useQuery(documentQuery(documentId));
  const found = useQuery(documentFieldsQuery(documentId, null));
  const extractionId = found.data?.extraction_id ?? null;
  const filename = document.data?.filename;
  const groups = useMemo(
    () => (extractionId === null || filename === undefined ? [] : [{ documentId, extractionId, filename }]),
    [documentId, extractionId, filename],
  );
  const error = document.error ?? found.error;
  if (error) {
    return (
      <ErrorState
        error={error}
        retry={() => {
          void document.refetch();
          void found.refetch();
        }}
      />
    );
  }
  if (document.isPending || found.isPending) return <ReviewSkeleton />;
  if (extractionId === null) {
    return (
      <EmptyState icon={<FileQuestion aria-hidden className="size-8" />} title="Nothing to review yet">
        Nothing has been extracted from this document.{" "}
        <Link to="/documents/$documentId" params={{ documentId }} search={{}} className="text-accent underline">
          Go to document
        </Link>
      </EmptyState>
    );
  }
  return <ReviewWalk groups={groups} more={null} isMoreComing={false} document={documentId} restart={() => undefined} />;
}

/** Ties the session to the signed-in key, and warns before leaving with unsaved changes. */
function useOpenReview(): void {
  const queries = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const keyId = session?.key_id;
  useEffect(() => {
    if (keyId !== undefined) openReview(queries, keyId);
  }, [queries, keyId]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (outbox.parcels.get().length > 0) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    window.addEventListener("pagehide", outbox.settle);
    window.addEventListener("online", outbox.retry);
    return () => {
      window.removeEventListener("beforeunload", warn);
      window.removeEventListener("pagehide", outbox.settle);
      window.removeEventListener("online", outbox.retry);
      outbox.settle();
    };
  }, []);
}
