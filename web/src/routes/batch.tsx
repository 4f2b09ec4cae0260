import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { groupsQuery } from "@/api/batches";
import { useMay } from "@/api/session";
import { BatchHeader } from "@/batches/BatchHeader";
import { Draft } from "@/batches/setup/Draft";
import { ProgressPanel } from "@/batches/ProgressPanel";
import { Results } from "@/batches/results/Results";
import { useBatch } from "@/batches/useBatch";
import { useBatchActions } from "@/batches/useBatchActions";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton, SkeletonRows } from "@/components/Skeleton";
import { useUploadsInto } from "@/upload/options";
import { UploadDialog } from "@/upload/UploadDialog";

export function BatchPage() {
  const { batchId } = useParams({ from: "/signed-in/batches/$batchId" });
  return <BatchView key={batchId} batchId={batchId} />;
}

function BatchView({ batchId }: { batchId: string }) {
  const { show } = useSearch({ from: "/signed-in/batches/$batchId" });
  const { data: batch, error, refetch, dataUpdatedAt } = useBatch(batchId);
  const actions = useBatchActions(batchId);
  const mayWrite = useMay("write");
  const [adding, setAdding] = useState(false);
  const open = batch !== undefined && batch.status !== "cancelled";
  const groups = useInfiniteQuery({ ...groupsQuery(batchId), enabled: open });
  useUploadsInto(batchId, open ? batch.name : undefined, open ? batch.project : undefined);
  if (batch === undefined) return error ? <ErrorState error={error} retry={() => void refetch()} title="Could not load the batch" /> : <LoadingBatch />;
  const preview = groups.data?.pages[0];
  // A start can wait for documents that no group contains yet.
  const startable = open && preview ? Math.max(preview.total, Math.min(preview.waiting_for, 1)) : 0;
  const draft = batch.status === "pending_configuration";
  return (
    <div className="flex min-h-full flex-col">
      <BatchHeader batch={batch} actions={actions} mayWrite={mayWrite} startable={startable} addFiles={() => setAdding(true)} />
      <div className="flex min-w-0 flex-col gap-4 p-3 md:p-6">
        {draft && batch.error === null ? null : <ProgressPanel batch={batch} now={dataUpdatedAt} />}
        {draft ? <Draft batch={batch} actions={actions} mayWrite={mayWrite} groups={groups} /> : null}
        {batch.progress.total > 0 ? <Results batch={batch} show={show} /> : null}
      </div>
      <UploadDialog open={adding} close={() => setAdding(false)} title="Add files to the batch" />
    </div>
  );
}

function LoadingBatch() {
  return (
    <div role="status" aria-label="Loading the batch" className="flex flex-col gap-4 p-3 md:p-6">
      <Skeleton className="h-12" />
      <Skeleton className="h-24 rounded-xl" />
      <SkeletonRows rows={6} />
    </div>
  );
}
