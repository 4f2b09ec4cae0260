"""Tables of OpenDocument text and slides."""

from collections.abc import Callable, Iterator

from docsieve.parsers.flow.blocks import Grid, GridCell
from docsieve.parsers.office.markup import Element, name_of, number

TextOfCell = Callable[[Element], str]

_ROW_HOLDERS = frozenset({"table-rows", "table-row-group", "table-header-rows"})
_MAX_SPAN = 1024
_MAX_REPEATED = 256


def only_cell(table: Element) -> Element | None:
    """Return the only cell of a table, which is a frame rather than a table."""
    cells: list[Element] = []
    for row, _ in _rows(table, header=False):
        cells.extend(cell for cell in row if name_of(cell) in ("table-cell", "covered-table-cell"))
        if len(cells) > 1:
            return None
    return cells[0] if cells else None


def grid_of(table: Element, text_of: TextOfCell) -> Grid:
    grid = Grid()
    for row, header in _rows(table, header=False):
        cells: list[GridCell] = []
        for cell in row:
            if name_of(cell) != "table-cell":
                continue
            text = text_of(cell)
            row_span = min(max(1, number(cell, "number-rows-spanned", 1)), _MAX_SPAN)
            column_span = min(max(1, number(cell, "number-columns-spanned", 1)), _MAX_SPAN)
            repeated = min(max(1, number(cell, "number-columns-repeated", 1)), _MAX_REPEATED)
            cells.extend(GridCell(text, row_span, column_span, header) for _ in range(repeated))
        grid.rows.append(cells)
    return grid


def _rows(table: Element, *, header: bool) -> Iterator[tuple[Element, bool]]:
    for element in table:
        name = name_of(element)
        if name == "table-row":
            yield element, header
        elif name in _ROW_HOLDERS:
            yield from _rows(element, header=header or name == "table-header-rows")
