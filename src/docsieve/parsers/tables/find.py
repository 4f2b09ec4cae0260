"""Finds tables of a page from its ruled lines and the alignment of its words, also after OCR. Pure."""

from collections.abc import Sequence

from docsieve.domain.pages.page import Box, Line, Table
from docsieve.parsers.tables.ruled import find_ruled_tables
from docsieve.parsers.tables.unruled import find_unruled_tables

_MAX_TABLES = 200


def find_tables(lines: Sequence[Line], rules: Sequence[Box] = ()) -> list[Table]:
    """Return tables from top to bottom; `rules` are the page's straight lines as thin boxes, if any."""
    ruled = find_ruled_tables(lines, rules)[:_MAX_TABLES]
    others = lines
    for table in ruled:
        others = _outside(table.box, others)
    return sorted([*ruled, *find_unruled_tables(others)], key=lambda table: (table.box[1], table.box[0]))


def _outside(box: Box, lines: Sequence[Line]) -> list[Line]:
    top, bottom = box[1], box[3]
    # most lines of a page lie wholly above or below a table
    return [line for line in lines if line.box[3] < top or line.box[1] > bottom or not holds(box, line.box)]


def holds(box: Box, inner: Box) -> bool:
    """Whether the middle of one box lies in the other."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
