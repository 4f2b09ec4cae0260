"""Blobs as files in a local folder."""

import asyncio
import errno
import os
import shutil
import time
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import ParamSpec, TypeVar

from docsieve.blobs.durable import THREADS, DurableTree, IncomingFile, OpenFiles, make_durable_root, sync_file_system
from docsieve.blobs.keys import check_key, check_prefix
from docsieve.blobs.port import CHUNK_BYTES, BlobInfo, BlobStore, FilePart, StoredBlob
from docsieve.disk import require_room
from docsieve.domain.ids import new_id
from docsieve.errors import BlobMissing, BlobStoreError, DiskFull
from docsieve.errors.blobs import BlobExists
from docsieve.logs import get_logger

LISTED_AT_ONCE = 1000
INCOMING = ".incoming"
INCOMING_KEPT = timedelta(days=1)

log = get_logger()

Given = ParamSpec("Given")
Result = TypeVar("Result")


class _OtherFileSystem(Exception):
    """A file cannot be moved into the store, only copied."""


class LocalBlobStore(BlobStore):
    """Threads do all file work. A blob of up to CHUNK_BYTES needs one switch to a thread, a larger one one per chunk.

    Opening the store creates its folder and removes leftovers of killed writers. Writing fails with DiskFull when less
    than `min_free_bytes` would remain; reading and deleting still work.
    """

    def __init__(self, root: Path, *, min_free_bytes: int = 0) -> None:
        self._root = root.absolute()
        self._min_free_bytes = min_free_bytes
        self._incoming = self._root / INCOMING
        with _as_ours("the store's folder"):
            make_durable_root(self._root)
            self._incoming.mkdir(exist_ok=True)
            self.sweep_incoming()
        self._tree = DurableTree(self._root)
        # fsync waits for the disk and not for the CPU, so the event loop's small default pool would be the bottleneck.
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="blobs")

    async def put(self, key: str, chunks: AsyncIterable[bytes]) -> StoredBlob:
        return await self._put(key, chunks, self._finish)

    async def put_new(self, key: str, chunks: AsyncIterable[bytes]) -> StoredBlob:
        """Waits for the disk once instead of twice."""
        return await self._put(key, chunks, self._finish_new)

    async def _put(
        self,
        key: str,
        chunks: AsyncIterable[bytes],
        finish: Callable[[str, IncomingFile, Sequence[bytes], str], StoredBlob],
    ) -> StoredBlob:
        target = self._path(key)
        incoming = self._new_incoming()
        held_bytes = 0
        held: list[bytes] = []
        try:
            async for chunk in chunks:
                held.append(chunk)
                held_bytes += len(chunk)
                if held_bytes > CHUNK_BYTES:
                    await self._in_thread(self._write, key, incoming, held)
                    held, held_bytes = [], 0
            return await self._in_thread(finish, key, incoming, held, target)
        except BaseException:
            await self._in_thread(_discard, incoming)
            raise

    async def create(self, key: str, content: bytes) -> None:
        target = self._path(key)
        incoming = self._new_incoming()
        try:
            await self._in_thread(self._finish, key, incoming, [content], target, replace=False)
        except BaseException:
            await self._in_thread(_discard, incoming)
            raise

    async def copy(self, source: str, target: str) -> None:
        """Both keys name the same file then. Files are never changed, only replaced."""
        aside = self._new_incoming().path
        await self._in_thread(self._link, source, self._path(source), aside, self._path(target))

    async def put_file(self, key: str, path: Path) -> StoredBlob:
        target = self._path(key)
        incoming = self._new_incoming()
        try:
            return await self._in_thread(self._copy_in, key, path, incoming, target)
        except BaseException:
            await self._in_thread(_discard, incoming)
            raise

    async def take_files(self, files: Mapping[str, FilePart]) -> dict[str, StoredBlob]:
        """One sync of the file system makes many files durable, instead of two syncs per file."""
        targets = {key: self._path(key) for key in files}
        try:
            return await self._in_thread(self._move_in, files, targets)
        except _OtherFileSystem:
            return await super().take_files(files)

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        return await self._in_thread(_read_slice, key, self._path(key), start, length)

    async def stream(self, key: str) -> AsyncGenerator[bytes, None]:
        with _as_ours(key):
            file = await self._in_thread(open, self._path(key), "rb")
        with file:
            while chunk := await self._in_thread(file.read, CHUNK_BYTES):
                yield chunk

    async def download(self, key: str, path: Path) -> int:
        return await self._in_thread(_copy_out, key, Path(self._path(key)), path)

    async def size(self, key: str) -> int:
        return await self._in_thread(_file_size, key, self._path(key))

    async def delete(self, key: str) -> None:
        await self._in_thread(self._remove, key, self._path(key))

    async def list(self, prefix: str = "") -> AsyncGenerator[BlobInfo, None]:
        found = self._walk(self._root / check_prefix(prefix))
        while batch := await self._in_thread(lambda: [*islice(found, LISTED_AT_ONCE)]):
            for info in batch:
                yield info

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        self._tree.close()

    async def remove_incomplete(self, *, limit: int, dry_run: bool) -> int:
        return await self._in_thread(self.sweep_incoming, limit=limit, dry_run=dry_run)

    def sweep_incoming(
        self, older_than: timedelta = INCOMING_KEPT, *, limit: int | None = None, dry_run: bool = False
    ) -> int:
        """Remove leftovers of killed writers and return the number of files. Blocks."""
        newest = time.time() - older_than.total_seconds()
        removed = 0
        for entry in os.scandir(self._incoming):
            if removed == limit:
                break
            try:
                if entry.stat().st_mtime <= newest:
                    if not dry_run:
                        os.unlink(entry.path)
                    removed += 1
            except FileNotFoundError:
                continue
        return removed

    def _path(self, key: str) -> str:
        return f"{self._root}/{check_key(key)}"

    def _new_incoming(self) -> IncomingFile:
        return IncomingFile(f"{self._incoming}/{new_id()}")

    async def _in_thread(
        self, function: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: function(*args, **kwargs))

    def _write(self, key: str, incoming: IncomingFile, chunks: Sequence[bytes]) -> None:
        require_room(self._root, self._min_free_bytes, "blob store")
        with _as_ours(key, missing=False):
            incoming.write(chunks)

    def _finish(
        self, key: str, incoming: IncomingFile, rest: Sequence[bytes], target: str, *, replace: bool = True
    ) -> StoredBlob:
        self._write(key, incoming, rest)
        with _as_ours(key, missing=False):
            return incoming.commit(self._tree, target, replace=replace)

    def _finish_new(self, key: str, incoming: IncomingFile, rest: Sequence[bytes], target: str) -> StoredBlob:
        self._write(key, incoming, rest)
        with _as_ours(key, missing=False):
            return incoming.commit_new(self._tree, target)

    def _link(self, key: str, source: str, aside: str, target: str) -> None:
        with _as_ours(key):
            os.link(source, aside)
        with _as_ours(key, missing=False):
            self._tree.place(aside, target)
            with suppress(FileNotFoundError):
                os.unlink(aside)  # a rename between two names of one file does nothing

    def _copy_in(self, key: str, source: Path, incoming: IncomingFile, target: str) -> StoredBlob:
        with source.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                self._write(key, incoming, [chunk])
        return self._finish(key, incoming, [], target)

    def _move_in(self, files: Mapping[str, FilePart], targets: Mapping[str, str]) -> dict[str, StoredBlob]:
        require_room(self._root, self._min_free_bytes, "blob store")
        own = os.stat(self._root).st_dev
        sources = {part.path for part in files.values()}
        if any(os.stat(folder).st_dev != own for folder in set(map(os.path.dirname, sources))):
            raise _OtherFileSystem
        with _as_ours("a set of files", missing=False):
            with OpenFiles() as opened:
                stored = {key: self._tree.take_over(part, targets[key], opened) for key, part in files.items()}
            sync_file_system(self._root)
            return stored

    def _remove(self, key: str, target: str) -> None:
        with _as_ours(key):
            try:
                self._tree.remove(target)
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                return

    def _walk(self, folder: Path) -> Iterator[BlobInfo]:
        folders = [str(folder)]
        with _as_ours("a listing"):
            while folders:
                try:
                    entries = list(os.scandir(folders.pop()))
                except (FileNotFoundError, NotADirectoryError):
                    continue
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.path != str(self._incoming):
                            folders.append(entry.path)
                    elif info := self._info(entry):
                        yield info

    def _info(self, entry: "os.DirEntry[str]") -> BlobInfo | None:
        try:
            stat = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return None
        key = Path(entry.path).relative_to(self._root).as_posix()
        return BlobInfo(key, stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC))


