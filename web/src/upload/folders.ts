/** Files out of what was dropped or picked; folders are walked to their end. */

import type { Picked } from "./queue";

/** What systems leave in folders and nobody means to upload. */
const LEFTOVERS = /^(\.|~\$|Thumbs\.db$|desktop\.ini$|__MACOSX$)/i;

export interface Found {
  files: Picked[];
  /** Names of what could not be opened. */
  unreadable: string[];
}

export type Dropped = FileSystemEntry | File;

/** Must be called while the drop event is being handled: afterwards the browser takes the entries away. */
export function droppedIn(transfer: DataTransfer): Dropped[] {
  // What is dragged out of another program or page is a file without a place on the disk.
  return [...transfer.items].filter((item) => item.kind === "file").flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? []);
}

export async function walk(dropped: readonly Dropped[]): Promise<Found> {
  const found: Found = { files: [], unreadable: [] };
  for (const each of dropped) {
    if (each instanceof File) found.files.push({ file: each, path: each.name });
    else await visit(each, found);
  }
  return found;
}

async function visit(entry: FileSystemEntry, found: Found): Promise<void> {
  try {
    if (isFile(entry)) {
      found.files.push({ file: await fileOf(entry), path: entry.fullPath.replace(/^\//, "") });
    } else if (isFolder(entry)) {
      for (const child of await childrenOf(entry)) if (!LEFTOVERS.test(child.name)) await visit(child, found);
    }
  } catch {
    // The browser says no more than that it may not or cannot; the others still go.
    found.unreadable.push(entry.name);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives about a hundred at a time, and nothing when it is through. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return children;
    children.push(...some);
  }
}

export function pickedOf(files: FileList): Picked[] {
  return [...files]
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
    .filter(({ file, path }) => path === file.name || !path.split("/").some((part) => LEFTOVERS.test(part)));
}
