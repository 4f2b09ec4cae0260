import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FileText, Inbox, Sparkles } from "lucide-react";
import { addSamples, samplesQuery } from "@/api/samples";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { explain } from "@/components/explain";
import { Skeleton } from "@/components/Skeleton";
import { showToast } from "@/state/toasts";
import { UploadButton } from "@/upload/UploadDialog";
import { showNew } from "./listCache";

/** Shown instead of an empty list: how to get started. */
export function FirstStart({ mayWrite, project, upload }: { mayWrite: boolean; project: string | null; upload: () => void }) {
  if (!mayWrite) {
    return (
      <EmptyState icon={<Inbox aria-hidden className="size-8" />} title="No documents yet">
        Your key is read-only. Documents appear here as soon as someone uploads them.
      </EmptyState>
    );
  }
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-10 md:py-14">
      <div className="flex flex-col items-center gap-3 text-center">
        <div className="rounded-2xl bg-accent-soft p-4 text-accent">
          <Inbox aria-hidden className="size-8" />
        </div>
        <h2 className="text-xl font-semibold">Drop your first document here</h2>
        <p className="max-w-lg text-muted">
          Drop files or whole folders anywhere on this page. Docsieve reads them, extracts the fields you need, and shows where each one appears
          on the page.
        </p>
        <div className="mt-1">
          <UploadButton label="Upload documents" onClick={upload} />
        </div>
      </div>
      <Samples project={project} />
    </div>
  );
}

function Samples({ project }: { project: string | null }) {
  const queries = useQueryClient();
  const { data: samples, isError } = useQuery(samplesQuery);
  const add = useMutation({
    mutationFn: (names: readonly string[] | null) => addSamples(names, project),
    onSuccess: ({ documents }) => showNew(queries, documents),
    onError: (error) => showToast({ tone: "bad", text: explain(error) }),
  });
  if (isError || samples?.length === 0) return null;
  return (
    <section aria-labelledby="samples" className="mt-12 border-t border-line pt-8">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h3 id="samples" className="font-semibold">
            Nothing at hand? Try a sample
          </h3>
          <p className="text-sm text-muted">Fictional documents. See within a minute which fields are found, and where.</p>
        </div>
        <Button icon={<Sparkles aria-hidden className="size-4" />} busy={add.isPending} onClick={() => add.mutate(null)}>
          Try all samples
        </Button>
      </div>
      <ul className="grid gap-3 sm:grid-cols-2">
        {samples
          ? samples.map((sample) => (
              <li key={sample.name}>
                <button
                  type="button"
                  disabled={add.isPending}
                  onClick={() => add.mutate([sample.name])}
                  className="flex h-full w-full gap-3 rounded-xl border border-line bg-surface p-4 text-left transition-colors hover:border-accent disabled:opacity-55"
                >
                  <FileText aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
                  <span>
                    <span className="block font-medium">{sample.title}</span>
                    <span className="block text-sm text-muted">{sample.description}</span>
                  </span>
                </button>
              </li>
            ))
          : Array.from({ length: 4 }, (_, place) => (
              <li key={place}>
                <Skeleton className="h-24 rounded-xl" />
              </li>
            ))}
      </ul>
    </section>
  );
}
