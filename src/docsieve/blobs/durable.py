"""Files that survive a power cut: written aside, synced, renamed into place, and their folders synced."""

import os
import shutil
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

REMEMBERED_FOLDERS = 10_000


def sync_folder(folder: str | Path) -> None:
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

    Folders stay when their last file goes: keys spread over a bounded number of them. So a folder that was made
    durable once needs no second look, and a file costs two syncs, its own and its folder's.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._durable = {self._root}

    def place(self, source: Path, target: Path) -> None:
        folder = os.path.dirname(target)
        self._make_durable(folder)
        try:
            os.rename(source, target)
        except FileNotFoundError:
            # somebody cleared folders away behind our back
            self._durable = {self._root}
            self._make_durable(folder)
            os.rename(source, target)
        sync_folder(folder)

    def remove(self, target: Path) -> None:
        """Remove the file; raises FileNotFoundError where there is none."""
        os.unlink(target)
        sync_folder(os.path.dirname(target))

    def _make_durable(self, folder: str) -> None:
        """A folder that exists may still be lost if whoever made it has not synced its parent yet, so we do."""
        if folder in self._durable:
            return
        parent = os.path.dirname(folder)
        self._make_durable(parent)
        with suppress(FileExistsError):
            os.mkdir(folder)
        sync_folder(parent)
        if len(self._durable) > REMEMBERED_FOLDERS:
            self._durable = {self._root}
        self._durable.add(folder)


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
