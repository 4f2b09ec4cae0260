"""A page between layout and use: rows and columns instead of points, in a compact form.

The number of pages must be known before the first is returned, so all are laid out first and kept; as packed
sketches thousands of them take little room.
"""

import marshal
import re
import zlib
from dataclasses import dataclass, field
from functools import lru_cache

from docsieve.domain.pages.page import Box, Cell, Line, Page, Table, Word
from docsieve.parsers.flow.metrics import A4, Paper, columns_of, is_narrow

Piece = tuple[int, str]
"""A column and the text that begins there."""

_WORD = re.compile(r"\S+")
_FASTEST = 1


@dataclass(slots=True)
class CellSketch:
    row: int
    column: int
    left: int
    right: int
    top: int
    bottom: int
    row_span: int = 1
    column_span: int = 1
    header: bool = False
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class PageSketch:
    """`lines` holds row, pieces, block, role and level; `tables` holds rows, columns and cells."""

    paper: Paper = A4
    lines: list[tuple[int, list[Piece], int, str | None, int | None]] = field(default_factory=list)
    tables: list[tuple[int, int, list[CellSketch]]] = field(default_factory=list)
    columns: int = 0

    def pack(self) -> bytes:
        tables = [(rows, columns, [_cell_values(cell) for cell in cells]) for rows, columns, cells in self.tables]
        paper = self.paper.width, self.paper.height, self.paper.margin, self.paper.rows, self.paper.columns
        return zlib.compress(marshal.dumps((paper, self.columns, self.lines, tables)), _FASTEST)


def _cell_values(cell: CellSketch) -> tuple[object, ...]:
    text = "\n".join(cell.lines)
    place = (cell.left, cell.top, cell.right, cell.bottom)
    return (cell.row, cell.column, text, place, cell.row_span, cell.column_span, cell.header)


def unpack(number: int, packed: bytes) -> Page:
    # marshal is unsafe on foreign bytes; these are our own and never left this process.
    measures, columns, lines, tables = marshal.loads(zlib.decompress(packed))  # noqa: S302
    paper = _paper(*measures)
    page = Page(number, paper.width_for(columns), paper.height, origin="layout")
    for row, pieces, block, role, level in lines:
        words = _set_words(paper, row, pieces)
        if words:
            box: Box = (
                min(word.box[0] for word in words),
                paper.ys[row],
                max(word.box[2] for word in words),
                paper.ys[row + 1],
            )
            page.lines.append(Line(" ".join(word.text for word in words), box, words, block, role, level))
    page.tables = [_set_table(paper, *table) for table in tables]
    return page


@lru_cache(maxsize=64)
def _paper(width: float, height: float, margin: float, rows: int, columns: int) -> Paper:
    """One paper for all its pages, so that positions are computed once."""
    return Paper(width, height, margin, rows, columns)


def _set_words(paper: Paper, row: int, pieces: list[Piece]) -> list[Word]:
    xs, top, bottom = paper.xs, paper.ys[row], paper.ys[row + 1]
    words = []
    for column, text in pieces:
        narrow = is_narrow(text)
        measured, at = 0, column
        for match in _WORD.finditer(text):
            word = match.group()
            start, end = match.span()
            at += start - measured if narrow else columns_of(text[measured:start])
            width = end - start if narrow else columns_of(word)
            words.append(Word(word, (xs[at], top, xs[at + (width or 1)], bottom)))
            measured = end
            at += width
    return words


def _set_table(
    paper: Paper, rows: int, columns: int, values: list[tuple[int, int, str, tuple[int, int, int, int], int, int, bool]]
) -> Table:
    cells = []
    for row, column, text, (left, top, right, bottom), row_span, column_span, header in values:
        box = (paper.xs[left], paper.ys[top], paper.xs[right], paper.ys[bottom])
        cells.append(Cell(row, column, text, box, row_span, column_span, header))
    boxes = [cell.box for cell in cells]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Table((min(lefts), min(tops), max(rights), max(bottoms)), rows, columns, cells)
