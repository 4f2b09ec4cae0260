import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BATCHES, type BatchSettings, batchQuery, cancelBatch, changeBatch, deleteBatch, removeFromBatch, retryBatch, startBatch } from "@/api/batches";
import { DOCUMENT_LISTS } from "@/api/documents";
import { explain } from "@/components/explain";
import { showToast } from "@/state/toasts";
import { count } from "./words";

export type BatchActions = ReturnType<typeof useBatchActions>;

/** What can be done with a batch. Afterwards everything about it is fetched again. */
export function useBatchActions(id: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const onSettled = () => queries.invalidateQueries({ queryKey: BATCHES });
  const onError = (error: Error) => showToast({ tone: "bad", text: explain(error) });
  const change = useMutation({
    mutationFn: (settings: Partial<BatchSettings>) => changeBatch(id, settings),
    onSuccess: (batch) => queries.setQueryData(batchQuery(id).queryKey, batch),
    onSettled,
  });
  const start = useMutation({ mutationFn: () => startBatch(id), onSettled, onError });
  const cancel = useMutation({ mutationFn: () => cancelBatch(id), onSettled, onError });
  const retry = useMutation({
    mutationFn: () => retryBatch(id),
    onSuccess: (answer) => showToast({ tone: "good", text: answer.count === 1 ? "1 extraction will run again." : `${count(answer.count)} extractions will run again.` }),
    onSettled,
    onError,
  });
  const remove = useMutation({ mutationFn: (documentId: string) => removeFromBatch(id, documentId), onSettled, onError });
  const discard = useMutation({
    mutationFn: (withDocuments: boolean) => deleteBatch(id, withDocuments),
    onSuccess: async (_, withDocuments) => {
      await navigate({ to: "/batches" });
      queries.removeQueries({ queryKey: [...BATCHES, id] });
      if (withDocuments) queries.removeQueries({ queryKey: DOCUMENT_LISTS });
      void queries.invalidateQueries({ queryKey: [...BATCHES, "list"] });
    },
    onError,
  });
  return { change, start, cancel, retry, remove, discard };
}
