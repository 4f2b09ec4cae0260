"""Sheets as grids: blank rows separate them, blank columns are left out, and a long one is sliced."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Paragraph

_MAX_ROWS = 200
_MAX_CELLS = 20_000

Row = tuple[int, dict[int, str]]
"""The number of a row and its texts by column, both from 0."""


@dataclass(frozen=True, slots=True)
class Merge:
    top: int
    left: int
    bottom: int
    right: int


Anchors = dict[tuple[int, int], Merge]
"""Merged cells by the row and column where they begin."""


@dataclass(slots=True)
class _Slice:
    rows: list[Row] = field(default_factory=list)
    columns: set[int] = field(default_factory=set)
    covered_to: int = -1


def grids_of(rows: Iterable[Row], anchors: Anchors) -> Iterator[Block]:
    """Rows come in order; those without text may be missing. A merge is known when its first row comes."""
    part = _Slice()
    for number, texts in rows:
        filled = {column: text for column, text in texts.items() if text.strip()}
        if not filled:
            continue
        following = part.rows[-1][0] + 1 if part.rows else number
        if number != following and number <= part.covered_to + 1:
            # Rows that a merged cell covers are part of its table, even if they are empty.
            room = _MAX_ROWS - len(part.rows)
            part.rows.extend((blank, {}) for blank in range(following, min(number, following + room)))
            following = part.rows[-1][0] + 1
        if part.rows and (number != following or _is_full(part, filled)):
            yield from _blocks(part, anchors)
            part = _Slice()
        part.rows.append((number, filled))
        part.columns.update(filled)
        bottoms = (anchors[number, column].bottom for column in filled if (number, column) in anchors)
        part.covered_to = max(part.covered_to, *bottoms, -1)
    yield from _blocks(part, anchors)


def _is_full(part: _Slice, filled: dict[int, str]) -> bool:
    return len(part.rows) >= _MAX_ROWS or len(part.columns | filled.keys()) * (len(part.rows) + 1) > _MAX_CELLS


def _blocks(part: _Slice, anchors: Anchors) -> Iterator[Block]:
    if len(part.rows) == len(part.columns) == 1:
        yield Paragraph(next(iter(part.rows[0][1].values())))
    elif part.rows:
        yield _grid(part, anchors)


def _grid(part: _Slice, anchors: Anchors) -> Grid:
    columns = sorted(part.columns)
    last = part.rows[-1][0]
    covered: set[tuple[int, int]] = set()
    grid = Grid()
    for number, texts in part.rows:
        cells = []
        for column in columns:
            if (number, column) in covered:
                continue
            cell = GridCell(texts.get(column, ""))
            merge = anchors.get((number, column)) if cell.text else None
            if merge is not None:
                spanned = [other for other in columns if column <= other <= merge.right]
                height = min(merge.bottom, last) - number + 1
                cell.row_span, cell.column_span = max(1, height), max(1, len(spanned))
                covered.update((number + down, other) for down in range(cell.row_span) for other in spanned)
            cells.append(cell)
        grid.rows.append(cells)
    return grid
