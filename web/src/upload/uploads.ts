/** The uploads of this tab. They continue while other pages are shown. */

import { useSyncExternalStore } from "react";
import type { DocumentRead } from "@/api/documents";
import { tellIfSignedOut } from "@/api/http";
import { watched } from "@/state/watched";
import { isUnderWay, type Upload, UploadQueue } from "./queue";
import { sendFile } from "./transfer";

/** Updating progress bars more often would not be visible, and would keep the page busy with thousands of files. */
const REDRAW_MS = 100;

const shown = watched<readonly Upload[]>([]);
const storedListeners = new Set<(documents: readonly DocumentRead[]) => void>();
let justStored: DocumentRead[] = [];
let redraw: number | null = null;

export const uploads = new UploadQueue<DocumentRead>(
  sendFile,
  {
    changed: redrawSoon,
    stored: (document) => justStored.push(document),
    failed: tellIfSignedOut,
  },
  randomKey,
);

function redrawSoon(): void {
  redraw ??= window.setTimeout(() => {
    redraw = null;
    shown.set(uploads.snapshot());
    if (justStored.length === 0) return;
    const documents = justStored.reverse();
    justStored = [];
    for (const listener of storedListeners) listener(documents);
  }, REDRAW_MS);
}

/** crypto.randomUUID is not available on pages loaded without TLS from another machine. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

window.addEventListener("beforeunload", (event) => {
  if (uploads.snapshot().some(isUnderWay)) event.preventDefault();
});

/** Notified of documents that were just stored, newest first. */
export function onStored(listener: (documents: readonly DocumentRead[]) => void): () => void {
  storedListeners.add(listener);
  return () => storedListeners.delete(listener);
}

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(shown.subscribe, shown.get);
}
