/** Deleted documents that can still be restored. The request is sent when the undo period ends. */

import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { deleteDocuments } from "@/api/documents";
import { explain } from "@/components/explain";
import { hideToast, showToast } from "@/state/toasts";
import { watched } from "@/state/watched";
import { changeLists, without } from "./listCache";
import { documentsInWords } from "./words";

const UNDO_SECONDS = 8;
/** Browsers send up to 64 KB for a page that is being closed; each id takes 39 bytes. */
const MAX_IDS_ON_CLOSE = 1_500;

interface Batch {
  ids: readonly string[];
  queries: QueryClient;
  timer: number;
}

const hidden = watched<ReadonlySet<string>>(new Set());
const batches = new Set<Batch>();

export function useHiddenDocuments(): ReadonlySet<string> {
  return useSyncExternalStore(hidden.subscribe, hidden.get);
}

export function deleteSoon(queries: QueryClient, ids: readonly string[]): void {
  hidden.set(new Set([...hidden.get(), ...ids]));
  const batch: Batch = { ids, queries, timer: 0 };
  batches.add(batch);
  const undo = () => {
    if (!batches.delete(batch)) return;
    window.clearTimeout(batch.timer);
    showAgain(ids);
  };
  const text = `${documentsInWords(ids.length)} deleted.`;
  const toast = showToast({ tone: "info", text, action: { label: "Undo", run: undo } }, UNDO_SECONDS);
  batch.timer = window.setTimeout(() => {
    hideToast(toast);
    void perform(batch);
  }, UNDO_SECONDS * 1000);
}

/** Sends pending deletes immediately. */
export async function flushDeletes(keepalive = false): Promise<void> {
  await Promise.all([...batches].map((batch) => perform(batch, keepalive)));
}

async function perform(batch: Batch, keepalive = false): Promise<void> {
  if (!batches.delete(batch)) return;
  window.clearTimeout(batch.timer);
  try {
    await deleteDocuments(batch.ids, keepalive);
    const gone = new Set(batch.ids);
    changeLists(batch.queries, (pages) => without(pages, gone));
    for (const id of batch.ids) batch.queries.removeQueries({ queryKey: ["documents", id] });
  } catch (error) {
    showToast({ tone: "bad", text: `${documentsInWords(batch.ids.length)} could not be deleted. ${explain(error)}` });
  }
  showAgain(batch.ids);
}

function showAgain(ids: readonly string[]): void {
  const left = new Set(hidden.get());
  for (const id of ids) left.delete(id);
  hidden.set(left);
}

window.addEventListener("pagehide", () => void flushDeletes(true));
window.addEventListener("beforeunload", (event) => {
  if (hidden.get().size > MAX_IDS_ON_CLOSE) event.preventDefault();
});
