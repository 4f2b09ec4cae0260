"""The lines of a page in the order in which people read them, with what the page repeats around its text marked.

Parsers that know where lines are, but not in which order people read them, share this: PDF and OCR.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from docsieve.domain.pages.page import Box, Cell, Line, LineRole, Table
from docsieve.parsers.layout.margins import Margins, find_margins
from docsieve.parsers.layout.order import Item, Order
from docsieve.parsers.tables.cells import around, holds
from docsieve.parsers.tables.ruled import find_ruled_tables
from docsieve.parsers.tables.unruled import find_unruled_tables

_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_UPRIGHT = 2.5
_MIN_LETTERS = 3
_SAMPLED_LINES = 100
_MAX_TABLES = 200


@dataclass(slots=True)
class Layout:
    """`order` has the places of the lines as they are read."""

    order: list[int]
    tables: list[Table]


def lay_out(
    lines: Sequence[Line], height: float, *, rules: Sequence[Box] = (), boxes: Sequence[Box] | None = None
) -> Layout:
    """Find the order and the tables of a page, and set the roles of the lines in its margins.

    `height` is that of the page. `boxes` are those of the lines after a slanted page was leveled.
    """
    boxes = boxes if boxes is not None else [line.box for line in lines]
    # text that runs down a margin is next to everything
    sideways = [at for at, box in enumerate(boxes) if _is_sideways(box, lines[at].text)]
    left = set(range(len(lines))).difference(sideways)
    if not left:
        return Layout(sideways, [])
    typical = median([boxes[at][3] - boxes[at][1] for at in left])
    # lines of one cell may be anywhere in the file
    by_height = sorted(left, key=lambda at: (boxes[at][1] + boxes[at][3], boxes[at][0]))
    tables = find_ruled_tables([lines[at] for at in by_height], rules)[:_MAX_TABLES]
    margins = find_margins(_items(lines, boxes, tables, by_height), typical, height, rules)
    _set_roles(lines, margins)
    within = {at for item in margins.body if item.text is not None for at in item.places}
    unruled = find_unruled_tables([lines[at] for at in by_height if at in within])
    if unruled:
        inside = [at for at in by_height if at in within]
        margins.body = [item for item in margins.body if item.text is None] + _items(lines, boxes, unruled, inside)
    tables = sorted([*tables, *unruled], key=lambda table: (table.box[1], table.box[0]))
    order = Order(typical, _runs_left(lines))
    found = [item for part in (margins.header, margins.body) for item in order.ordered(part)]
    found += [item for part in (margins.notes, margins.footer) for item in order.ordered(part, in_blocks=True)]
    return Layout([at for item in found for at in item.places] + sideways, tables)


def _items(lines: Sequence[Line], boxes: Sequence[Box], tables: Sequence[Table], places: Sequence[int]) -> list[Item]:
    """The tables, and the lines at these places that are in none of them."""
    items: list[Item] = []
    taken: set[int] = set()
    for table in tables:
        inside = [at for at in places if at not in taken and holds(table.box, lines[at].box)]
        if inside:
            items.append(Item(around([boxes[at] for at in inside]), _by_cells(table, lines, inside)))
            taken.update(inside)
    return items + [Item(boxes[at], [at], lines[at].text) for at in places if at not in taken]


def _by_cells(table: Table, lines: Sequence[Line], inside: Sequence[int]) -> list[int]:
    """Cell by cell; a line in none takes the place of the nearest."""
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        rows.setdefault(cell.row, []).append(cell)
    cells = list(rows.values())
    tops = [min([cell.box[1] for cell in row]) for row in cells]
    lefts = [[cell.box[0] for cell in row] for row in cells]

    def key(at: int) -> tuple[int, int, float, float]:
        box = lines[at].box
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        # the cell may begin in a row above
        for row in range(bisect_right(tops, y) - 1, -1, -1):
            cell = cells[row][max(bisect_right(lefts[row], x) - 1, 0)]
            if cell.box[0] <= x <= cell.box[2] and cell.box[1] <= y <= cell.box[3]:
                return cell.row, cell.column, box[1], box[0]
        cell = min(table.cells, key=lambda cell: _distance(cell.box, box))
        return cell.row, cell.column, box[1], box[0]

    return sorted(inside, key=key)


def _distance(cell: Box, box: Box) -> float:
    across = max(cell[0] - box[2], box[0] - cell[2], 0.0)
    down = max(cell[1] - box[3], box[1] - cell[3], 0.0)
    return across + down


def _set_roles(lines: Sequence[Line], margins: Margins) -> None:
    """A header is not told from a letterhead by one page alone."""
    roles: list[tuple[LineRole, list[Item]]] = [
        ("footnote", margins.notes),
        ("footer", margins.footer),
    ]
    for role, items in roles:
        for item in items:
            for at in item.places:
                lines[at].role = role


def _is_sideways(box: Box, text: str) -> bool:
    return box[3] - box[1] > _UPRIGHT * (box[2] - box[0]) and len(text) > _MIN_LETTERS


def _runs_left(lines: Sequence[Line]) -> bool:
    text = "".join([line.text for line in lines[:_SAMPLED_LINES]])
    if text.isascii():
        return False
    return len(_RIGHT_TO_LEFT.findall(text)) * 2 > sum(map(str.isalpha, text))
