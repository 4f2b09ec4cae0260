/** Short messages at the bottom of the screen, optionally with an action such as undo. */

import { useSyncExternalStore } from "react";
import { watched } from "./watched";

export interface Toast {
  id: number;
  tone: "info" | "good" | "bad";
  text: string;
  action?: { label: string; run: () => void };
}

const SECONDS = 8;
const shown = watched<readonly Toast[]>([]);
let last = 0;

export function showToast(toast: Omit<Toast, "id">, seconds = SECONDS): number {
  const id = ++last;
  shown.set([...shown.get(), { ...toast, id }]);
  window.setTimeout(() => hideToast(id), seconds * 1000);
  return id;
}

export function hideToast(id: number): void {
  shown.set(shown.get().filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(shown.subscribe, shown.get);
}
