"""Places the cells of a grid: resolves spans, chooses column widths, and cuts tables too wide for a page."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from docsieve.parsers.flow.blocks import Grid
from docsieve.parsers.flow.metrics import Paper, columns_of
from docsieve.parsers.flow.wrap import lines_of, wrap

PADDING = 2
"""Empty columns of every cell: one on either side of its text."""

_COMFORTABLE = 24
_MAX_WHOLE_WORD = 80
_MAX_COLUMN_SPAN = 16_384


@dataclass(slots=True)
class GridPart:
    """`rows` has the cells that begin in each row, in the order of their columns; `widths` is of text, unpadded."""

    widths: list[int]
    rows: list[list["PlacedCell"]]


@dataclass(slots=True)
class PlacedCell:
    column: int
    row_span: int
    column_span: int
    header: bool
    lines: list[str] = field(default_factory=list)

    def rows_within(self, widths: list[int]) -> list[str]:
        """Return the text, wrapped to the columns it covers."""
        room = sum(widths[self.column : self.column + self.column_span]) + PADDING * (self.column_span - 1)
        return [row for line in self.lines for row in wrap(line, room)]


def parts_of(grid: Grid, paper: Paper) -> Iterator[GridPart]:
    rows, columns = _place(grid)
    if not columns:
        return
    widths = _fit(rows, _natural_widths(rows, columns), paper.columns)
    for first, last in _bands(widths, paper.max_columns):
        if last - first == columns:
            yield GridPart(widths, rows)
        else:
            yield GridPart(widths[first:last], [_cut_row(row, first, last) for row in rows])


def _place(grid: Grid) -> tuple[list[list[PlacedCell]], int]:
    """Give each cell its column as HTML does: the first that no cell of this row or from above covers."""
    covered: dict[int, int] = {}
    rows = []
    for number, cells in enumerate(grid.rows):
        row = []
        column = 0
        for cell in cells:
            while covered.get(column, 0) > number:
                column += 1
            row_span = max(1, min(cell.row_span, len(grid.rows) - number))
            column_span = max(1, min(cell.column_span, _MAX_COLUMN_SPAN))
            row.append(PlacedCell(column, row_span, column_span, cell.header, lines_of(cell.text)))
            if row_span > 1:
                covered.update(dict.fromkeys(range(column, column + column_span), number + row_span))
            column += column_span
        rows.append(row)
    return rows, _close_gaps(rows)


def _close_gaps(rows: list[list[PlacedCell]]) -> int:
    """Count only columns in which some cell begins; the others cannot be told apart."""
    begun = sorted({cell.column for row in rows for cell in row})
    if begun and begun[-1] == len(begun) - 1:
        for row in rows:
            for cell in row:
                cell.column_span = min(cell.column_span, len(begun) - cell.column)
        return len(begun)
    for row in rows:
        for cell in row:
            end = bisect_left(begun, cell.column + cell.column_span)
            cell.column = bisect_left(begun, cell.column)
            cell.column_span = max(1, end - cell.column)
    return len(begun)


def _natural_widths(rows: list[list[PlacedCell]], columns: int) -> list[int]:
    widths = [1] * columns
    spanning = []
    for row in rows:
        for cell in row:
            if cell.column_span > 1:
                spanning.append(cell)
            elif cell.lines:
                widths[cell.column] = max(widths[cell.column], *map(columns_of, cell.lines))
    for cell in spanning:
        wanted = min(_COMFORTABLE, max(map(columns_of, cell.lines), default=0))
        have = sum(widths[cell.column : cell.column + cell.column_span]) + PADDING * (cell.column_span - 1)
        if wanted > have:
            widths[cell.column] += wanted - have
    return widths


def _fit(rows: list[list[PlacedCell]], widths: list[int], room: int) -> list[int]:
    """Narrow the widest columns until the table fits the page, or is comfortable on a wider one; words stay whole."""
    limit = max(_water_level(widths, room - PADDING * len(widths)), _COMFORTABLE)
    if max(widths) <= limit:
        return widths
    narrowed = [min(width, limit) for width in widths]
    for row in rows:
        for cell in row:
            if cell.column_span == 1 and widths[cell.column] > limit:
                narrowed[cell.column] = max(narrowed[cell.column], _longest_word(cell.lines, limit))
    return narrowed


def _longest_word(lines: list[str], limit: int) -> int:
    long_lines = (line for line in lines if len(line) > limit)
    return min(max((columns_of(word) for line in long_lines for word in line.split()), default=0), _MAX_WHOLE_WORD)


def _water_level(widths: list[int], room: int) -> int:
    """Return the maximum column width at which all columns fit into the room."""
    left, level = room, 0
    for place, width in enumerate(sorted(widths)):
        share = left // (len(widths) - place)
        if width > share:
            return max(share, 0)
        left -= width
        level = width
    return level if left >= 0 else 0


def _bands(widths: list[int], room: int) -> Iterator[tuple[int, int]]:
    first, taken = 0, 0
    for column, width in enumerate(widths):
        if taken + width + PADDING > room:
            yield first, column
            first, taken = column, 0
        taken += width + PADDING
    yield first, len(widths)


def _cut_row(row: list[PlacedCell], first: int, last: int) -> list[PlacedCell]:
    return [
        PlacedCell(
            cell.column - first, cell.row_span, min(cell.column_span, last - cell.column), cell.header, cell.lines
        )
        for cell in row
        if first <= cell.column < last
    ]
