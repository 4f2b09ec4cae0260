import type { ComponentProps } from "react";
import type { Batch } from "@/api/batches";
import { explain } from "@/components/explain";
import { GroupPreview } from "./GroupPreview";
import { SettingsForm } from "./SettingsForm";
import type { BatchActions } from "@/batches/useBatchActions";

interface Props {
  batch: Batch;
  actions: BatchActions;
  mayWrite: boolean;
  groups: ComponentProps<typeof GroupPreview>["groups"];
}

/** A batch that was never started: its settings, and the groups that they make. */
export function Draft({ batch, actions: { change, remove }, mayWrite, groups }: Props) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      {mayWrite ? (
        <section aria-labelledby="settings" className="flex min-w-0 flex-col gap-4 rounded-xl border border-line bg-surface p-4">
          <h2 id="settings" className="font-semibold">
            Settings
          </h2>
          <SettingsForm value={{ schema: batch.schema, group_by: batch.group_by, split: batch.split === "auto" ? "auto" : null }} change={change.mutate} />
          {change.error ? (
            <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-sm break-words text-bad">
              {explain(change.error)}
            </p>
          ) : null}
        </section>
      ) : null}
      <GroupPreview groups={groups} waiting={batch.progress.documents_waiting} remove={mayWrite ? remove.mutate : null} />
    </div>
  );
}
