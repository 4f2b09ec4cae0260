import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { BATCHES, type BatchSettings, batchQuery, createBatch } from "@/api/batches";
import { projectsQuery } from "@/api/projects";
import { sessionQuery } from "@/api/session";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { explain } from "@/components/explain";
import { Select, TextInput } from "@/components/Inputs";
import { useShownProject } from "@/documents/shownProject";
import { SettingsForm } from "./SettingsForm";

const MAX_NAME = 200;
const NEW: BatchSettings = { name: "", schema: null, group_by: { mode: "document" }, split: null };

export function NewBatchDialog({ open, close }: { open: boolean; close: () => void }) {
  return (
    <Dialog open={open} close={close} title="New batch">
      <NewBatchForm close={close} />
    </Dialog>
  );
}

function NewBatchForm({ close }: { close: () => void }) {
  const shown = useShownProject();
  const [settings, setSettings] = useState(NEW);
  const [project, setProject] = useState("");
  const nameId = useId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => createBatch({ ...settings, name: settings.name.trim() }, (shown ?? project) || null),
    onSuccess: async (batch) => {
      queries.setQueryData(batchQuery(batch.id).queryKey, batch);
      void queries.invalidateQueries({ queryKey: [...BATCHES, "list"] });
      await navigate({ to: "/batches/$batchId", params: { batchId: batch.id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <label htmlFor={nameId} className="text-sm font-medium">
          Name
        </label>
        <TextInput
          id={nameId}
          required
          pattern=".*\S.*"
          title="A name for the batch"
          maxLength={MAX_NAME}
          autoComplete="off"
          placeholder="Invoices of March"
          value={settings.name}
          onChange={(event) => setSettings({ ...settings, name: event.target.value })}
        />
      </div>
      <SettingsForm value={settings} change={(changes) => setSettings({ ...settings, ...changes })} />
      {shown === null ? <ProjectChoice value={project} choose={setProject} /> : null}
      {create.error ? (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
          {explain(create.error)}
        </p>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" look="primary" busy={create.isPending}>
          Create and add files
        </Button>
      </div>
    </form>
  );
}

function ProjectChoice({ value, choose }: { value: string; choose: (name: string) => void }) {
  const { data: session } = useQuery(sessionQuery);
  const { data: projects } = useQuery(projectsQuery);
  const id = useId();
  if (session?.project || (projects?.length ?? 0) < 2) return null;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        Project
      </label>
      <Select id={id} value={value} onChange={(event) => choose(event.target.value)}>
        <option value="">Default project</option>
        {projects?.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}
