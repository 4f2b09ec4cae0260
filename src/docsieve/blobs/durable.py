"""Durable file writes: to a temporary file, synced, renamed into place, with the folders synced too."""

import ctypes
import errno
import hashlib
import os
import threading
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Self

from docsieve.blobs.files import open_regular
from docsieve.blobs.port import FilePart, StoredBlob

_libc = ctypes.CDLL(None, use_errno=True)

REMEMBERED_FOLDERS = 10_000
KEPT_OPEN = 128

THREADS = 8


def sync_folder(folder: str | Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file_system(folder: Path) -> None:
    """Make everything durable that was written to the file system of a folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if _libc.syncfs(descriptor) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(descriptor)


def make_durable_root(root: Path) -> None:
    made = [folder for folder in (root, *root.parents) if not folder.exists()]
    root.mkdir(parents=True, exist_ok=True)
    for folder in made:
        sync_folder(folder.parent)


class DurableTree:
    """Moves finished files into a tree and removes them from it, so that both survive a power failure.

    Folders are never removed, because keys use a limited number of them. So a folder needs to be made durable only
    once, and a file costs two syncs: its own and its folder's.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._durable = {self._root}
        self._open: dict[str, int] = {}
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="folders")

    def place(self, source: str, target: str, *, replace: bool = True) -> None:
        """Without `replace`, raises FileExistsError if there is a file already."""
        self.move(source, target, replace=replace)
        self._sync(os.path.dirname(target))

    def move(self, source: str, target: str, *, replace: bool = True) -> None:
        """Not durable before the folder is synced. Without `replace`, as `place`."""
        move = os.rename if replace else _rename_new
        folder = os.path.dirname(target)
        self._make_durable(folder)
        try:
            move(source, target)
        except FileNotFoundError:
            # another process removed the folders
            self._durable = {self._root}
            self._open.pop(folder, None)
            self._make_durable(folder)
            move(source, target)

    def sync_meanwhile(self, folder: str) -> Future[None]:
        """Sync a folder while the caller waits for another disk write."""
        return self._threads.submit(self._sync, folder)

    def take_over(self, part: FilePart, target: str, opened: "OpenFiles") -> StoredBlob:
        """Move a file of any owner into the tree, or copy a part of one; durable after `sync_file_system`."""
        self._make_durable(os.path.dirname(target))
        if part.start is None:
            return _moved(part.path, target)
        content = os.pread(opened.descriptor(part.path), part.size, part.start)
        if len(content) != part.size:
            raise OSError(errno.EIO, "a part of a file is missing")
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            _write_all(descriptor, content)
        finally:
            os.close(descriptor)
        return StoredBlob(part.size, hashlib.sha256(content).hexdigest())

    def remove(self, target: str) -> None:
        """Remove the file. Raises FileNotFoundError if there is none."""
        os.unlink(target)
        self._sync(os.path.dirname(target))

    def _sync(self, folder: str) -> None:
        """Syncs a folder through a descriptor that stays open, for a limited number of folders."""
        descriptor = self._open.get(folder)
        if descriptor is None:
            sync_folder(folder)
            if len(self._open) < KEPT_OPEN:
                self._open.setdefault(folder, os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        else:
            os.fsync(descriptor)

    def close(self) -> None:
        self._threads.shutdown()
        while self._open:
            os.close(self._open.popitem()[1])

    def _make_durable(self, folder: str) -> None:
        """An existing folder may be lost if its creator has not synced the parent yet, so it is synced here."""
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


class OpenFiles:
    """Files of which many parts are read."""

    def __init__(self) -> None:
        self._descriptors: dict[str, int] = {}

    def descriptor(self, path: str) -> int:
        if path not in self._descriptors:
            self._descriptors[path] = open_regular(path)
        return self._descriptors[path]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self._descriptors.values():
            os.close(descriptor)


def _moved(source: str, target: str) -> StoredBlob:
    with open(open_regular(source), "rb", buffering=0) as file:
        found = os.fstat(file.fileno())
        if found.st_uid != os.geteuid():
            os.fchown(file.fileno(), os.geteuid(), os.getegid())
        os.fchmod(file.fileno(), 0o600)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    os.rename(source, target)
    return StoredBlob(found.st_size, digest)


class IncomingFile:
    """A temporary file that is being written. Every method blocks and must run in a thread.

    Uses system calls instead of Python's file objects, because switching between this thread and the event loop's costs
    more than the calls.

    A cancelled task leaves its thread running. The lock makes `discard` wait for that thread, and later calls fail, so
    that no file is left behind in any order of events.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._descriptor: int | None = None
        self._settled = False
        self._size = 0
        self._hash = hashlib.sha256()
        self._lock = threading.Lock()

    def write(self, chunks: Iterable[bytes]) -> None:
        content = b"".join(chunks)
        with self._lock:
            _write_all(self._opened(), content)
            self._hash.update(content)
            self._size += len(content)

    def commit(self, tree: DurableTree, target: str, *, replace: bool = True) -> StoredBlob:
        with self._lock:
            os.fsync(self._opened())
            self._close()
            tree.place(self.path, target, replace=replace)
            self._settled = True
        return StoredBlob(self._size, self._hash.hexdigest())

    def commit_new(self, tree: DurableTree, target: str) -> StoredBlob:
        """Like `commit`, for a name that nothing refers to yet: it may be durable before the bytes are."""
        with self._lock:
            descriptor = self._opened()
            tree.move(self.path, target)
            self.path = target
            synced = tree.sync_meanwhile(os.path.dirname(target))
            try:
                os.fsync(descriptor)
            finally:
                synced.result()
            self._close()
            self._settled = True
        return StoredBlob(self._size, self._hash.hexdigest())

    def discard(self) -> None:
        with self._lock:
            if self._settled:
                return
            self._settled = True
            self._close()
            with suppress(FileNotFoundError):
                os.unlink(self.path)

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _opened(self) -> int:
        if self._settled:
            raise FileNotFoundError(self.path)
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        return self._descriptor


def _rename_new(source: str, target: str) -> None:
    os.link(source, target)
    os.unlink(source)


def _write_all(descriptor: int, content: bytes) -> None:
    written = os.write(descriptor, content)
    while written < len(content):
        written += os.write(descriptor, memoryview(content)[written:])
