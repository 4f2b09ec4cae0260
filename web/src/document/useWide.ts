import { useSyncExternalStore } from "react";

const query = window.matchMedia("(min-width: 900px)");

function subscribe(listener: () => void): () => void {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Whether there is room for the page and the side panel at the same time. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
