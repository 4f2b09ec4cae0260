"""Files that survive a power cut: written aside, synced, renamed into place, and their folders synced."""

import os
import shutil
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

RENAME_ATTEMPTS = 5
REMEMBERED_FOLDERS = 4096


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_durable_root(root: Path) -> None:
    made = [folder for folder in (root, *root.parents) if not folder.exists()]
    root.mkdir(parents=True, exist_ok=True)
    for folder in made:
        sync_folder(folder.parent)


class DurableTree:
    """Moves finished files into a tree and removes them from it, so that both outlast a power cut.

    A folder that exists may still be lost if whoever made it has not synced its parent yet, so each placed file syncs
    its whole way up to the root. Upper folders are remembered once synced; a file's own folder is not, because it goes
    away with its last file.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._synced: set[Path] = {root}

    def place(self, source: Path, target: Path) -> None:
        self._rename(source, target)
        # A folder that is gone again took our file with it: someone removed what was placed, which is theirs to do.
        with suppress(FileNotFoundError):
            self._sync_upwards(target.parent)

    def remove(self, target: Path) -> None:
        """Remove the file, and its folder if that is now empty; raises FileNotFoundError where there is none."""
        target.unlink()
        changed = target.parent
        if changed != self.root and self._remove_if_empty(changed):
            changed = changed.parent
        with suppress(FileNotFoundError):
            sync_folder(changed)

    def _rename(self, source: Path, target: Path) -> None:
        for attempt in range(1, RENAME_ATTEMPTS + 1):
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.rename(source, target)
                return
            except FileNotFoundError:
                # A remove may have taken the emptied folder away in between.
                if attempt == RENAME_ATTEMPTS:
                    raise

    def _remove_if_empty(self, folder: Path) -> bool:
        self._synced.discard(folder)
        try:
            folder.rmdir()
        except OSError:
            return False
        return True

    def _sync_upwards(self, folder: Path) -> None:
        # From the file up: the first sync commits the journal, which leaves little to do for those after it.
        sync_folder(folder)
        newly_synced = []
        while folder != self.root:
            folder = folder.parent
            sync_folder(folder)
            if folder in self._synced:
                break
            newly_synced.append(folder)
        if len(self._synced) > REMEMBERED_FOLDERS:
            self._synced = {self.root}
        self._synced.update(newly_synced)


class IncomingFile:
    """A file being written aside; every method blocks and belongs in a thread.

    A cancelled task leaves its thread running. The lock makes `discard` wait for that thread, and what comes after
    `discard` fails, so that nothing is left behind in any order.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None
        self._settled = False
        self._lock = threading.Lock()

    def write(self, chunks: Iterable[bytes]) -> None:
        with self._lock:
            self._opened().writelines(chunks)

    def copy_from(self, source: BinaryIO, chunk_bytes: int) -> int:
        with self._lock:
            file = self._opened()
            shutil.copyfileobj(source, file, chunk_bytes)
            return file.tell()

    def commit(self, tree: DurableTree, target: Path) -> None:
        with self._lock:
            file = self._opened()
            file.flush()
            os.fsync(file.fileno())
            file.close()
            tree.place(self.path, target)
            self._settled = True

    def discard(self) -> None:
        with self._lock:
            if self._settled:
                return
            self._settled = True
            if self._file is not None:
                with suppress(OSError):
                    self._file.close()
            self.path.unlink(missing_ok=True)

    def _opened(self) -> BinaryIO:
        if self._settled:
            raise FileNotFoundError(self.path)
        if self._file is None:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            self._file = os.fdopen(descriptor, "wb")
        return self._file
