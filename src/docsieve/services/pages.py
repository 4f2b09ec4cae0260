"""A document's pages, fetched from the store by ranges."""

from collections.abc import AsyncIterator

from docsieve.blobs.port import BlobStore
from docsieve.domain import pagefile
from docsieve.domain.pagefile import PageIndex

_TAIL_BYTES = 16 * 1024  # usually holds the whole index, which saves a request
_GATHER_BYTES = 4 * 1024**2


async def read_index(blobs: BlobStore, key: str) -> PageIndex:
    size = await blobs.size(key)
    tail = await blobs.get(key, start=-min(size, _TAIL_BYTES))
    start, end = pagefile.index_range(size, tail)
    held_from = size - len(tail)
    if start >= held_from:
        return pagefile.read_index(tail[start - held_from : end - held_from])
    return pagefile.read_index(await blobs.get(key, start=start, length=end - start))


async def page_json(blobs: BlobStore, key: str, number: int) -> bytes:
    """The JSON of one page as the parser wrote it."""
    index = await read_index(blobs, key)
    start, end = index.page_range(number)
    return index.page_json(number, await blobs.get(key, start=start, length=end - start))


async def texts(blobs: BlobStore, key: str) -> AsyncIterator[str]:
    """The text of each page."""
    index = await read_index(blobs, key)
    async for number, frame in _frames(blobs, key, index):
        yield pagefile.page_text(index.page_json(number, frame))


async def check(blobs: BlobStore, key: str) -> None:
    """Read all pages; raises PagesDamaged unless they are as they were written, BlobMissing if there are none."""
    index = await read_index(blobs, key)
    async for number, frame in _frames(blobs, key, index):
        index.check_page(number, frame)


async def _frames(blobs: BlobStore, key: str, index: PageIndex) -> AsyncIterator[tuple[int, bytes]]:
    """Each page's number and frame, fetched a few megabytes at a time."""
    number = 1
    while number <= index.page_count:
        first, (start, end) = number, index.page_range(number)
        while number < index.page_count and index.page_range(number + 1)[1] - start <= _GATHER_BYTES:
            number += 1
            end = index.page_range(number)[1]
        held = await blobs.get(key, start=start, length=end - start)
        for each in range(first, number + 1):
            a, b = index.page_range(each)
            yield each, held[a - start : b - start]
        number += 1
