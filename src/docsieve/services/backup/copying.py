"""Handling many files at once, and checking them on the way."""

import asyncio
import hashlib
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from typing import TypeVar

from docsieve.errors import BlobMissing
from docsieve.errors.backups import BackupDamaged
from docsieve.errors.blobs import BlobSealBroken

PARALLEL = 16

T = TypeVar("T")


async def for_each(items: AsyncIterable[T], work: Callable[[T], Awaitable[None]]) -> None:
    """Do the work for each item, for some at a time. Raises the first error, after ending the rest."""
    free = asyncio.Semaphore(PARALLEL)

    async def do(item: T) -> None:
        try:
            await work(item)
        finally:
            free.release()

    try:
        async with asyncio.TaskGroup() as group:
            async for item in items:
                await free.acquire()
                group.create_task(do(item))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None


async def checked(chunks: AsyncIterable[bytes], name: str, sha256: str) -> AsyncIterator[bytes]:
    """The chunks of an object, the last of them only if all are the right ones. Raises BackupDamaged."""
    digest, held = hashlib.sha256(), b""
    try:
        async for chunk in chunks:
            if held:
                yield held
            held = chunk
            digest.update(chunk)
    except BlobMissing as error:
        raise BackupDamaged(f"{name} is missing from the backup.") from error
    except BlobSealBroken as error:
        raise BackupDamaged(f"{name} was altered since it was backed up.") from error
    if digest.hexdigest() != sha256:
        raise BackupDamaged(f"{name} was altered since it was backed up.")
    yield held
