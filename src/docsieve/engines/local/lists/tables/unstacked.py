"""Table rows without ruling lines between them: cells that hold a whole column of numbers are split by line."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from docsieve.domain.pages.page import Cell
from docsieve.engines.local.page.view import PageView, Row, Token, said, union

_MIN_LINES = 2
_MIN_CELLS = 2

TableRow = dict[int, Cell]


def unstacked(rows: Sequence[TableRow], page: PageView) -> list[TableRow]:
    """The rows, with each row that holds several replaced by these."""
    if not any(map(is_stack, rows)):
        return list(rows)
    lines = sorted(page.rows, key=_middle)
    heights = [_middle(line) for line in lines]
    found: list[TableRow] = []
    for row in rows:
        parts: list[TableRow] = []
        if is_stack(row):
            top, bottom = min(cell.box[1] for cell in row.values()), max(cell.box[3] for cell in row.values())
            inside = lines[bisect_left(heights, top) : bisect_left(heights, bottom)]
            parts = [part for line in inside if (part := _part(row, line))]
        found += parts or [row]
    return found


def is_stack(row: Mapping[int, Cell]) -> bool:
    """Text wraps, numbers do not: two cells with one number per line are two columns of numbers."""
    return sum(_is_column_of_numbers(cell.text) for cell in row.values()) >= _MIN_CELLS


def _middle(row: Row) -> float:
    return (row.box[1] + row.box[3]) / 2


def _is_column_of_numbers(text: str) -> bool:
    lines = text.split("\n") if "\n" in text else []
    return len(lines) >= _MIN_LINES and all(_is_number(line) for line in lines)


def _is_number(line: str) -> bool:
    digits = sum(map(str.isdigit, line))
    return digits > 0 and digits * 2 >= len(line.strip())


def _part(row: Mapping[int, Cell], line: Row) -> TableRow:
    by_place: dict[int, list[Token]] = {}
    for piece in line.pieces:
        for token in piece.tokens:
            middle = (token.box[0] + token.box[2]) / 2
            place = next((place for place, cell in row.items() if cell.box[0] <= middle <= cell.box[2]), None)
            if place is not None:
                by_place.setdefault(place, []).append(token)
    return {
        place: Cell(row[place].row, place, said(tokens), union(token.box for token in tokens))
        for place, tokens in by_place.items()
    }
