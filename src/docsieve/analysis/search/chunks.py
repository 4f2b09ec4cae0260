"""Splits pages into chunks along their structure, page by page with constant memory.

A heading starts a chunk and is attached to the following chunks of its section. Paragraphs and lists stay whole unless
they are longer than a chunk; then they are split between sentences or items. A table is a separate chunk, and a long
one is split with repeated header rows.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from operator import attrgetter

from docsieve.analysis.search.units import Unit, page_units
from docsieve.domain.pages.chunks import Chunk, ChunkKind, Place
from docsieve.domain.pages.page import Page

# In tokens as embedders count them, about four and a half bytes each.
TARGET, MAX_TOKENS, MIN_TOKENS, MAX_TABLE_TOKENS = 220, 320, 40, 500

MAX_CHUNKS = 20_000
"""About ten thousand full pages. Text of longer documents beyond that is readable, but not searchable."""

_BYTES_A_TOKEN = 4.5
_LONGEST_HEADING = 200
# greedy, so that they search from the end and not through the whole text
_TO_LAST_SENTENCE_END = re.compile(r"(?s:.*)(?:[.!?…](?=\s)|[。！？\n])")
_TO_LAST_SPACE = re.compile(r"(?s:.*)\s")

_start, _end = attrgetter("start"), attrgetter("end")


def weight(text: str) -> float:
    return (len(text) if text.isascii() else len(text.encode())) / _BYTES_A_TOKEN


def chunk_pages(pages: Iterable[Page]) -> Iterator[Chunk]:
    """Consumes all pages, even after the maximum number of chunks."""
    gathered = _Gathered()
    for page in pages:
        if gathered.count >= MAX_CHUNKS:
            continue
        for unit in page_units(page):
            yield from gathered.take(unit)
    yield from gathered.flush()


class _Gathered:
    """The chunk that is being filled."""

    def __init__(self) -> None:
        self.count = 0
        self._heading: str | None = None
        self._under: str | None = None
        self._units: list[Unit] = []
        self._weight = 0.0

    def take(self, unit: Unit) -> Iterator[Chunk]:
        if unit.kind == "heading":
            yield from self._begin_section(unit)
        elif unit.kind == "table" and weight(unit.text) >= MIN_TOKENS:
            yield from self.flush()
            for piece in _pieces(unit, MAX_TABLE_TOKENS):
                yield self._chunk([piece], "table")
        else:
            for piece in _pieces(unit, MAX_TOKENS):
                size = weight(piece.text)
                if self._units and self._weight + size > MAX_TOKENS:
                    yield from self.flush()
                self._add(piece, size)
                if self._weight >= TARGET:
                    yield from self.flush()

    def _begin_section(self, unit: Unit) -> Iterator[Chunk]:
        """Consecutive headings name one section. A section of a few words does not get a separate chunk."""
        text = unit.text[:_LONGEST_HEADING]
        if self._units and all(each.kind == "heading" for each in self._units):
            self._heading = f"{self._heading} › {text}"[: 2 * _LONGEST_HEADING]
            self._under = self._heading
        else:
            if self._weight >= MIN_TOKENS:
                yield from self.flush()
            self._heading = text
        self._add(unit, weight(unit.text))

    def _add(self, unit: Unit, size: float) -> None:
        if not self._units:
            self._under = self._heading
        self._units.append(unit)
        self._weight += size

    def flush(self) -> Iterator[Chunk]:
        if self._units:
            units, self._units, self._weight = self._units, [], 0.0
            yield self._chunk(units, "text", self._under)

    def _chunk(self, units: list[Unit], kind: ChunkKind, under: str | None = None) -> Chunk:
        places, at = list(units[0].places), len(units[0].text) + 1
        for unit in units[1:]:
            places += _moved(unit.places, at)
            at += len(unit.text) + 1
        text = "\n".join(unit.text for unit in units)
        chunk = Chunk(self.count, text, places[0].page, under or self._heading, kind, places)
        self.count += 1
        return chunk


def _pieces(unit: Unit, most: int) -> Iterator[Unit]:
    """The unit, or parts of it that fit the limit."""
    if weight(unit.text) <= most:
        yield unit
        return
    header = _slice(unit, 0, unit.header_end) if 0 < weight(unit.text[: unit.header_end]) <= most / 4 else None
    start = 0
    while start < len(unit.text):
        end = _end_of_piece(unit.text, start, most)
        piece = _slice(unit, start, end)
        if piece.text:
            yield _joined(header, piece) if header is not None and start > 0 else piece
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
