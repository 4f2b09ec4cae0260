"""The file format of a document's pages, which can be read by range requests.

    head │ page 1 │ head │ page 2 │ … │ index │ index length, 8 bytes │ index digest, 16 bytes │ magic, 8 bytes

Every page and the index is a separate zstd frame, so reading one page of a long document takes three small range reads:
the trailer, the index and the page. Stored bytes are not trusted: every part is checked against its digest (the index
against the trailer's, a page against the index's), and the decompressed size is limited. Any mismatch raises
PagesDamaged; the pages can then be read again from the original.

Before each page, its length and digest are repeated in a frame that zstd skips. So the pages that a file has so far can
be read while others are still being added (`pages_so_far`).
"""

import hashlib
import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

import zstandard
from pydantic import TypeAdapter, ValidationError

from docsieve.domain.pages.page import DocumentInfo, Page
from docsieve.domain.text import clean_json
from docsieve.errors import NotFound, OutputTooLarge, PagesDamaged

FORMAT = 2
MAX_PAGE_BYTES = 64 * 1024**2
MAX_INDEX_BYTES = 32 * 1024**2

# level 3 takes 50 % longer and saves only a few percent
_LEVEL = 1
_MAGIC = b"DSVPAGE2"
_DIGEST_BYTES = 16
_TRAILER = struct.Struct(f"<Q{_DIGEST_BYTES}s8s")
TRAILER_BYTES = _TRAILER.size
_HEAD = struct.Struct(f"<IIQ{_DIGEST_BYTES}s")
_SKIPPABLE = 0x184D2A5D


@cache
def _page_adapter() -> TypeAdapter[Page]:
    # built when first used, because it takes 20 ms and an API process may never read a page
    return TypeAdapter(Page)


@dataclass(slots=True)
class PageIndex:
    """The contents of a page file and their positions. `errors` maps the pages that could not be read."""

    parser: str
    parser_version: str
    format: int = FORMAT
    page_count: int = 0
    offsets: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    characters: list[int] = field(default_factory=list)
    errors: dict[int, str] = field(default_factory=dict)
    info: DocumentInfo = field(default_factory=DocumentInfo)
    media_type: str | None = None

    def page_range(self, number: int) -> tuple[int, int]:
        """Start and end (exclusive) of a page's frame; pages count from 1."""
        if not 1 <= number <= self.page_count:
            raise NotFound(f"The document has no page {number}.")
        start = self.offsets[number - 1]
        return start, start + self.lengths[number - 1]

    def check_page(self, number: int, frame: bytes) -> None:
        """Raises PagesDamaged unless this is the frame that was written for the page."""
        if _digest(frame).hex() != self.digests[number - 1]:
            raise _damaged(f"page {number} does not match its digest")

    def page_json(self, number: int, frame: bytes) -> bytes:
        """The JSON of a page from its frame, ready to be sent to a client."""
        self.check_page(number, frame)
        return _decompress(frame, MAX_PAGE_BYTES)


_index_adapter = TypeAdapter(PageIndex)


@dataclass(frozen=True, slots=True)
class PageFileSummary:
    page_count: int
    characters: int
    pages_failed: int
    bytes: int


class PageFileWriter:
    """Appends pages to `file` in order. The file is readable only after `close`, which leaves `file` open."""

    def __init__(self, file: BinaryIO, *, parser: str, parser_version: str) -> None:
        self._file = file
        self._index = PageIndex(parser, parser_version)
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self._size = 0

    def add(self, page: Page) -> Page:
        """Returns the page as written: without characters that PostgreSQL or JSON cannot represent."""
        index = self._index
        if page.number != index.page_count + 1:
            raise ValueError(f"page {page.number} cannot follow page {index.page_count}")
        page, payload = clean_json(_page_adapter(), page)
        frame = self._compressed(payload, MAX_PAGE_BYTES, f"Page {page.number}")
        self._write(_head(frame) + frame)
        self._file.flush()
        index.page_count = page.number
        index.offsets.append(self._size - len(frame))
        index.lengths.append(len(frame))
        index.digests.append(_digest(frame).hex())
        index.characters.append(sum(len(line.text) for line in page.lines))
        if page.error is not None:
            index.errors[page.number] = page.error
        return page

    def describe(self, info: DocumentInfo, media_type: str | None) -> None:
        """Set the document's own metadata and the more specific media type found by the parser."""
        self._index.info, self._index.media_type = info, media_type

    def close(self) -> PageFileSummary:
        _, payload = clean_json(_index_adapter, self._index)
        frame = self._compressed(payload, MAX_INDEX_BYTES, "The page index")
        self._write(frame + _TRAILER.pack(len(frame), _digest(frame), _MAGIC))
        return PageFileSummary(self._index.page_count, sum(self._index.characters), len(self._index.errors), self._size)

    def _compressed(self, payload: bytes, limit: int, what: str) -> bytes:
        if len(payload) > limit:
            raise OutputTooLarge(f"{what} is larger than {limit} bytes.")
        return self._compressor.compress(payload)

    def _write(self, part: bytes) -> None:
        self._file.write(part)
        self._size += len(part)


