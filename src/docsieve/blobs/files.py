"""Files on this machine as chunks, for stores that do not work on files themselves."""

import asyncio
import os
from collections.abc import AsyncGenerator
from pathlib import Path

from docsieve.blobs.port import CHUNK_BYTES


async def read_file(path: Path) -> AsyncGenerator[bytes, None]:
    with await asyncio.to_thread(path.open, "rb") as file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield chunk


async def write_file(path: Path, chunks: AsyncGenerator[bytes, None]) -> int:
    """Returns the size. If `chunks` or the disk fails, no file is left; if the first chunk does, none is made."""
    first = await anext(chunks, b"")
    file = await asyncio.to_thread(path.open, "wb")
    try:
        with file:
            await asyncio.to_thread(file.write, first)
            async for chunk in chunks:
                await asyncio.to_thread(file.write, chunk)
            return file.tell()
    except BaseException:
        await asyncio.shield(asyncio.to_thread(path.unlink, missing_ok=True))
        raise


def open_regular(path: str) -> int:
    """A descriptor of a file that a sandboxed process may have made, which must not be a link to another one."""
    return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
