/** Options for the next uploads. They stay selected until changed. */

import { useEffect, useSyncExternalStore } from "react";
import { useShownProject } from "@/documents/shownProject";
import { watched } from "@/state/watched";
import type { UploadOptions } from "./queue";

const schema = watched<string | null>(null);
const project = watched<string | null>(null);

export const chooseUploadSchema = schema.set;
/** Used only while all projects are shown; otherwise files go to the selected project. */
export const chooseUploadProject = project.set;

interface Destination {
  id: string;
  name: string;
  project: string;
}

const batch = watched<Destination | null>(null);

/** While a batch is shown, files go into it. Its project and its fields are those of the batch. */
export function useUploadsInto(id: string, name: string | undefined, itsProject: string | undefined): void {
  useEffect(() => {
    if (name === undefined || itsProject === undefined) return;
    batch.set({ id, name, project: itsProject });
    return () => batch.set(null);
  }, [id, name, itsProject]);
}

export function useUploadOptions(): UploadOptions {
  const shown = useShownProject();
  const chosen = useSyncExternalStore(project.subscribe, project.get);
  const fields = useSyncExternalStore(schema.subscribe, schema.get);
  const into = useSyncExternalStore(batch.subscribe, batch.get);
  return into === null ? { project: shown ?? chosen, schema: fields, batch: null } : { project: into.project, schema: null, batch: into };
}
