"""A blob store that keeps the blobs of tenants encrypted in another store."""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from docsieve.blobs.files import read_file, write_file
from docsieve.blobs.keys import check_key
from docsieve.blobs.port import BlobInfo, BlobStore, FilePart, SignedRequest, StoredBlob
from docsieve.blobs.sealed.envelope import CHUNK_BYTES, CONTENT_BYTES, HEADER_BYTES, Cipher, Header, content_bytes
from docsieve.blobs.sealed.port import DataKey, DataKeys
from docsieve.blobs.sealed.streams import Sealing, beginning_of, in_thread, opened, seal_file
from docsieve.domain.documents import owner_of
from docsieve.errors.blobs import BlobSealBroken

_REMEMBERED = 4096
_TRIES = 5

_Put = Callable[[str, AsyncIterable[bytes]], Awaitable[StoredBlob]]


@dataclass(frozen=True, slots=True)
class _Sealed:
    """What the store holds of a sealed blob: its header, and so many bytes."""

    header: Header
    stored: int


class SealedBlobStore(BlobStore):
    """Blobs without an owner, and those stored while encryption was off, are kept and read as they are.

    A blob may be replaced while it is read, as when it is encrypted with a new key; then it is read again. Listings
    give the number of bytes in the store.
    """

    def __init__(self, inner: BlobStore, keys: DataKeys, *, owner: Callable[[str], UUID | None] = owner_of) -> None:
        self._inner = inner
        self._keys = keys
        self._owner = owner
        self._remembered: OrderedDict[str, _Sealed] = OrderedDict()

    async def put(self, key: str, chunks: AsyncIterable[bytes]) -> StoredBlob:
        return await self._put(key, chunks, self._inner.put)

    async def put_new(self, key: str, chunks: AsyncIterable[bytes]) -> StoredBlob:
        return await self._put(key, chunks, self._inner.put_new)

    async def _put(self, key: str, chunks: AsyncIterable[bytes], put: _Put) -> StoredBlob:
        if not self._seals(key):
            return await put(key, chunks)
        sealing = Sealing(await self._new_cipher(key))
        async with aclosing(sealing.run(chunks)) as sealed:
            await put(key, sealed)
        return sealing.stored

    async def create(self, key: str, content: bytes) -> None:
        if self._seals(key):
            cipher = await self._new_cipher(key)
            content = cipher.header + cipher.seal(content, last=True)
        await self._inner.create(key, content)

    async def copy(self, source: str, target: str) -> None:
        """A sealed blob opens under its own key only, so it is sealed again."""
        if await self._may_be_sealed(source) or await self._may_be_sealed(target):
            await super().copy(source, target)
        else:
            await self._inner.copy(source, target)

    async def sign_put(self, key: str, *, seconds: int) -> SignedRequest | None:
        """None where blobs are sealed: a client would store its bytes as they are."""
        return None if self._seals(key) else await self._inner.sign_put(key, seconds=seconds)

    async def sign_get(self, key: str, *, seconds: int) -> SignedRequest | None:
        """None where blobs may be sealed, now or before the request expires."""
        return None if await self._may_be_sealed(key) else await self._inner.sign_get(key, seconds=seconds)

    async def put_file(self, key: str, path: Path) -> StoredBlob:
        if not self._seals(key):
            return await self._inner.put_file(key, path)
        async with aclosing(read_file(path)) as chunks:
            return await self.put(key, chunks)

    async def take_files(self, files: Mapping[str, FilePart]) -> dict[str, StoredBlob]:
        """Seals the files in the folder of the first, so that a local store can still move them."""
        if not any(map(self._seals, files)):
            return await self._inner.take_files(files)
        folder = os.path.dirname(next(iter(files.values())).path)
        with TemporaryDirectory(dir=folder, prefix="sealed-") as aside:
            sealed, stored = {}, {}
            for number, (key, part) in enumerate(files.items()):
                path = f"{aside}/{number}"
                stored[key] = await asyncio.to_thread(seal_file, await self._new_cipher(key), part, path)
                sealed[key] = FilePart(path)
            await self._inner.take_files(sealed)
        return stored

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        if not await self._may_be_sealed(key):
            return await self._inner.get(key, start=start, length=length)
        if start == 0 and length is None:
            content = await self._inner.get(key)
            header = Header.read(content)
            return content if header is None else await self._open(key, header, content[HEADER_BYTES:], 0, last=True)
        for _ in range(_TRIES):
            sealed = self._remembered.get(key)
            if sealed is None:
                # Before the header, as only this order is safe: a blob that is not sealed now was not sealed before.
                plain = await self._inner.get(key, start=start, length=length)
                sealed = await self._look_up(key)
                if sealed is None:
                    return plain
            try:
                return await self._get_range(key, sealed, start, length)
            except BlobSealBroken:
                if await self._look_up(key) == sealed:
                    raise
        raise BlobSealBroken

    async def stream(self, key: str) -> AsyncGenerator[bytes, None]:
        sealable = await self._may_be_sealed(key)
        chunks = self._inner.stream(key)
        beginning = await beginning_of(chunks, HEADER_BYTES if sealable else 0)
        header = Header.read(beginning) if sealable else None
        if header is not None:
            cipher = Cipher(header, await self._key_of(key, header), key)
            chunks = opened(cipher, beginning[HEADER_BYTES:], chunks)
        elif beginning:
            yield beginning
        async for chunk in chunks:
            yield chunk

    async def download(self, key: str, path: Path) -> int:
        if not await self._may_be_sealed(key):
            return await self._inner.download(key, path)
        async with aclosing(self.stream(key)) as chunks:
            return await write_file(path, chunks)

    async def size(self, key: str) -> int:
        """What the store says, not verified. Raises EncryptionKeyUnavailable if the blob could not be read."""
        if not await self._may_be_sealed(key):
            return await self._inner.size(key)
        size = await self._inner.size(key)
        sealed = await self._look_up(key)
        if sealed is None:
            return size
        await self._key_of(key, sealed.header)
        return content_bytes(sealed.stored)

    async def exists(self, key: str) -> bool:
        return await self._inner.exists(key)

    async def sealed_with(self, key: str) -> UUID | None:
        sealed = await self._look_up(key) if await self._may_be_sealed(key) else None
        return sealed.header.key_id if sealed is not None else None

    async def delete(self, key: str) -> None:
        self._remembered.pop(key, None)
        await self._inner.delete(key)

    def list(self, prefix: str = "") -> AsyncIterator[BlobInfo]:
        return self._inner.list(prefix)

    def list_named(self, folder: str, start: str) -> AsyncIterator[BlobInfo]:
        return self._inner.list_named(folder, start)

    async def remove_incomplete(self, *, limit: int, dry_run: bool) -> int:
        return await self._inner.remove_incomplete(limit=limit, dry_run=dry_run)

    async def close(self) -> None:
        await self._inner.close()

    def _seals(self, key: str) -> bool:
        return self._keys.enabled and self._owner(check_key(key)) is not None

    async def _may_be_sealed(self, key: str) -> bool:
        tenant_id = self._owner(check_key(key))
        return tenant_id is not None and (self._keys.enabled or await self._keys.exist(tenant_id))

    async def _new_cipher(self, key: str) -> Cipher:
        tenant_id = self._owner(key)
        assert tenant_id is not None, "only blobs with an owner are sealed"
        data_key = await self._keys.current(tenant_id)
        return Cipher(Header.new(data_key.id), data_key, key)

    async def _key_of(self, key: str, header: Header) -> DataKey:
        tenant_id = self._owner(key)
        assert tenant_id is not None, "only blobs with an owner are sealed"
        return await self._keys.find(tenant_id, header.key_id)

    async def _look_up(self, key: str) -> _Sealed | None:
        """The stored blob, None for a blob that is not sealed. Sealed ones are remembered, to be read by ranges."""
        self._remembered.pop(key, None)
        header = Header.read(await self._inner.get(key, length=HEADER_BYTES))
        if header is None:
            return None
        sealed = self._remembered[key] = _Sealed(header, await self._inner.size(key))
        if len(self._remembered) > _REMEMBERED:
            self._remembered.popitem(last=False)
        return sealed

    async def _get_range(self, key: str, sealed: _Sealed, start: int, length: int | None) -> bytes:
        """Where the result depends on the end of the blob, the last chunk is read too, which proves that end."""
        size = content_bytes(sealed.stored)
        begin, end, _ = slice(start, None).indices(size)
        end = end if length is None else min(begin + length, end)
        final = max(0, size - 1) // CONTENT_BYTES
        first = min(begin // CONTENT_BYTES, final)
        at_end = start < 0 or begin >= end
        last = final if at_end else (end - 1) // CONTENT_BYTES
        chunks = await self._inner.get(
            key, start=HEADER_BYTES + first * CHUNK_BYTES, length=(last - first + 1) * CHUNK_BYTES
        )
        content = await self._open(key, sealed.header, chunks, first, last=last == final)
        return content[begin - first * CONTENT_BYTES : end - first * CONTENT_BYTES]

    async def _open(self, key: str, header: Header, chunks: bytes, first: int, *, last: bool) -> bytes:
        cipher = Cipher(header, await self._key_of(key, header), key)
        return await in_thread(len(chunks), lambda: cipher.open(chunks, first=first, last=last))
