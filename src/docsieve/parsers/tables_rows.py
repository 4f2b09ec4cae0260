"""Words of a page by the rows and chunks they are seen in, whatever order they were written in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import sub
from statistics import median

from docsieve.domain.pages import Box, Line, Word
from docsieve.parsers.tables_cells import around

_OF_LEADERS = "._·…•-‐–—*="
_LEADER = re.compile(rf"[{re.escape(_OF_LEADERS)}]{{4,}}")

# In line heights: words farther apart than this are not read as one phrase.
_PHRASE_GAP = 0.9


@dataclass(slots=True)
class Chunk:
    """Words that stand close together in one row."""

    words: list[Word]
    left: float
    right: float

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
    """Rows from top to bottom. Lines that run down the page are no part of any."""
    rows: list[Row] = []
    level = (line for line in lines if line.box[3] - line.box[1] < 3 * height)
    for line in sorted(level, key=lambda line: line.box[1] + line.box[3]):
        _, top, _, bottom = line.box
        middle = (top + bottom) / 2
        if (
            rows
            and rows[-1].top < middle < rows[-1].bottom
            and middle - (rows[-1].top + rows[-1].bottom) / 2 < height / 2
        ):
            row = rows[-1]
            row.top, row.bottom = min(row.top, top), max(row.bottom, bottom)
            row.words.extend(line.words)
        else:
            rows.append(Row(top, bottom, list(line.words)))
    for row in rows:
        _cut_chunks(row, min(max(row.bottom - row.top, height * 0.6), height * 1.5) * _PHRASE_GAP)
    return rows


def mark_leaders(rows: Sequence[Row]) -> None:
    """Mark the rows whose words are joined by dots or the like, as in a table of contents."""
    for row in rows:
        row.has_leaders = any(
            len(word.text) > 3 and word.text[0] in _OF_LEADERS and _LEADER.fullmatch(word.text) for word in row.words
        )


def _cut_chunks(row: Row, widest_gap: float) -> None:
    words = row.words
    lefts, rights = [word.box[0] for word in words], [word.box[2] for word in words]
    # most rows are lines of prose, which is told without looking at each word
    if lefts == sorted(lefts) and rights == sorted(rights):
        if not words or max(map(sub, lefts[1:], rights), default=0.0) <= widest_gap:
            row.chunks = [Chunk(words, lefts[0], rights[-1])] if words else []
            return
    else:
        words = sorted(words, key=lambda word: word.box[0])
    current: list[Word] = []
    left = right = 0.0
    for word in words:
        x0, _, x1, _ = word.box
        if current and x0 - right > widest_gap:
            row.chunks.append(Chunk(current, left, right))
            current = []
        if not current:
            left, right = x0, x1
        current.append(word)
        if x1 > right:
            right = x1
    if current:
        row.chunks.append(Chunk(current, left, right))
