/** The project whose documents are shown; null means all that the key can access. */

import { useSyncExternalStore } from "react";
import { watched } from "./watched";

const KEPT = "docsieve.project";
const chosen = watched<string | null>(localStorage.getItem(KEPT));

export function chooseProject(name: string | null): void {
  if (name === null) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, name);
  chosen.set(name);
}

export function currentProject(): string | null {
  return chosen.get();
}

export function useProject(): string | null {
  return useSyncExternalStore(chosen.subscribe, chosen.get);
}
