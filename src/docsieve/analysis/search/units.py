"""The units of a page in reading order: headings, paragraphs, lists and tables."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal

from docsieve.domain.pages.chunks import Place
from docsieve.domain.pages.page import Box, Cell, Line, Page, Table

UnitKind = Literal["heading", "paragraph", "list", "table"]

# A page may have any number of tables. The text of further ones comes from the page's lines, which include it.
_MAX_TABLES = 200
_PARAGRAPH_GAP = 0.8
"""In line heights: lines further apart than this belong to different paragraphs."""

_column = attrgetter("column")


@dataclass(slots=True)
class Unit:
    """A text with the positions of its lines. `header_end` is where the header rows of a table end."""

    kind: UnitKind
    text: str = ""
    places: list[Place] = field(default_factory=list)
    header_end: int = 0


def page_units(page: Page) -> Iterator[Unit]:
    """A table takes the position of its first line."""
    tables = sorted((table for table in page.tables if table.cells), key=lambda table: table.box[1])[:_MAX_TABLES]
    tops = [table.box[1] for table in tables]
    lowest = max((table.box[3] for table in tables), default=0.0)
    told: set[int] = set()
    pending: list[Line] = []
    for line in page.lines:
        if not line.text.strip():
            continue
        outside = not tables or line.box[1] > lowest or line.box[3] < tops[0]
        inside = None if outside else _table_around(line.box, tables, tops)
        if inside is None:
            if pending and not _together(pending[-1], line):
                yield _unit(page.number, pending)
                pending = []
            pending.append(line)
        elif inside not in told:
            if pending:
                yield _unit(page.number, pending)
                pending = []
            told.add(inside)
            yield from _table_unit(page.number, tables[inside])
    if pending:
        yield _unit(page.number, pending)


def _table_around(box: Box, tables: list[Table], tops: list[float]) -> int | None:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for at in range(bisect_right(tops, y) - 1, -1, -1):
        left, _, right, bottom = tables[at].box
        if y <= bottom and left <= x <= right:
            return at
    return None


def _together(above: Line, below: Line) -> bool:
    if above.role != below.role:
        return False
    if above.role == "list":
        return True
    if above.block is not None or below.block is not None:
        return above.block == below.block
    gap, height = below.box[1] - above.box[3], max(above.box[3] - above.box[1], 1.0)
    return -height <= gap <= _PARAGRAPH_GAP * height


def _unit(page: int, lines: list[Line]) -> Unit:
    kind: UnitKind = role if (role := lines[0].role) in ("heading", "list") else "paragraph"
    # joined once to avoid quadratic time; positions are counted along the way
    texts, places, at = [], [], 0
    for line in lines:
        text = line.text.strip()
        end = at + len(text)
        texts.append(text)
        places.append(Place(page, at, end, line.box))
        at = end + 1
    return Unit(kind, ("\n" if kind == "list" else " ").join(texts), places)


def _table_unit(page: int, table: Table) -> Iterator[Unit]:
    rows: dict[int, list[Cell]] = {}
    for cell in table.cells:
        if cell.text.strip():
            rows.setdefault(cell.row, []).append(cell)
    if not rows:
        return
    unit, parts, at = Unit("table"), [], 0
    in_header = True
    for row in sorted(rows):
        cells = sorted(rows[row], key=_column)
        text = " | ".join([" ".join(cell.text.split()) for cell in cells])
        unit.places.append(Place(page, at, at + len(text), _around([cell.box for cell in cells])))
        parts.append(text)
        at += len(text)
        in_header = in_header and all(cell.header for cell in cells)
        if in_header:
            unit.header_end = at
        at += 1
    unit.text = "\n".join(parts)
    yield unit


def _around(boxes: list[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
