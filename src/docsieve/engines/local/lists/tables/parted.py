"""Columns of a table that were read as one: nearly all of their cells have a gap at the same place."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from docsieve.domain.pages.page import Cell
from docsieve.engines.local.page.view import Piece, Token, said, union

_MIN_CELLS = 3
_SHARE = 0.6
_ONE_SIDED = 0.8
_NUMERIC = 0.7
_MAX_COLUMNS = 40
_MAX_ROWS = 400

TableRow = dict[int, Cell]
_Pieces = Mapping[tuple[int, int], Sequence[Piece]]


def parted_columns(rows: Sequence[TableRow], pieces: _Pieces) -> list[TableRow]:
    """The rows, with columns that hold two or more of the page's columns split at their gaps."""
    places = sorted({place for row in rows for place in row})
    if len(rows) < _MIN_CELLS or len(rows) > _MAX_ROWS or len(places) > _MAX_COLUMNS:
        return list(rows)
    channels = {place: found for place in places if (found := _channels(_inside(rows, place, pieces)))}
    if not channels:
        return list(rows)
    start = 0
    starts: dict[int, int] = {}
    for place in range(max(places) + 2):
        starts[place] = start
        start += 1 + len(channels.get(place, ()))
    return [_split(row, channels, starts, pieces, heading=at == 0) for at, row in enumerate(rows)]


def _inside(rows: Sequence[TableRow], place: int, pieces: _Pieces) -> list[Sequence[Piece]]:
    cells = (row[place] for row in rows if place in row)
    return [found for cell in cells if cell.column_span == 1 and (found := pieces.get((cell.row, cell.column), ()))]


def _channels(cells: Sequence[Sequence[Piece]]) -> list[float]:
    """Where the gaps are, from left to right."""
    gaps = [gap for cell in cells if (gap := _gap(cell)) is not None and gap[0] < gap[1]]
    if len(gaps) < max(_MIN_CELLS - 1, _SHARE * len(cells)) or len(cells) < _MIN_CELLS:
        return []
    left, right = max(gap[0] for gap in gaps), min(gap[1] for gap in gaps)
    if right - left < 1 or not _is_clear(cells, left, right):
        return []
    at = (left + right) / 2
    sides = [[[p for p in cell if (_middle(p) < at) is first] for cell in cells] for first in (True, False)]
    if not any(sum(map(_has_digits, side)) >= _NUMERIC * sum(map(bool, side)) for side in sides):
        return []
    before, after = ([cell for cell in side if cell] for side in sides)
    return [*_channels(before), at, *_channels(after)]


def _gap(cell: Sequence[Piece]) -> tuple[float, float] | None:
    """The widest gap between pieces on the first line of a cell."""
    first = min(cell, key=lambda piece: piece.box[1])
    line = sorted((piece for piece in cell if piece.box[1] < first.middle), key=lambda piece: piece.box[0])
    gaps = [(one.box[2], other.box[0]) for one, other in pairwise(line)]
    return max(gaps, key=lambda gap: gap[1] - gap[0], default=None)


def _is_clear(cells: Sequence[Sequence[Piece]], left: float, right: float) -> bool:
    clear = sum(all(piece.box[2] <= left + 1 or piece.box[0] >= right - 1 for piece in cell) for cell in cells)
    return clear >= _ONE_SIDED * len(cells)


def _has_digits(cell: Sequence[Piece]) -> bool:
    return bool(cell) and any(map(str.isdigit, cell[0].text))


def _middle(piece: Piece | Token) -> float:
    return (piece.box[0] + piece.box[2]) / 2


def _split(
    row: TableRow, channels: Mapping[int, Sequence[float]], starts: Mapping[int, int], pieces: _Pieces, *, heading: bool
) -> TableRow:
    found: TableRow = {}
    for place, cell in row.items():
        start = starts[place]
        end = starts.get(place + cell.column_span, start + cell.column_span)
        inside = pieces.get((cell.row, cell.column), ())
        cuts = channels.get(place, ()) if cell.column_span == 1 else ()
        across = any(piece.box[0] < cut < piece.box[2] for piece in inside for cut in cuts)
        if not cuts or not inside or (across and not heading):
            found[start] = replace(cell, column=start, column_span=max(1, end - start))
            continue
        sides: dict[int, list[list[Token]]] = {}
        for piece in inside:
            parts: dict[int, list[Token]] = {}
            for token in piece.tokens:
                parts.setdefault(sum(_middle(token) > cut for cut in cuts), []).append(token)
            for side, tokens in parts.items():
                sides.setdefault(side, []).append(tokens)
        for side, lines in sides.items():
            box = union(token.box for tokens in lines for token in tokens)
            found[start + side] = replace(cell, column=start + side, text="\n".join(map(said, lines)), box=box)
    return found
