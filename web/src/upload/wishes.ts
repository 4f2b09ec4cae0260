/** What is to be done with the files that come next; kept until it is chosen otherwise. */

import { useSyncExternalStore } from "react";
import { useShownProject } from "@/documents/shownProject";
import { watched } from "@/state/watched";
import type { Wishes } from "./queue";

const schema = watched<string | null>(null);
const project = watched<string | null>(null);

export const chooseUploadSchema = schema.set;
/** Only asked where the page shows all projects; else files go to the one that is shown. */
export const chooseUploadProject = project.set;

export function useWishes(): Wishes {
  const shown = useShownProject();
  const chosen = useSyncExternalStore(project.subscribe, project.get);
  return { project: shown ?? chosen, schema: useSyncExternalStore(schema.subscribe, schema.get) };
}