def _head(frame: bytes) -> bytes:
    return _HEAD.pack(_SKIPPABLE, _HEAD.size - 8, len(frame), _digest(frame))


def pages_so_far(file: BinaryIO, *, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """The frames of the pages from `start` on, each with the position after it, of a file that is being written.

    Ends before a page that is not complete yet, and before the index.
    """
    file.seek(start)
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        magic, _, length, _ = _HEAD.unpack(head)
        if magic != _SKIPPABLE or length > MAX_PAGE_BYTES:
            return
        frame = file.read(length)
        if _head(frame) != head:
            return
        start += _HEAD.size + length
        yield start, frame


def index_range(size: int, tail: bytes) -> tuple[int, int]:
    """The range of index and trailer in a page file of `size` bytes, given its last bytes (at least the trailer)."""
    if len(tail) < TRAILER_BYTES or size < TRAILER_BYTES:
        raise _damaged("it is too short")
    length, _, magic = _TRAILER.unpack(tail[-TRAILER_BYTES:])
    if magic != _MAGIC or length > size - TRAILER_BYTES:
        raise _damaged("the trailer is invalid")
    return size - TRAILER_BYTES - length, size


def read_index(part: bytes) -> PageIndex:
    """The index from the part of the file given by `index_range`."""
    frame = part[:-TRAILER_BYTES]
    _, digest, _ = _TRAILER.unpack(part[-TRAILER_BYTES:])
    if _digest(frame) != digest:
        raise _damaged("the index does not match its digest")
    try:
        index = _index_adapter.validate_json(_decompress(frame, MAX_INDEX_BYTES))
    except ValidationError as error:
        raise _damaged("the index cannot be parsed") from error
    if index.format != FORMAT:
        raise _damaged(f"the format is {index.format}, not {FORMAT}")
    parts = (index.offsets, index.lengths, index.digests, index.characters)
    if any(len(part) != index.page_count for part in parts):
        raise _damaged("the index is inconsistent")
    return index


def whole_index(data: bytes) -> PageIndex:
    """The index of a page file that is in memory."""
    start, end = index_range(len(data), data[-TRAILER_BYTES:])
    return read_index(data[start:end])


def stored_page(data: bytes, index: PageIndex, number: int) -> bytes:
    """The JSON of a page of a file that is in memory."""
    start, end = index.page_range(number)
    return index.page_json(number, data[start:end])


def page_json_in(path: Path, number: int) -> bytes:
    """The JSON of a page of a file on disk."""
    data = path.read_bytes()
    return stored_page(data, whole_index(data), number)


def pages_in(path: Path) -> Iterator[Page]:
    """All pages of a file on disk."""
    data = path.read_bytes()
    index = whole_index(data)
    for number in range(1, index.page_count + 1):
        yield decode_page(stored_page(data, index, number))


def page_count_in(path: Path) -> int:
    return whole_index(path.read_bytes()).page_count


def check_file(file: BinaryIO) -> PageIndex:
    """Check a whole page file, one page at a time. Raises PagesDamaged unless all of it is as it was written."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - TRAILER_BYTES))
    start, end = index_range(size, file.read())
    file.seek(start)
    index = read_index(file.read(end - start))
    end = 0
    for number in range(1, index.page_count + 1):
        first, last = index.page_range(number)
        file.seek(end)
        head, frame = file.read(first - end), file.read(last - first)
        index.check_page(number, frame)
        if head not in (_head(frame), b""):  # files of earlier versions have none
            raise _damaged(f"the head of page {number} is another's")
        end = last
    return index


def decode_page(json: bytes) -> Page:
    try:
        return _page_adapter().validate_json(json)
    except ValidationError as error:
        raise _damaged("a page cannot be parsed") from error


def frame_json(frame: bytes) -> bytes:
    """The JSON of a page whose frame was verified before."""
    return _decompress(frame, MAX_PAGE_BYTES)


def page_text(json: bytes) -> str:
    return decode_page(json).text


def _decompress(frame: bytes, limit: int) -> bytes:
    try:
        # The library trusts the size stated in the frame, so it is checked first.
        declared = zstandard.get_frame_parameters(frame).content_size
        if declared in (zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR) or declared > limit:
            raise _damaged("a frame has an invalid size")
        decompressor = zstandard.ZstdDecompressor(max_window_size=max(limit, 1024))
        return decompressor.decompress(frame, max_output_size=limit, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise _damaged("a frame cannot be decompressed") from error


def _digest(frame: bytes) -> bytes:
    return hashlib.blake2b(frame, digest_size=_DIGEST_BYTES).digest()


def _damaged(how: str) -> PagesDamaged:
    return PagesDamaged(f"The page file is damaged: {how}.")
