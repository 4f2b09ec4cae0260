/** Collects the files that were dropped or picked. Folders are searched recursively. */

import type { Picked } from "./queue";

/** Files that operating systems leave in folders. */
const LEFTOVERS = /^(\.|~\$|Thumbs\.db$|desktop\.ini$|__MACOSX$)/i;

export interface Found {
  files: Picked[];
  /** Names of entries that could not be opened. */
  unreadable: string[];
}

export type Dropped = FileSystemEntry | File;

/** Must be called while the drop event is being handled, because the entries are gone afterwards. */
export function droppedIn(transfer: DataTransfer): Dropped[] {
  // Items dragged from another program or page are files without a path.
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
    // The browser gives no reason. The other files are still uploaded.
    found.unreadable.push(entry.name);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader returns about a hundred entries per call, and none at the end. */
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
