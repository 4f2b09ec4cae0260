/** Actions on a document. Afterwards its state is refetched immediately. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancelDocuments, type DocumentState, inProgress, reprocessDocuments } from "@/api/documents";
import { cancelExtraction, startExtraction } from "@/api/extractions";
import { ApiProblem } from "@/api/http";
import { retryJobs } from "@/api/jobs";
import { explain } from "@/components/explain";
import { showToast } from "@/state/toasts";

export function useDocumentActions(id: string, state: DocumentState | undefined) {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ["documents", id] });
  const onError = (error: Error) => showToast({ tone: "bad", text: explain(error) });
  const reprocess = useMutation({
    mutationFn: async (by: { schema: string | null; engine: string | null }) => refuseSkipped(await reprocessDocuments([id], by)),
    onSettled,
    onError,
  });
  const extract = useMutation({ mutationFn: (schema: string) => startExtraction(id, schema), onSettled, onError });
  const cancel = useMutation({
    mutationFn: async () => {
      if (inProgress(state?.status)) refuseSkipped(await cancelDocuments([id]));
      else if (state?.extraction) await cancelExtraction(state.extraction.id);
    },
    onSuccess: () => showToast({ tone: "info", text: "Cancelled." }),
    onSettled,
    onError,
  });
  const retry = useMutation({
    mutationFn: async () => {
      const job = state?.job;
      // A failed job resumes where it stopped; without one, the document is processed from the start.
      if (job?.status === "failed" && (await retryJobs({ ids: [job.id] })).count > 0) return;
      refuseSkipped(await reprocessDocuments([id], { schema: null, engine: null }));
    },
    onSettled,
    onError,
  });
  return { reprocess, extract, cancel, retry };
}

function refuseSkipped({ skipped }: { skipped: { code: string; message: string }[] }): void {
  const [first] = skipped;
  if (first) throw new ApiProblem(409, first.code, first.message);
}
