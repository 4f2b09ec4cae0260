import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancelJobs, type JobSelection, retryJobs } from "@/api/jobs";
import { explain } from "@/components/explain";
import { showToast } from "@/state/toasts";
import { jobsInWords } from "./words";

/** Retry and cancel one or many jobs, then refetch everything on the page. */
export function useJobChanges(done: () => void = () => undefined) {
  const queries = useQueryClient();
  const options = (what: string, nothing: string) => ({
    onSuccess: async ({ count }: { count: number }) => {
      showToast(count > 0 ? { tone: "good", text: `${jobsInWords(count)} ${what}.` } : { tone: "info", text: nothing });
      done();
      await Promise.all([queries.invalidateQueries({ queryKey: ["jobs"] }), queries.invalidateQueries({ queryKey: ["queues"] })]);
    },
    onError: (error: Error) => showToast({ tone: "bad", text: explain(error) }),
  });
  const retry = useMutation({
    mutationFn: (selection: JobSelection) => retryJobs(selection),
    ...options("will run again", "None of them can be retried, because newer jobs have replaced them."),
  });
  const cancel = useMutation({
    mutationFn: (selection: JobSelection) => cancelJobs(selection),
    ...options("cancelled", "They had already ended."),
  });
  return { retry, cancel };
}
