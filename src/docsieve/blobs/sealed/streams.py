"""Seals and opens blobs of any size with constant memory."""

import asyncio
import hashlib
import os
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable
from typing import TypeVar

from docsieve.blobs import port
from docsieve.blobs.files import open_regular
from docsieve.blobs.port import FilePart, StoredBlob
from docsieve.blobs.sealed.envelope import CHUNK_BYTES, CONTENT_BYTES, Cipher
from docsieve.errors import BlobStoreError

_CHUNKS_AT_ONCE = port.CHUNK_BYTES // CONTENT_BYTES
_SHORT_BYTES = 2 * CONTENT_BYTES

T = TypeVar("T")


async def in_thread(size: int, work: Callable[[], T]) -> T:
    """Run what takes time in proportion to `size` in a thread, unless that would take longer."""
    return await asyncio.to_thread(work) if size > _SHORT_BYTES else work()


class Sealing:
    """Seals one blob, and hashes what it contained."""

    def __init__(self, cipher: Cipher) -> None:
        self._cipher = cipher
        self._digest = hashlib.sha256()
        self._size = 0
        self._number = 0

    @property
    def stored(self) -> StoredBlob:
        return StoredBlob(self._size, self._digest.hexdigest())

    async def run(self, chunks: AsyncIterable[bytes]) -> AsyncGenerator[bytes, None]:
        yield self._cipher.header
        held = bytearray()
        async for chunk in chunks:
            held += chunk
            # Something is always held back, because the last chunk is sealed differently.
            while len(held) > port.CHUNK_BYTES:
                content = bytes(held[: port.CHUNK_BYTES])
                del held[: port.CHUNK_BYTES]
                yield await asyncio.to_thread(self.seal, content, last=False)
        rest = bytes(held)
        yield await in_thread(len(rest), lambda: self.seal(rest, last=True))

    def seal(self, content: bytes, *, last: bool) -> bytes:
        self._digest.update(content)
        self._size += len(content)
        sealed = self._cipher.seal(content, first=self._number, last=last)
        self._number += _CHUNKS_AT_ONCE
        return sealed


def seal_file(cipher: Cipher, part: FilePart, path: str) -> StoredBlob:
    """Seal a file, or a part of one, as a new file. A whole file is removed, to take up no room twice. Blocks."""
    sealing = Sealing(cipher)
    with open(open_regular(part.path), "rb") as source, open(path, "xb") as target:
        target.write(cipher.header)
        if part.start is not None:
            source.seek(part.start)
            content = source.read(part.size)
            if len(content) != part.size:
                raise BlobStoreError("A part of a file is missing.")
            target.write(sealing.seal(content, last=True))
            return sealing.stored
        content = source.read(port.CHUNK_BYTES)
        while following := source.read(port.CHUNK_BYTES):
            target.write(sealing.seal(content, last=False))
            content = following
        target.write(sealing.seal(content, last=True))
    os.unlink(part.path)
    return sealing.stored


async def opened(cipher: Cipher, held: bytes, chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """The content of a sealed blob. `held` is what follows the header, `chunks` are the rest."""
    buffer, number, at_once = bytearray(held), 0, _CHUNKS_AT_ONCE * CHUNK_BYTES
    async for chunk in chunks:
        buffer += chunk
        while len(buffer) > at_once:
            sealed = bytes(buffer[:at_once])
            del buffer[:at_once]
            yield await asyncio.to_thread(cipher.open, sealed, first=number, last=False)
            number += _CHUNKS_AT_ONCE
    rest, first = bytes(buffer), number
    if content := await in_thread(len(rest), lambda: cipher.open(rest, first=first, last=True)):
        yield content


async def beginning_of(chunks: AsyncIterator[bytes], size: int) -> bytes:
    """At least so many bytes, unless there are less."""
    held = b""
    while len(held) < size and (chunk := await anext(chunks, None)) is not None:
        held += chunk
    return held
