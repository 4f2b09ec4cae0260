"""Facts about cells for both ways of finding tables: which are numbers, and which row is the header."""

import re

from docsieve.domain.pages.page import Box, Cell, Table

_UNIT = r"(?:[^\W\d_]{1,4}\.?|[%€$£¥₹°])"
_NUMBER = re.compile(rf"{_UNIT}?\s*[-+(]?\s*{_UNIT}?\s*\d[\d.,:/'’\s-]*\)?\s*{_UNIT}?(?:\s*/\s*\w+)?\s*[-*]?")
_SYMBOL = re.compile(r"[€$£¥₹₪%()]{1,3}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DASHES = re.compile(r"[-–—.]{1,3}|n/?a", re.IGNORECASE)


def is_number(text: str) -> bool:
    """Whether a cell holds one number, amount, date or the like, with its unit."""
    return len(text) <= 40 and bool(_NUMBER.fullmatch(text))


def is_numeric(text: str) -> bool:
    return is_number(text) or bool(_DASHES.fullmatch(text))


def is_symbol(text: str) -> bool:
    """Whether this is a currency sign or the like that is separate from its number."""
    return bool(_SYMBOL.fullmatch(text))


def with_header(table: Table) -> Table:
    """Mark the first row as header if it is evident: only words above columns of numbers."""
    first = [cell for cell in table.cells if cell.row == 0 and cell.text]
    if len(first) < 2 or table.rows < 2 or not all(_may_head(cell.text) for cell in first):
        return table
    body: dict[int, list[str]] = {}
    for cell in table.cells:
        if cell.row >= 1 and cell.text:
            body.setdefault(cell.column, []).append(cell.text)
    titled = {cell.column for cell in first}
    if any(sum(map(is_number, texts)) * 2 > len(texts) for column, texts in body.items() if column in titled):
        for cell in table.cells:
            cell.header = cell.row == 0
    return table


def _may_head(text: str) -> bool:
    return bool(_YEAR.fullmatch(text)) or not (is_number(text) or text.endswith(":"))


def around(boxes: list[Box]) -> Box:
    if len(boxes) == 1:
        return boxes[0]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def plain_cell(row: int, column: int, text: str, box: Box) -> Cell:
    return Cell(row, column, text, (round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2)))


def holds(box: Box, inner: Box) -> bool:
    """Whether the middle of one box lies in the other."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
