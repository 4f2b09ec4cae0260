"""Tables as rows of cells, repaired with the text of the page: missing headings, columns and rows read as one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from docsieve.domain.pages.page import Box, Cell, Table
from docsieve.engines.local.lists.tables.bodies import YEAR, Body, TableRow, bodies_of
from docsieve.engines.local.lists.tables.parted import parted_columns
from docsieve.engines.local.lists.tables.unstacked import is_stack, unstacked
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Row, shared, union
from docsieve.engines.local.vocabulary.canon import canonical

_MAX_HEADINGS_ABOVE = 4
_CLOSE = 1.3
_TIGHT = 0.5
_OVER = 0.25
_CAPTION_WITHIN = 4
_ABUT = 1.0
_ROW_GAP = 2.0
_MIN_COLUMNS = 3
_MIN_NUMBERS = 2


@dataclass(eq=False)
class Grid:
    """A table as rows of cells. `above` is the row of the page over it, `pieces` are those in each of its rows."""

    page: PageView
    table: Table
    rows: list[TableRow]
    above: Row | None
    pieces: dict[int, list[Piece]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return "a ruled table" if _is_ruled(self.table) else "an unruled table"

    @cached_property
    def bodies(self) -> list[Body]:
        return list(bodies_of(self.rows))

    @cached_property
    def caption_words(self) -> frozenset[str]:
        return frozenset(canonical(self.caption))

    @property
    def is_form(self) -> bool:
        """Whether most cells hold a label and its value."""
        labels = sum(piece.is_label for inside in self.pieces.values() for piece in inside)
        return labels * 2 > len(self.table.cells)

    @property
    def caption(self) -> str:
        return self.above.text if self.above is not None else ""

    def lines(self, cell: Cell) -> list[list[Piece]]:
        """The pieces in a cell, line by line."""
        x0, y0, x1, y1 = cell.box
        inside = [each for each in self.pieces.get(cell.row, ()) if x0 <= (each.box[0] + each.box[2]) / 2 <= x1]
        found: list[list[Piece]] = []
        for piece in sorted((each for each in inside if y0 <= each.middle <= y1), key=lambda each: each.middle):
            if found and piece.box[1] < found[-1][0].middle:
                found[-1].append(piece)
            else:
                found.append([piece])
        return found

    @property
    def columns(self) -> int:
        return max((cell.column + cell.column_span for row in self.rows for cell in row.values()), default=0)


def grids_of(view: DocumentView) -> list[Grid]:
    found = [_grid(page, number, table) for page in view.pages for number, table in enumerate(page.page.tables)]
    return [grid for grid in found if not grid.is_form]


def _grid(page: PageView, number: int, table: Table) -> Grid:
    pieces: dict[tuple[int, int], list[Piece]] = {}
    for piece in page.pieces:
        if piece.cell is not None and piece.cell[0] == number:
            pieces.setdefault(piece.cell[1:], []).append(piece)
    rows = unstacked(parted_columns(_rows(table), pieces), page)
    over = [row for row in page.rows if row.box[3] <= table.box[1] + 2 and _is_over(row, table.box)]
    if rows and lacks_headings(rows):
        found = _headings_above(rows, over, table.box, page.height)
        rows = [*found, *rows]
        over = over[: len(over) - len(found)]
    rows += _rows_below(rows, page, table.box)
    top = min((cell.box[1] for cell in rows[0].values()), default=table.box[1]) if rows else table.box[1]
    near = bool(over) and top - over[-1].box[3] < _CAPTION_WITHIN * page.height
    by_row: dict[int, list[Piece]] = {}
    for (row, _), inside in pieces.items():
        by_row.setdefault(row, []).extend(inside)
    return Grid(page, table, rows, over[-1] if near else None, by_row)


def _rows(table: Table) -> list[TableRow]:
    rows: dict[int, TableRow] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    for cell in table.cells:
        if cell.row_span > 1 and not is_stack(rows[cell.row]):
            for row in range(cell.row + 1, min(cell.row + cell.row_span, max(rows) + 1)):
                rows.setdefault(row, {}).setdefault(cell.column, cell)
    return [rows[row] for row in sorted(rows)]


def _is_over(row: Row, box: Box) -> bool:
    return shared((row.box[0], row.box[2]), (box[0], box[2])) > 0


def lacks_headings(rows: Sequence[TableRow]) -> bool:
    """Whether the first row is like the others: numbers where they have numbers."""
    first = [cell for cell in rows[0].values() if cell.text.strip()]
    with_digits = sum(any(map(str.isdigit, YEAR.sub("", cell.text))) for cell in first)
    return not any(cell.header for cell in first) and with_digits * 2 >= len(first) > 0


def _headings_above(rows: Sequence[TableRow], over: Sequence[Row], box: Box, height: float) -> list[TableRow]:
    """Rows right above the table whose phrases are each over one of its columns."""
    extents = _extents(rows)
    found: list[TableRow] = []
    below = box[1]
    for row in reversed(over[-_MAX_HEADINGS_ABOVE:]):
        gap = below - row.box[3]
        if gap > (_CLOSE if found else _CAPTION_WITHIN / 2) * height or any(map(str.isdigit, YEAR.sub("", row.text))):
            break
        cells = _placed(row.pieces, extents)
        if cells is None or (not found and len(cells) * 2 < len(extents)):
            break
        if len(cells) == 1 and gap > _TIGHT * height:
            break  # a line of text over the table
        found.insert(0, cells)
        below = row.box[1]
    return found


def _rows_below(rows: Sequence[TableRow], page: PageView, box: Box) -> list[TableRow]:
    """Lines right under the table that fill most of its columns: its last rows, if these were not recognized."""
    extents = _extents(rows)
    found: list[TableRow] = []
    bottom = box[3]
    for row in page.rows:
        if row.box[1] < bottom - 2 or any(piece.cell is not None for piece in row.pieces):
            continue
        if row.box[1] - bottom > _ROW_GAP * page.height or len(extents) < _MIN_COLUMNS:
            break
        cells = _filled(row.pieces, extents)
        if len(cells) * 2 <= len(extents) or sum(_has_digit(cell.text) for cell in cells.values()) < _MIN_NUMBERS:
            break
        found.append(cells)
        bottom = row.box[3]
    return found


def _filled(pieces: Sequence[Piece], extents: dict[int, tuple[float, float]]) -> TableRow:
    """The pieces as cells of the columns that they are in; none if one is in two."""
    inside: dict[int, list[Piece]] = {}
    for piece in pieces:
        over = [place for place, extent in extents.items() if shared(extent, (piece.box[0], piece.box[2])) > _OVER]
        if len(over) != 1:
            return {}
        inside.setdefault(over[0], []).append(piece)
    return {
        place: Cell(-1, place, " ".join(piece.text for piece in held), union(piece.box for piece in held))
        for place, held in inside.items()
    }


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _extents(rows: Sequence[TableRow]) -> dict[int, tuple[float, float]]:
    found: dict[int, tuple[float, float]] = {}
    for row in rows:
        for place, cell in row.items():
            if cell.column_span == 1:
                left, right = found.get(place, (cell.box[0], cell.box[2]))
                found[place] = min(left, cell.box[0]), max(right, cell.box[2])
    return found


def _placed(pieces: Sequence[Piece], extents: dict[int, tuple[float, float]]) -> TableRow | None:
    """The pieces as cells, or None if one of several is over no column or two are over the same one."""
    cells: TableRow = {}
    for piece in pieces:
        over = [place for place, extent in extents.items() if shared(extent, (piece.box[0], piece.box[2])) > _OVER]
        if not over or (len(pieces) == 1 and len(over) > 1) or min(over) in cells:
            return None
        span = max(over) - min(over) + 1
        cells[min(over)] = Cell(-1, min(over), piece.text, union([piece.box]), column_span=span, header=True)
    return cells


def _is_ruled(table: Table) -> bool:
    """In ruled tables neighboring cells share an edge; without rules a cell is as wide as its text."""
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells[:200]:
        by_row.setdefault(cell.row, []).append(cell)
    pairs = [
        second.box[0] - first.box[2]
        for row in by_row.values()
        for first, second in pairwise(sorted(row, key=lambda cell: cell.column))
    ]
    return bool(pairs) and sum(abs(gap) <= _ABUT for gap in pairs) * 2 > len(pairs)
