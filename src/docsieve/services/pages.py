"""Reads pages of documents from the blob store, by byte ranges."""

from collections.abc import AsyncIterator
from uuid import UUID

from docsieve.blobs.port import BlobStore
from docsieve.db.connection.session import Database, Session
from docsieve.db.documents import rows as documents
from docsieve.domain.pages import pagefile
from docsieve.domain.pages.pagefile import PageIndex
from docsieve.domain.scope import Scope
from docsieve.errors import DocumentNotReady, PagesDamaged
from docsieve.errors.blobs import BlobSealBroken
from docsieve.services.documents import not_found

_TAIL_BYTES = 16 * 1024  # usually holds the whole index, which saves a request
_BATCH_BYTES = 4 * 1024**2


async def find_key(database: Database, scope: Scope, document_id: UUID) -> str:
    """Like `key_of`, in its own transaction, so that none is open while the blob store is slow."""
    async with database.tenant(scope) as session:
        return await key_of(session, document_id)


async def key_of(session: Session, document_id: UUID) -> str:
    """The blob key of a document's pages. Raises NotFound or DocumentNotReady."""
    document = await documents.find(session, document_id)
    key = await documents.pages_key(session, document_id)
    if document is None:
        raise not_found()
    if key is None:
        raise DocumentNotReady(f"The document has no pages; its status is {document.status}.")
    return key


async def read_index(blobs: BlobStore, key: str) -> PageIndex:
    try:
        size = await blobs.size(key)
    except BlobSealBroken as error:
        raise PagesDamaged from error
    tail = await _get(blobs, key, -min(size, _TAIL_BYTES), None)
    start, end = pagefile.index_range(size, tail)
    tail_start = size - len(tail)
    if start >= tail_start:
        return pagefile.read_index(tail[start - tail_start : end - tail_start])
    return pagefile.read_index(await _get(blobs, key, start, end - start))


async def page_json(blobs: BlobStore, key: str, number: int) -> bytes:
    """The JSON of one page as the parser wrote it."""
    index = await read_index(blobs, key)
    start, end = index.page_range(number)
    return index.page_json(number, await _get(blobs, key, start, end - start))


async def texts(blobs: BlobStore, key: str) -> AsyncIterator[str]:
    """The text of each page."""
    index = await read_index(blobs, key)
    async for number, frame in frames(blobs, key, index):
        yield pagefile.page_text(index.page_json(number, frame))


async def frames(
    blobs: BlobStore, key: str, index: PageIndex, *, first: int = 1, last: int | None = None
) -> AsyncIterator[tuple[int, bytes]]:
    """The number and frame of each page of a range, read in batches of a few megabytes."""
    number, last = first, index.page_count if last is None else last
    while number <= last:
        begin, (start, end) = number, index.page_range(number)
        while number < last and index.page_range(number + 1)[1] - start <= _BATCH_BYTES:
            number += 1
            end = index.page_range(number)[1]
        batch = await _get(blobs, key, start, end - start)
        for each in range(begin, number + 1):
            page_start, page_end = index.page_range(each)
            yield each, batch[page_start - start : page_end - start]
        number += 1


async def check(blobs: BlobStore, key: str) -> None:
    """Read all pages and verify their checksums. Raises PagesDamaged, or BlobMissing if there is no page file."""
    index = await read_index(blobs, key)
    async for number, frame in frames(blobs, key, index):
        index.check_page(number, frame)


async def _get(blobs: BlobStore, key: str, start: int, length: int | None) -> bytes:
    try:
        return await blobs.get(key, start=start, length=length)
    except BlobSealBroken as error:
        raise PagesDamaged from error
