"""Tables of web pages: which of them are data tables, and their cells."""

from functools import lru_cache

from lxml import etree

from docsieve.parsers.flow.blocks import Grid, GridCell

_MAX_ROWS = 2000
_MAX_COLUMN_SPAN = 1000
_CELLS = frozenset({"td", "th"})


class OpenTable:
    def __init__(self) -> None:
        self._grid = Grid()
        self._spans = False
        self._in_cell = False

    def begin_row(self) -> Grid | None:
        """Begin a row, and return a full part of a long table if no cell spans into the next."""
        full = self.close() if len(self._grid.rows) >= _MAX_ROWS and not self._spans else None
        if full is not None:
            self._grid = Grid()
        self._grid.rows.append([])
        return full

    def begin_cell(self, element: etree._Element, *, header: bool) -> None:
        if not self._grid.rows:
            self._grid.rows.append([])
        row_span = number_of(element.get("rowspan"), 1)
        column_span = min(number_of(element.get("colspan"), 1), _MAX_COLUMN_SPAN)
        self._grid.rows[-1].append(GridCell("", row_span, column_span, header))
        self._spans = self._spans or row_span != 1
        self._in_cell = True

    def end_cell(self) -> None:
        self._in_cell = False

    def add(self, text: str) -> bool:
        """Add text to the open cell, and return whether there was one; a caption is in none."""
        if not self._in_cell:
            return False
        cell = self._grid.rows[-1][-1]
        cell.text = f"{cell.text}\n{text}" if cell.text else text
        return True

    def close(self) -> Grid | None:
        rows = self._grid.rows if self._spans else [row for row in self._grid.rows if row]
        if not any(cell.text for row in rows for cell in row):
            return None
        # A span of 0 reaches to the end of the table.
        for place, row in enumerate(rows):
            for cell in row:
                cell.row_span = cell.row_span or len(rows) - place
        return Grid(rows)


def holds_data(table: etree._Element) -> bool:
    """Whether it is a data table. Layout tables of mail and old pages have nested tables, or one column."""
    if table.get("role") in ("presentation", "none"):
        return False
    within = table.iter("{*}table")
    next(within, None)
    if next(within, None) is not None:
        return False
    rows = table.iter("{*}tr")
    return any(sum(name_of(cell) in _CELLS for cell in row) > 1 for row in rows)


def name_of(element: etree._Element) -> str:
    return _local_name(element.tag)


@lru_cache(maxsize=1024)
def _local_name(tag: object) -> str:
    """Comments and the like have a function instead of a name."""
    return tag.rsplit("}", 1)[-1].lower() if isinstance(tag, str) else ""


def number_of(text: str | None, otherwise: int) -> int:
    text = text.strip() if text else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else otherwise