@contextmanager
def _as_ours(key: str, *, missing: bool = True) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        if missing:
            raise BlobMissing(f"No blob is stored at {key}.") from error
        raise BlobStoreError(f"The blob store failed on {key}: {error.strerror}.") from error
    except FileExistsError as error:
        raise BlobExists(f"A blob is already stored at {key}.") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull("The disk of the blob store is full.") from error
        raise BlobStoreError(f"The blob store failed on {key}: {error.strerror}.") from error


def _discard(incoming: IncomingFile) -> None:
    """Clean up after a failure without hiding it. Files that cannot be removed now are swept later."""
    try:
        incoming.discard()
    except OSError as error:
        log.warning("incoming_file_left", file=os.path.basename(incoming.path), error=error.strerror)


def _read_slice(key: str, path: str, start: int, length: int | None) -> bytes:
    with _as_ours(key), open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        first, last, _ = slice(start, None).indices(size)
        file.seek(first)
        return file.read(last - first if length is None else min(length, last - first))


def _copy_out(key: str, source: Path, path: Path) -> int:
    with _as_ours(key):
        file = source.open("rb")
    with file:
        try:
            with path.open("wb") as copy:
                shutil.copyfileobj(file, copy, CHUNK_BYTES)
                return copy.tell()
        except OSError:
            path.unlink(missing_ok=True)
            raise


def _file_size(key: str, path: str) -> int:
    with _as_ours(key), open(path, "rb") as file:
        return os.fstat(file.fileno()).st_size
