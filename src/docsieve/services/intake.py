"""Streams an upload into the store, which hashes it, while it is measured and recognised. Memory stays flat."""

import hashlib
from collections.abc import AsyncIterator
from uuid import UUID

from docsieve import faults
from docsieve.blobs.port import BlobStore
from docsieve.domain.documents import original_key
from docsieve.domain.ids import new_id
from docsieve.errors import EmptyDocument, TooLarge, UnsupportedType
from docsieve.parsers import registry
from docsieve.parsers.port import HEAD_BYTES
from docsieve.services.documents import StoredUpload


class Gauge:
    """Passes chunks on and knows, at the end, what went through. Refuses as early as it can tell."""

    def __init__(self, chunks: AsyncIterator[bytes], *, max_bytes: int) -> None:
        self._chunks = chunks
        self._max_bytes = max_bytes
        self.size = 0
        self.media_type = ""

    async def through(self) -> AsyncIterator[bytes]:
        head = b""
        async for chunk in self._chunks:
            self.size += len(chunk)
            if self.size > self._max_bytes:
                raise TooLarge(f"The document is larger than {self._max_bytes} bytes.")
            if self.media_type:
                yield chunk
                continue
            head += chunk
            if len(head) >= HEAD_BYTES:
                self.media_type = _recognise(head)
                yield head
        if not self.size:
            raise EmptyDocument
        if not self.media_type:
            self.media_type = _recognise(head)
            yield head


def _recognise(head: bytes) -> str:
    media_type = registry.detect(head[:HEAD_BYTES])
    if media_type is None:
        raise UnsupportedType
    return media_type


async def store(
    blobs: BlobStore, tenant_id: UUID, filename: str, chunks: AsyncIterator[bytes], *, max_bytes: int
) -> StoredUpload:
    """Put the bytes where the document will look for them; until its row is committed they are an orphan."""
    document_id = new_id()
    gauge = Gauge(chunks, max_bytes=max_bytes)
    faults.step("upload.received")
    stored = await blobs.put(original_key(tenant_id, document_id), gauge.through())
    faults.step("upload.blob_stored")
    return StoredUpload(document_id, filename, gauge.media_type, stored.size, stored.sha256)


async def measure(filename: str, chunks: AsyncIterator[bytes], *, max_bytes: int) -> StoredUpload:
    """Read an upload without keeping it, to compare it with the one its Idempotency-Key stands for."""
    gauge = Gauge(chunks, max_bytes=max_bytes)
    digest = hashlib.sha256()
    async for chunk in gauge.through():
        digest.update(chunk)
    return StoredUpload(new_id(), filename, gauge.media_type, gauge.size, digest.hexdigest())
