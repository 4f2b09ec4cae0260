"""Places the rows of a grid on pages: each as high as its highest cell, split over pages where necessary."""

from dataclasses import dataclass
from typing import Protocol

from docsieve.parsers.flow.grid import PADDING, GridPart, PlacedCell
from docsieve.parsers.flow.sketch import CellSketch, PageSketch, Piece


class Pages(Protocol):
    """The part of the layout that a table uses."""

    @property
    def row(self) -> int: ...
    @property
    def free_rows(self) -> int: ...
    @property
    def page(self) -> PageSketch: ...
    def turn_page(self) -> PageSketch: ...
    def next_block(self) -> int: ...
    def take_rows(self, count: int) -> None: ...
    def set_line(self, row: int, pieces: list[Piece], block: int) -> None: ...


@dataclass(slots=True)
class _OpenCell:
    """A cell that is being placed: the rows of text still to come, and the grid rows still to cover."""

    placed: PlacedCell
    pending: list[str]
    rows_left: int
    sketch: CellSketch | None = None
    parts: int = 0


class TableSetter:
    def __init__(self, pages: Pages, part: GridPart) -> None:
        self._pages = pages
        self._part = part
        self._lefts = [0]
        for width in part.widths:
            self._lefts.append(self._lefts[-1] + width + PADDING)
        self._open: list[_OpenCell] = []
        self._cells: list[CellSketch] = []
        self._rows = 0

    def set(self) -> None:
        for cells in self._part.rows:
            begun = [_OpenCell(cell, cell.rows_within(self._part.widths), cell.row_span) for cell in cells]
            self._open = sorted([*self._open, *begun], key=lambda cell: cell.placed.column) if self._open else begun
            self._set_row()
            for cell in self._open:
                cell.rows_left -= 1
            self._open = [cell for cell in self._open if cell.rows_left > 0]
        self._close_table()

    def _set_row(self) -> None:
        height = self._height()
        if height > self._pages.free_rows and (height <= self._pages.page.paper.rows or self._pages.free_rows <= 0):
            self._turn_page()
        while height > self._pages.free_rows:
            self._set_rows(self._pages.free_rows)
            self._turn_page()
            height = self._height()
        self._set_rows(height)

    def _height(self) -> int:
        return max((len(cell.pending) for cell in self._open if cell.rows_left == 1), default=1) or 1

    def _turn_page(self) -> None:
        self._close_table()
        self._pages.turn_page()

    def _close_table(self) -> None:
        if self._cells:
            page = self._pages.page
            page.tables.append((self._rows, len(self._part.widths), self._cells))
            page.columns = max(page.columns, self._lefts[-1])
        self._cells, self._rows = [], 0
        for cell in self._open:
            cell.sketch = None

    def _set_rows(self, height: int) -> None:
        top = self._pages.row
        texts = []
        for cell in self._open:
            lines, cell.pending = cell.pending[:height], cell.pending[height:]
            self._grow(cell, top, height, lines)
            texts.append((self._lefts[cell.placed.column] + 1, lines))
        self._set_lines(top, texts)
        self._rows += 1
        self._pages.take_rows(height)

    def _grow(self, cell: _OpenCell, top: int, height: int, lines: list[str]) -> None:
        placed = cell.placed
        if cell.sketch is None:
            left, right = self._lefts[placed.column], self._lefts[placed.column + placed.column_span]
            cell.sketch = CellSketch(self._rows, placed.column, left, right, top, top + height)
            cell.sketch.column_span, cell.sketch.header = placed.column_span, placed.header
            cell.sketch.lines = lines
            cell.parts += 1
            self._cells.append(cell.sketch)
        else:
            cell.sketch.row_span += 1
            cell.sketch.bottom = top + height
            cell.sketch.lines = [*cell.sketch.lines, *lines]
        if cell.parts == 1 and not cell.pending:
            # The original text, not wrapped into rows. A cell split by a page break has only its part.
            cell.sketch.lines = placed.lines

    def _set_lines(self, top: int, texts: list[tuple[int, list[str]]]) -> None:
        """One line across all cells, except that adjacent cells of several rows are read one after another."""
        if sum(len(lines) > 1 for _, lines in texts) > 1:
            for left, lines in texts:
                block = self._pages.next_block()
                for row, text in enumerate(lines, start=top):
                    self._pages.set_line(row, [(left, text)], block)
            return
        block = self._pages.next_block()
        for offset in range(max((len(lines) for _, lines in texts), default=0)):
            pieces = [(left, lines[offset]) for left, lines in texts if offset < len(lines)]
            self._pages.set_line(top + offset, pieces, block)
