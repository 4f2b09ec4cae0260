"""Splits pages into chunks along their structure, page by page with constant memory.

A heading starts a chunk and is attached to the following chunks of its section. Paragraphs and lists stay whole unless
they are longer than a chunk; then they are split between sentences or items. A table is a separate chunk, and a long
one is split between rows, with repeated header rows.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from docsieve.analysis.search.units import Unit, unit_of
from docsieve.content.blocks import Block, page_blocks
from docsieve.domain.pages.chunks import Chunk, ChunkKind, Place
from docsieve.domain.pages.page import Page


@dataclass(frozen=True, slots=True)
class Sizes:
    """In tokens as embedders count them, about four and a half bytes each.

    A chunk is complete from `target` on, unless its section ends earlier and it has at least `smallest`. `overlap` is
    how much of the end of a chunk the next one repeats. Rows of a table are cut only if they are longer than `row`.
    """

    target: int = 220
    largest: int = 320
    smallest: int = 40
    table: int = 500
    row: float = 500
    overlap: int = 0


FOR_SEARCH = Sizes()

MAX_CHUNKS = 20_000
"""About ten thousand full pages. Text of longer documents beyond that is readable, but not searchable."""

_BYTES_A_TOKEN = 4.5
_LONGEST_HEADING = 200
# greedy, so that they search from the end and not through the whole text
_TO_LAST_SENTENCE_END = re.compile(r"(?s:.*)(?:[.!?…](?=\s)|[。！？\n])")
_TO_LAST_SPACE = re.compile(r"(?s:.*)\s")
_SENTENCE_START = re.compile(r"(?:[.!?…]\s|[。！？\n])\s*(?=\S)")

_start, _end = attrgetter("start"), attrgetter("end")


def weight(text: str) -> float:
    return (len(text) if text.isascii() else len(text.encode())) / _BYTES_A_TOKEN


def chunk_pages(pages: Iterable[Page]) -> Iterator[Chunk]:
    """The chunks for search. Consumes all pages, even after the maximum number of chunks."""
    chunker = Chunker(FOR_SEARCH)
    for page in pages:
        if chunker.count >= MAX_CHUNKS:
            continue
        for block in page_blocks(page):
            yield from chunker.take(block)
    yield from chunker.flush()


class Chunker:
    """Makes chunks from blocks, and holds the one that is being filled."""

    def __init__(self, sizes: Sizes) -> None:
        self.count = 0
        self._sizes = sizes
        self._heading: str | None = None
        self._under: str | None = None
        self._path: list[tuple[int, str]] = []
        self._path_under: tuple[str, ...] = ()
        self._units: list[Unit] = []
        self._repeated = 0
        self._weight = 0.0

    def take(self, block: Block) -> Iterator[Chunk]:
        unit = unit_of(block)
        if unit.kind == "heading":
            yield from self._begin_section(unit)
        elif unit.kind == "table" and weight(unit.text) >= self._sizes.smallest:
            yield from self.flush()
            for piece in _row_pieces(unit, self._sizes):
                yield self._chunk([piece], "table", self._heading, self._headings)
        else:
            for piece in _pieces(unit, self._sizes.largest):
                size = weight(piece.text)
                if self._weight + size > self._sizes.largest:
                    yield from self._flush_full()
                    if self._weight + size > self._sizes.largest:
                        yield from self.flush()
                self._add(piece, size)
                if self._weight >= self._sizes.target:
                    yield from self._flush_full()

    def _begin_section(self, unit: Unit) -> Iterator[Chunk]:
        """Consecutive headings name one section. A section of a few words does not get a separate chunk."""
        text = unit.text[:_LONGEST_HEADING]
        while self._path and self._path[-1][0] >= unit.level:
            self._path.pop()
        self._path.append((unit.level, text))
        if self._units and not self._repeated and all(each.kind == "heading" for each in self._units):
            self._heading = f"{self._heading} › {text}"[: 2 * _LONGEST_HEADING]
            self._under, self._path_under = self._heading, self._headings
        else:
            if self._weight >= self._sizes.smallest or self._repeated:
                yield from self.flush()
            self._heading = text
        self._add(unit, weight(unit.text))

    @property
    def _headings(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._path)

    def _add(self, unit: Unit, size: float) -> None:
        if len(self._units) == self._repeated:
            self._under, self._path_under = self._heading, self._headings
        self._units.append(unit)
        self._weight += size

    def flush(self) -> Iterator[Chunk]:
        """The chunk that is being filled, if it has more than the end of the one before it."""
        if len(self._units) > self._repeated:
            yield self._chunk(self._units, "text", self._under, self._path_under)
        self._units, self._repeated, self._weight = [], 0, 0.0

    def _flush_full(self) -> Iterator[Chunk]:
        """The section goes on, so the next chunk may repeat the end of this one."""
        units = self._units
        yield from self.flush()
        self._units = _tail(units, self._sizes.overlap) if self._sizes.overlap else []
        self._repeated = len(self._units)
        self._weight = sum(weight(unit.text) for unit in self._units)

    def _chunk(self, units: list[Unit], kind: ChunkKind, under: str | None, path: tuple[str, ...]) -> Chunk:
        places, at = list(units[0].places), len(units[0].text) + 1
        for unit in units[1:]:
            places += _moved(unit.places, at)
            at += len(unit.text) + 1
        text = "\n".join(unit.text for unit in units)
        chunk = Chunk(self.count, text, places[0].page, under or self._heading, kind, places, path)
        self.count += 1
        return chunk


def _tail(units: list[Unit], overlap: int) -> list[Unit]:
    """The last units that fit the overlap, or the last sentences of the last one."""
    kept: list[Unit] = []
    left = float(overlap)
    for unit in reversed(units):
        if unit.kind == "heading" or left <= 0:
            break
        size = weight(unit.text)
        if size > left:
            if unit.kind == "table":
                break
            begin = len(unit.text) - int(left * _BYTES_A_TOKEN)
            found = _SENTENCE_START.search(unit.text, max(begin - 2, 0))
            if found and weight(unit.text[found.end() :]) <= left:
                kept.insert(0, _slice(unit, found.end(), len(unit.text)))
            break
        kept.insert(0, unit)
        left -= size
    return kept


def _row_pieces(unit: Unit, sizes: Sizes) -> Iterator[Unit]:
    """A table, or runs of its rows that fit the limit, each below the header rows."""
    if weight(unit.text) <= sizes.table:
        yield unit
        return
    has_header = 0 < weight(unit.text[: unit.header_end]) <= sizes.table / 4
    header = _slice(unit, 0, unit.header_end) if has_header else None
    room = sizes.table - (weight(header.text) if header else 0.0)
    start, end = 0, 0
    for place in unit.places:
        if place.end <= unit.header_end and header is not None:
            end = place.end
            continue
        if end > start and weight(unit.text[start : place.end]) > (room if start > 0 else sizes.table):
            yield from _run_of_rows(unit, start, end, header, sizes)
            start = place.start
        end = place.end
    if end > start:
        yield from _run_of_rows(unit, start, end, header, sizes)


def _run_of_rows(unit: Unit, start: int, end: int, header: Unit | None, sizes: Sizes) -> Iterator[Unit]:
    run = _slice(unit, start, end)
    pieces = [run] if weight(run.text) <= max(sizes.row, sizes.table) else _pieces(run, sizes.table)
    for at, piece in enumerate(pieces):
        yield _joined(header, piece) if header is not None and start + at > 0 else piece


def _pieces(unit: Unit, most: int) -> Iterator[Unit]:
    """The unit, or parts of it that fit the limit."""
    if weight(unit.text) <= most:
        yield unit
        return
    start = 0
    while start < len(unit.text):
        end = _end_of_piece(unit.text, start, most)
        piece = _slice(unit, start, end)
        if piece.text:
            yield piece
        start = end


def _end_of_piece(text: str, start: int, most: int) -> int:
    """The last end of a sentence or line within the limit, or the last space, or the limit itself."""
    limit = start + len(
        text[start : start + int(most * _BYTES_A_TOKEN)].encode()[: int(most * _BYTES_A_TOKEN)].decode(errors="ignore")
    )
    if limit >= len(text):
        return len(text)
    window = text[start:limit]
    sentences = _TO_LAST_SENTENCE_END.match(window)
    if sentences and sentences.end() > len(window) // 4:
        return start + sentences.end()
    space = _TO_LAST_SPACE.match(window)
    return start + space.end() if space and space.end() > 1 else limit


def _slice(unit: Unit, start: int, end: int) -> Unit:
    text = unit.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    end = start + len(text)
    # they are in text order
    first = bisect_right(unit.places, start, key=_end)
    after = bisect_left(unit.places, end, lo=first, key=_start)
    places = _moved(unit.places[first:after], -start)
    if places:
        places[0].start = max(places[0].start, 0)
        places[-1].end = min(places[-1].end, len(text))
    return Unit(unit.kind, text, places)


def _joined(header: Unit, piece: Unit) -> Unit:
    moved = _moved(piece.places, len(header.text) + 1)
    return Unit(piece.kind, f"{header.text}\n{piece.text}", header.places + moved)


def _moved(places: Iterable[Place], by: int) -> list[Place]:
    return [Place(place.page, place.start + by, place.end + by, place.box) for place in places]
