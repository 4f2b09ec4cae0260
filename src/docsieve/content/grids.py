"""Tables as rows of texts."""

from collections.abc import Iterator
from operator import attrgetter

from docsieve.domain.pages.page import Cell, Table

_MAX_PLACES = 1_000_000
"""A table that claims more places than this is written without its empty ones."""

_column = attrgetter("column")


def cell_rows(table: Table) -> list[list[Cell]]:
    """The cells of each row that has any, from left to right. A cell that spans several is only in the first row."""
    rows: dict[int, list[Cell]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(cell)
    return [sorted(rows[row], key=_column) for row in sorted(rows)]


def text_rows(table: Table) -> Iterator[list[str]]:
    """Rows of equal length. Places that a cell spans are empty, except for the first."""
    columns = sorted({cell.column for cell in table.cells})
    rows = cell_rows(table)
    if len(columns) * len(rows) > _MAX_PLACES:
        yield from ([cell.text for cell in row] for row in rows)
        return
    positions = {column: at for at, column in enumerate(columns)}
    for row in rows:
        texts = [""] * len(columns)
        for cell in row:
            texts[positions[cell.column]] = cell.text
        yield texts


def header_rows(table: Table) -> int:
    """How many rows at the top are headers."""
    count = 0
    for row in cell_rows(table):
        if not all(cell.header for cell in row):
            break
        count += 1
    return count


def is_layout(table: Table) -> bool:
    """Whether a table has a single column or cell, so that it only arranges text."""
    return len({cell.column for cell in table.cells if cell.text.strip()}) <= 1
