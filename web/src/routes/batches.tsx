import { useInfiniteQuery } from "@tanstack/react-query";
import { Layers, Plus } from "lucide-react";
import { useState } from "react";
import { batchesQuery } from "@/api/batches";
import { useMay } from "@/api/session";
import { BatchRow } from "@/batches/BatchRow";
import { NewBatchDialog } from "@/batches/setup/NewBatchDialog";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { SkeletonRows } from "@/components/Skeleton";
import { useShownProject } from "@/documents/shownProject";

export function BatchesPage() {
  const project = useShownProject();
  const mayWrite = useMay("write");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(batchesQuery(project));
  const [creating, setCreating] = useState(false);
  const batches = data?.pages.flatMap((page) => page.batches) ?? [];
  const create = (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setCreating(true)}>
      New batch
    </Button>
  );
  return (
    <div className="flex flex-col gap-4 px-3 py-4 md:px-6">
      <div className="flex min-h-9 items-center gap-3">
        <h1 className="mr-auto text-xl font-semibold">Batches</h1>
        {mayWrite && batches.length > 0 ? create : null}
      </div>
      {data === undefined && error ? (
        <ErrorState error={error} retry={() => void refetch()} title="Could not load batches" />
      ) : data === undefined ? (
        <SkeletonRows rows={6} className="h-16" />
      ) : batches.length === 0 ? (
        <EmptyState icon={<Layers aria-hidden className="size-8" />} title="No batches yet" actions={mayWrite ? create : null}>
          A batch extracts the same fields from many documents, such as a month of invoices, and makes one table of them.
        </EmptyState>
      ) : (
        <ul aria-label="Batches" className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
          {batches.map((batch) => (
            <BatchRow key={batch.id} batch={batch} />
          ))}
        </ul>
      )}
      {hasNextPage ? (
        <div className="flex justify-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
      <NewBatchDialog open={creating} close={() => setCreating(false)} />
    </div>
  );
}
