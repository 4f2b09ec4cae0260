"""The interface of blob stores. Every adapter passes `tests/blobs/test_contract.py`."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID

from docsieve.domain.ids import new_id
from docsieve.errors import BlobMissing, BlobStoreError
from docsieve.errors.blobs import BlobExists

CHUNK_BYTES = 1024 * 1024
PARALLEL_WRITES = 16


@dataclass(frozen=True, slots=True)
class StoredBlob:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BlobInfo:
    key: str
    size: int
    modified: datetime


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file, or `size` bytes of it from `start` on, which fit into memory.

    The path is a string because thousands are compared, and a `Path` does that in Python.
    """

    path: str
    start: int | None = None
    size: int = 0

    def read(self) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(self.start or 0)
            return file.read(self.size)


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """A request that a client without credentials may send to the store itself, with these headers."""

    url: str
    headers: Mapping[str, str]


class BlobStore(Protocol):
    """Bytes under keys such as `tenants/<id>/documents/<id>/original`.

    An invalid key raises InvalidBlobKey. No key may be the folder of another. All other failures raise BlobMissing or
    BlobStoreError.
    """

    async def put(self, key: str, chunks: AsyncIterable[bytes]) -> StoredBlob:
        """Store the chunks with constant memory and hash them on the way.

        The key refers to the new bytes only when they are complete and durable. If `chunks` raises, nothing is stored
        and the exception is passed on.
        """
        ...

    async def put_new(self, key: str, chunks: AsyncIterable[bytes]) -> StoredBlob:
        """Like `put`, for a key that was never used and that nothing refers to before this returns.

        A power failure meanwhile may leave incomplete bytes under the key.
        """
        return await self.put(key, chunks)

    async def create(self, key: str, content: bytes) -> None:
        """Store a small blob under a key that is not used yet. Of several at once, one succeeds.

        Raises BlobExists.
        """
        ...

    async def copy(self, source: str, target: str) -> None:
        """Make the bytes of `source` those of `target`, as if they had been put there.

        Stores override this to keep the bytes inside. What a client said about their type is not kept.
        """
        await self.put(target, self.stream(source))

    async def sign_put(self, key: str, *, seconds: int) -> SignedRequest | None:
        """A request that stores one blob without credentials, or None if the store cannot be reached by clients."""
        return None

    async def sign_get(self, key: str, *, seconds: int) -> SignedRequest | None:
        """A request that downloads a blob as an attachment, or None."""
        return None

    async def put_file(self, key: str, path: Path) -> StoredBlob: ...

    async def take_files(self, files: Mapping[str, FilePart]) -> dict[str, StoredBlob]:
        """Store many files or parts of files under new keys; all are durable when this returns.

        Whole files may be gone afterwards: a local store moves them instead of copying them. If this fails, some keys
        may refer to incomplete bytes.
        """
        slots = asyncio.Semaphore(PARALLEL_WRITES)

        async def put(key: str, part: FilePart) -> StoredBlob:
            async with slots:
                if part.start is None:
                    return await self.put_file(key, Path(part.path))
                return await self.put(key, _once(await asyncio.to_thread(part.read)))

        async with asyncio.TaskGroup() as group:
            tasks = {key: group.create_task(put(key, part)) for key, part in files.items()}
        return {key: task.result() for key, task in tasks.items()}

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        """The bytes like a slice: a negative start counts from the end, and a range beyond the end is cut off."""
        ...

    def stream(self, key: str) -> AsyncIterator[bytes]:
        """The whole blob in chunks of about CHUNK_BYTES."""
        ...

    async def download(self, key: str, path: Path) -> int:
        """Write the blob to a file and return its size. A failed download leaves no file."""
        ...

    async def size(self, key: str) -> int: ...

    async def exists(self, key: str) -> bool:
        try:
            await self.size(key)
        except BlobMissing:
            return False
        return True

    async def sealed_with(self, key: str) -> UUID | None:
        """The id of the key that the blob is encrypted with, or None if this store did not encrypt it."""
        return None

    async def delete(self, key: str) -> None:
        """Remove the key. Does nothing if it does not exist."""
        ...

    def list(self, prefix: str = "") -> AsyncIterator[BlobInfo]:
        """Every blob in the folder `prefix` and below, in any order. "" lists all."""
        ...

    async def list_named(self, folder: str, start: str) -> AsyncIterator[BlobInfo]:
        """The blobs in a folder whose names begin with `start`, in any order."""
        beginning = f"{folder}/{start}"
        async for blob in self.list(folder):
            if blob.key.startswith(beginning):
                yield blob

    async def remove_incomplete(self, *, limit: int, dry_run: bool) -> int:
        """Remove what killed writers left behind, or only count it. Returns how many."""
        return 0

    async def check(self) -> None:
        """Write, read and delete a test blob. Raises BlobStoreError if that fails."""
        key = f"probes/{new_id()}"
        expected = key.encode()
        await self.create(key, expected)
        try:
            await self.create(key, b"")
        except BlobExists:
            found = await self.get(key)
        else:
            raise BlobStoreError("The blob store ignores conditional writes.")
        finally:
            await self.delete(key)
        if found != expected:
            raise BlobStoreError("The blob store returned different bytes than were written.")

    async def close(self) -> None: ...


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
