"""Hands out the content of documents in several formats, and as chunks, a few pages in memory at a time."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID, uuid5

from docsieve import __version__
from docsieve.analysis.search.chunks import Chunker, Sizes
from docsieve.blobs.port import BlobStore
from docsieve.content.formats.csv import CsvWriter
from docsieve.content.formats.port import About, Writer
from docsieve.content.formats.registry import FormatName, writer_for
from docsieve.content.outline import PAGES_FOR_LEVELS, Levels, Outline, PageContent
from docsieve.content.running import NEIGHBORS
from docsieve.db.documents import rows as documents
from docsieve.domain.packets import PageRange
from docsieve.domain.pages.chunks import Chunk
from docsieve.domain.pages.page import Page
from docsieve.domain.pages.pagefile import PageIndex, decode_page
from docsieve.domain.scope import Scope
from docsieve.errors.content import PagesOutOfRange, TableNotFound
from docsieve.resources import Resources
from docsieve.services import pages
from docsieve.services.documents import not_found

MIN_CHUNK, DEFAULT_CHUNK, MAX_CHUNK = 32, 320, 4000
_NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Readable:
    """A document that was read: its page file and what is said about it."""

    about: About
    key: str
    index: PageIndex
    pages: PageRange

    def etag(self, *form: object) -> str:
        """It changes with the pages, their form, and the release that writes it."""
        digest = hashlib.blake2b(digest_size=12)
        for part in (__version__, self.about, self.pages, *form, *self.index.digests):
            digest.update(repr(part).encode() + b"\0")
        return f'"{digest.hexdigest()}"'


@dataclass(frozen=True, slots=True)
class Form:
    """`table` chooses the table for CSV. Without `headers`, running headers and footers are left out."""

    format: FormatName
    headers: bool = True
    table: int = 1


async def find(
    resources: Resources, scope: Scope, document_id: UUID, *, first: int = 1, last: int | None = None
) -> Readable:
    """Raises NotFound, DocumentNotReady, PagesDamaged, BlobMissing, and PagesOutOfRange if it has no such pages."""
    async with resources.database.tenant(scope) as session:
        document = await documents.find(session, document_id)
        if document is None:
            raise not_found()
        key = await pages.key_of(session, document_id)
    index = await pages.read_index(resources.blobs, key)
    last = index.page_count if last is None else min(last, index.page_count)
    if not 1 <= first <= max(last, 1):
        raise PagesOutOfRange(f"The document has {index.page_count} pages.")
    about = About(index.info.title or document.filename, index.page_count, str(document_id), document.language)
    return Readable(about, key, index, PageRange(first, last))


async def write(resources: Resources, document: Readable, form: Form) -> AsyncIterator[str]:
    """The pieces of the document in this form. Raises TableNotFound before the first."""
    if form.format == "csv":
        yield await _table(resources.blobs, document, form)
        return
    # Once the response has started, it is too late to report damage.
    await pages.check(resources.blobs, document.key)
    writer = writer_for(form.format)
    yield writer.begin(document.about)
    async for some in _contents(resources.blobs, document, headers=form.headers):
        yield await asyncio.to_thread(_joined, writer, some)
    yield writer.end()


def _joined(writer: Writer, contents: list[PageContent]) -> str:
    return "".join(map(writer.page, contents))


async def _table(blobs: BlobStore, document: Readable, form: Form) -> str:
    writer = CsvWriter(form.table)
    async with aclosing(_contents(blobs, document, headers=form.headers)) as contents:
        async for some in contents:
            written = _joined(writer, some)
            if writer.written:
                return written
    raise TableNotFound


@dataclass(frozen=True, slots=True)
class IdentifiedChunk:
    id: UUID
    chunk: Chunk


async def chunks(
    resources: Resources, document: Readable, sizes: Sizes, *, headers: bool, after: int, limit: int
) -> tuple[list[IdentifiedChunk], bool]:
    """The chunks from number `after` on, and whether there are more.

    A chunk's id depends on its text, the sizes and how often the text came before, so that it stays the same when the
    document is read again, or changed elsewhere.
    """
    chunker = Chunker(sizes)
    seen: dict[bytes, int] = {}
    found: list[IdentifiedChunk] = []
    namespace = UUID(document.about.document_id)
    async with aclosing(_chunks(resources.blobs, document, chunker, headers=headers)) as made:
        async for chunk in made:
            digest = hashlib.blake2b(chunk.text.encode(), digest_size=16).digest()
            seen[digest] = count = seen.get(digest, 0) + 1
            if chunk.ordinal < after:
                continue
            if len(found) == limit:
                return found, True
            name = f"{sizes.largest} {sizes.overlap} {count} {digest.hex()}"
            found.append(IdentifiedChunk(uuid5(namespace, name), chunk))
    return found, False


def chunk_sizes(size: int, overlap: int) -> Sizes:
    """The sizes for chunks of at most `size` tokens, with rows of tables never cut."""
    target = size * 2 // 3
    return Sizes(target, size, min(size // 8, 40), size, _NEVER, overlap)


async def _chunks(blobs: BlobStore, document: Readable, chunker: Chunker, *, headers: bool) -> AsyncGenerator[Chunk]:
    def of(some: list[PageContent]) -> list[Chunk]:
        return [chunk for content in some for block in content.blocks for chunk in chunker.take(block)]

    async for some in _contents(blobs, document, headers=headers):
        for chunk in await asyncio.to_thread(of, some):
            yield chunk
    for chunk in chunker.flush():
        yield chunk


async def _contents(blobs: BlobStore, document: Readable, *, headers: bool) -> AsyncGenerator[list[PageContent]]:
    """The chosen pages. Some more are read: the first for the levels of headings, and neighbors to compare with."""
    index, key, chosen = document.index, document.key, document.pages
    head = [each async for each in pages.frames(blobs, key, index, last=min(PAGES_FOR_LEVELS, index.page_count))]
    outline = Outline(await asyncio.to_thread(lambda: Levels.of(_decoded(index, head))))
    head.clear()

    first, last = max(chosen.first - NEIGHBORS, 1), min(chosen.last + NEIGHBORS, index.page_count)
    async for number, frame in pages.frames(blobs, key, index, first=first, last=last):
        yield _chosen(await asyncio.to_thread(_add, outline, index, number, frame), chosen, headers=headers)
    yield _chosen(await asyncio.to_thread(lambda: list(outline.finish())), chosen, headers=headers)


def _add(outline: Outline, index: PageIndex, number: int, frame: bytes) -> list[PageContent]:
    return list(outline.add(decode_page(index.page_json(number, frame))))


def _chosen(contents: list[PageContent], pages: PageRange, *, headers: bool) -> list[PageContent]:
    some = [content for content in contents if pages.first <= content.number <= pages.last]
    return some if headers else [content.without_running() for content in some]


def _decoded(index: PageIndex, frames: list[tuple[int, bytes]]) -> Iterator[Page]:
    return (decode_page(index.page_json(number, frame)) for number, frame in frames)
