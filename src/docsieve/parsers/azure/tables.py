"""Tables of a page. A table that continues over pages becomes one per page, each with rows counted from 0."""

from collections.abc import Iterator, Sequence

from docsieve.domain.pages.page import Box, Cell, Table
from docsieve.parsers.azure.lines import with_marks
from docsieve.remote.azure.places import Sheet, around
from docsieve.remote.azure.shapes import CellShape, Region, TableShape

_HEADERS = frozenset({"columnHeader", "rowHeader", "stubHead"})


def read_tables(shapes: Sequence[TableShape], number: int, sheet: Sheet) -> list[Table]:
    """Return the tables, or parts of tables, on the page of this number."""
    found = (_part(shape, number, sheet) for shape in shapes)
    return [table for table in found if table is not None]


def _part(shape: TableShape, number: int, sheet: Sheet) -> Table | None:
    mine = [cell for cell in shape.cells if _page_of(cell, shape) == number]
    placed = [(cell, box) for cell in mine if (box := _box(cell.bounding_regions, number, sheet)) is not None]
    outline = _box(shape.bounding_regions, number, sheet)
    if not mine or (outline is None and not placed):
        return None
    box = around([*([outline] if outline else []), *(box for _, box in placed)])
    first = min(cell.row_index for cell in mine)
    rows = max(cell.row_index + max(cell.row_span, 1) for cell in mine) - first
    columns = max(shape.column_count, *(cell.column_index + max(cell.column_span, 1) for cell in mine))
    places = {id(cell): place for cell, place in placed}
    cells = [_cell(cell, first, places.get(id(cell)) or _guess(cell, placed, box)) for cell in mine]
    return Table(box, rows, columns, cells)


def _page_of(cell: CellShape, table: TableShape) -> int | None:
    """An empty cell may have no place; it then is on the page where its table begins."""
    regions = cell.bounding_regions or table.bounding_regions
    return regions[0].page_number if regions else None


def _box(regions: Sequence[Region], number: int, sheet: Sheet) -> Box | None:
    boxes = [box for each in regions if each.page_number == number and (box := sheet.box(each.polygon)) is not None]
    return around(boxes) if boxes else None


def _cell(shape: CellShape, first_row: int, box: Box) -> Cell:
    return Cell(
        row=shape.row_index - first_row,
        column=shape.column_index,
        text=with_marks(shape.content).strip(),
        box=box,
        row_span=max(shape.row_span, 1),
        column_span=max(shape.column_span, 1),
        header=shape.kind in _HEADERS,
    )


def _guess(cell: CellShape, placed: Sequence[tuple[CellShape, Box]], table: Box) -> Box:
    """Return the box of a cell without a place: as wide as its column, as high as its row."""
    column = [box for other, box in placed if other.column_index == cell.column_index and other.column_span == 1]
    row = [box for other, box in placed if other.row_index == cell.row_index and other.row_span == 1]
    x0, _, x1, _ = around(column) if column else table
    _, y0, _, y1 = around(row) if row else table
    return x0, y0, x1, y1


def pages_of(shape: TableShape) -> Iterator[int]:
    """The numbers of the pages that a table is on."""
    yield from {region.page_number for region in shape.bounding_regions}
    yield from {region.page_number for cell in shape.cells for region in cell.bounding_regions}
