/** Options for the next uploads. They stay selected until changed. */

import { useSyncExternalStore } from "react";
import { useShownProject } from "@/documents/shownProject";
import { watched } from "@/state/watched";
import type { UploadOptions } from "./queue";

const schema = watched<string | null>(null);
const project = watched<string | null>(null);

export const chooseUploadSchema = schema.set;
/** Used only while all projects are shown; otherwise files go to the selected project. */
export const chooseUploadProject = project.set;

export function useUploadOptions(): UploadOptions {
  const shown = useShownProject();
  const chosen = useSyncExternalStore(project.subscribe, project.get);
  return { project: shown ?? chosen, schema: useSyncExternalStore(schema.subscribe, schema.get) };
}
