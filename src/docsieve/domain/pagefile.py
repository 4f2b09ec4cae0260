"""The container of a document's pages, readable by ranges.

    page 1 │ page 2 │ … │ index │ index length, 8 bytes │ magic, 8 bytes

Every page and the index is a zstd frame of its own, so page n of a long document costs three small range reads: the
trailer, the index and the page. Stored bytes are not trusted: nothing is decompressed past a bound.
"""

import struct
from dataclasses import dataclass, field
from typing import BinaryIO

import zstandard
from pydantic import TypeAdapter, ValidationError

from docsieve.domain.pages import DocumentInfo, Page
from docsieve.errors import BlobStoreError, NotFound, OutputTooLarge

FORMAT = 1
MAX_PAGE_BYTES = 64 * 1024**2
MAX_INDEX_BYTES = 32 * 1024**2

# 3 would take half as long again for hundredths less
_LEVEL = 1
_MAGIC = b"DSVPAGE1"
_TRAILER = struct.Struct("<Q8s")
TRAILER_BYTES = _TRAILER.size

_page_adapter = TypeAdapter(Page)


@dataclass(slots=True)
class PageIndex:
    """What is in a page file and where; `errors` names the pages that could not be read."""

    parser: str
    parser_version: str
    format: int = FORMAT
    page_count: int = 0
    offsets: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
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


_index_adapter = TypeAdapter(PageIndex)


@dataclass(frozen=True, slots=True)
class PageFileSummary:
    page_count: int
    characters: int
    pages_failed: int
    bytes: int


class PageFileWriter:
    """Appends pages to `file` in their order; the file is readable only after `close`, which leaves `file` open."""

    def __init__(self, file: BinaryIO, *, parser: str, parser_version: str) -> None:
        self._file = file
        self._index = PageIndex(parser, parser_version)
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self._size = 0

    def add(self, page: Page) -> None:
        index = self._index
        if page.number != index.page_count + 1:
            raise ValueError(f"page {page.number} cannot follow page {index.page_count}")
        frame = self._append(_page_adapter.dump_json(page), MAX_PAGE_BYTES, f"Page {page.number}")
        index.page_count = page.number
        index.offsets.append(self._size - frame)
        index.lengths.append(frame)
        index.characters.append(sum(len(line.text) for line in page.lines))
        if page.error is not None:
            index.errors[page.number] = page.error

    def describe(self, info: DocumentInfo, media_type: str | None) -> None:
        """What the document says about itself, and the finer type that its content showed."""
        self._index.info, self._index.media_type = info, media_type

    def close(self) -> PageFileSummary:
        length = self._append(_index_adapter.dump_json(self._index), MAX_INDEX_BYTES, "The page index")
        self._file.write(_TRAILER.pack(length, _MAGIC))
        self._size += TRAILER_BYTES
        return PageFileSummary(self._index.page_count, sum(self._index.characters), len(self._index.errors), self._size)

    def _append(self, payload: bytes, limit: int, what: str) -> int:
        if len(payload) > limit:
            raise OutputTooLarge(f"{what} is larger than {limit} bytes.")
        frame = self._compressor.compress(payload)
        self._file.write(frame)
        self._size += len(frame)
        return len(frame)


def index_range(size: int, tail: bytes) -> tuple[int, int]:
    """Where the index lies in a page file of `size` bytes, told by its last bytes (at least the trailer)."""
    if len(tail) < TRAILER_BYTES or size < TRAILER_BYTES:
        raise _damaged("it is too short")
    length, magic = _TRAILER.unpack(tail[-TRAILER_BYTES:])
    end = size - TRAILER_BYTES
    if magic != _MAGIC or length > end:
        raise _damaged("its trailer is not one")
    return end - length, end


def read_index(frame: bytes) -> PageIndex:
    try:
        index = _index_adapter.validate_json(_decompress(frame, MAX_INDEX_BYTES))
    except ValidationError as error:
        raise _damaged("its index does not parse") from error
    if index.format != FORMAT:
        raise _damaged(f"its format is {index.format}, not {FORMAT}")
    if not len(index.offsets) == len(index.lengths) == len(index.characters) == index.page_count:
        raise _damaged("its index does not add up")
    return index


def decode_page_json(frame: bytes) -> bytes:
    """The JSON of one page, fit to be sent to a client as it is."""
    return _decompress(frame, MAX_PAGE_BYTES)


def decode_page(json: bytes) -> Page:
    try:
        return _page_adapter.validate_json(json)
    except ValidationError as error:
        raise _damaged("a page does not parse") from error


def page_text(json: bytes) -> str:
    return decode_page(json).text


def _decompress(frame: bytes, limit: int) -> bytes:
    try:
        # The library trusts a size that the frame states about itself, so the statement is checked first.
        declared = zstandard.get_frame_parameters(frame).content_size
        if declared in (zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR) or declared > limit:
            raise _damaged("a frame states no acceptable size")
        decompressor = zstandard.ZstdDecompressor(max_window_size=max(limit, 1024))
        return decompressor.decompress(frame, max_output_size=limit, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise _damaged("a frame does not decompress") from error


def _damaged(how: str) -> BlobStoreError:
    return BlobStoreError(f"The page file is damaged: {how}.")
