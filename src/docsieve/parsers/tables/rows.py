"""Groups the words of a page into visible rows and chunks, whatever order they were written in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from docsieve.domain.pages.page import Box, Line, Word
from docsieve.parsers.tables.cells import around

_OF_LEADERS = "._·…•-‐–—*="
_LEADER = re.compile(rf"[{re.escape(_OF_LEADERS)}]{{4,}}")

# In line heights: words farther apart than this are not read as one phrase.
_PHRASE_GAP = 0.9


@dataclass(slots=True)
class Chunk:
    """Words that are close together in one row."""

    words: list[Word]
    left: float
    right: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def text(self) -> str:
        return " ".join([word.text for word in self.words])

    @property
    def box(self) -> Box:
        return around([word.box for word in self.words])


@dataclass(slots=True)
class Row:
    top: float
    bottom: float
    words: list[Word] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    has_leaders: bool = False


def typical_height(lines: Sequence[Line]) -> float:
    return median(line.box[3] - line.box[1] for line in lines)


def read_rows(lines: Sequence[Line], height: float) -> list[Row]:
    """Return rows from top to bottom, without lines that run down the page."""
    rows: list[Row] = []
    too_high = 3 * height
    level = [line for line in lines if line.box[3] - line.box[1] < too_high]
    level.sort(key=lambda line: line.box[1] + line.box[3])
    row = None
    for line in level:
        _, top, _, bottom = line.box
        middle = (top + bottom) / 2
        if row and row.top < middle < row.bottom and middle - (row.top + row.bottom) / 2 < height / 2:
            row.top, row.bottom = min(row.top, top), max(row.bottom, bottom)
            row.words += line.words
        else:
            row = Row(top, bottom, line.words[:])
            rows.append(row)
    least, most = height * 0.6, height * 1.5
    for row in rows:
        row_height = row.bottom - row.top
        row_height = least if row_height < least else most if row_height > most else row_height
        row.chunks = _chunks(row.words, row_height * _PHRASE_GAP)
    return rows


def mark_leaders(rows: Sequence[Row]) -> None:
    """Mark the rows whose words are joined by dots or the like, as in a table of contents."""
    for row in rows:
        may_lead = [word.text for word in row.words if word.text[:1] in _OF_LEADERS]
        row.has_leaders = any(map(_LEADER.fullmatch, may_lead))


def _chunks(words: list[Word], widest_gap: float) -> list[Chunk]:
    if not words:
        return []
    first_left, _, right, _ = words[0].box
    left = first_left
    for word in words:
        x0, _, x1, _ = word.box
        if x0 - right > widest_gap or x0 < left:
            return _parted(sorted(words, key=lambda word: word.box[0]), widest_gap)
        left = x0
        if x1 > right:
            right = x1
    # most rows are lines of prose and go unparted
    return [Chunk(words, first_left, right)]


def _parted(words: list[Word], widest_gap: float) -> list[Chunk]:
    """The chunks of words that are given from left to right."""
    chunks: list[Chunk] = []
    first = 0
    left, _, right, _ = words[0].box
    for place, word in enumerate(words):
        x0, _, x1, _ = word.box
        if x0 - right > widest_gap:
            chunks.append(Chunk(words[first:place], left, right))
            first, left, right = place, x0, x1
        elif x1 > right:
            right = x1
    chunks.append(Chunk(words[first:], left, right))
    return chunks
