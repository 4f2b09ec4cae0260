"""The blocks of a page in reading order: headings, paragraphs, lists, tables and figures.

Everything that hands a document's content to people or to search starts from these.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from docsieve.domain.pages.page import Box, Line, LineRole, Page, Table

BlockKind = Literal["heading", "paragraph", "list", "table"]
Part = Literal["body", "header", "footnote", "footer"]
"""The part of the page that a block belongs to: headers and footers are what pages repeat around their text."""

# A page may have any number of tables. The text of further ones comes from the page's lines, which include it.
_MAX_TABLES = 200
_PARAGRAPH_GAP = 0.8
"""In line heights: lines further apart than this belong to different paragraphs."""

_PART_OF_ROLE: dict[LineRole | None, Part] = {"header": "header", "footnote": "footnote", "footer": "footer"}
_SPACE = 0.4
_COLUMN_GAP = 1.6
"""In line heights: words further apart than this are in different columns of a form or a receipt."""
_SAME_LEFT = 6.0

_HYPHENATED = re.compile(r"[^\W\d_]{2}[-\u00ad\u2010]\Z")
# Scripts that are written without spaces between words.
_UNSPACED = "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\u0e00-\u0eff\u1780-\u17ff]"
_ENDS_UNSPACED, _BEGINS_UNSPACED = re.compile(_UNSPACED + r"\Z"), re.compile(_UNSPACED)

Spans = list[tuple[int, int]]


@dataclass(slots=True)
class Block:
    """`lines` are empty for a table. `level` is that of a heading, from 1, where it is known.

    `edge` is where the column of the block ends on the right.
    """

    kind: BlockKind
    page: int
    box: Box
    lines: list[Line] = field(default_factory=list)
    table: Table | None = None
    part: Part = "body"
    level: int | None = None
    edge: float = 0.0

    @property
    def text(self) -> str:
        """Lines of a paragraph are joined, except where the document broke a line although there was room."""
        return joined(self.lines, self.edge)[0]


def page_blocks(page: Page, parts: Sequence[Part] = ()) -> Iterator[Block]:
    """`parts` are those of the lines; without them, all are body. A table comes where its first line is."""
    tables = sorted((table for table in page.tables if table.cells), key=lambda table: table.box[1])[:_MAX_TABLES]
    tops = [table.box[1] for table in tables]
    lowest = max((table.box[3] for table in tables), default=0.0)
    edges = _Edges(page)
    shown: set[int] = set()
    pending: list[Line] = []
    part: Part = "body"
    for at, line in enumerate(page.lines):
        if not line.text.strip():
            continue
        its_part = _PART_OF_ROLE.get(line.role) or (parts[at] if parts else "body")
        outside = its_part != "body" or not tables or line.box[1] > lowest or line.box[3] < tops[0]
        inside = None if outside else _table_around(line.box, tables, tops)
        if inside is None:
            if pending and not (its_part == part and _together(pending, line)):
                yield _block(page.number, pending, part, edges)
                pending = []
            pending.append(line)
            part = its_part
        elif inside not in shown:
            if pending:
                yield _block(page.number, pending, part, edges)
                pending = []
            shown.add(inside)
            table = tables[inside]
            if any(cell.text.strip() for cell in table.cells):
                yield Block("table", page.number, table.box, table=table)
    if pending:
        yield _block(page.number, pending, part, edges)


def joined(lines: Sequence[Line], edge: float) -> tuple[str, Spans]:
    """The text of a paragraph whose column ends at `edge`, and where each line is in it.

    A word that was hyphenated at the end of a line is whole again.
    """
    # joined once to avoid quadratic time; positions are counted along the way
    pieces: list[str] = []
    spans: Spans = []
    at = 0
    for number, line in enumerate(lines):
        text, end = line.text.strip(), ""
        if number + 1 < len(lines):
            below = lines[number + 1]
            following = below.text.lstrip()
            if _HYPHENATED.search(text) and following[:1].islower():
                text = text[:-1]
            elif _is_meant(lines, number, edge):
                end = "\n"
            elif not (_ENDS_UNSPACED.search(text) and _BEGINS_UNSPACED.match(following)):
                end = " "
        spans.append((at, at + len(text)))
        pieces.append(text + end)
        at += len(text) + len(end)
    return "".join(pieces), spans


def _is_meant(lines: Sequence[Line], at: int, edge: float) -> bool:
    """Whether the break after a line is the document's: its columns, or room for the next word, show that."""
    line, below = lines[at], lines[at + 1]
    if _share_row(line, below):
        return False
    if _has_columns(line) or _has_columns(below):
        return True
    if (at and _share_row(lines[at - 1], line)) or (at + 2 < len(lines) and _share_row(below, lines[at + 2])):
        return True
    word = below.words[0].box if below.words else below.box
    return edge - line.box[2] > (word[2] - word[0]) + _SPACE * _height(line)


def _share_row(line: Line, other: Line) -> bool:
    overlap = min(line.box[3], other.box[3]) - max(line.box[1], other.box[1])
    return overlap > 0.5 * min(_height(line), _height(other))


def _has_columns(line: Line) -> bool:
    farthest = _COLUMN_GAP * _height(line)
    return any(right.box[0] - left.box[2] > farthest for left, right in pairwise(line.words))


def _height(line: Line) -> float:
    return line.box[3] - line.box[1]


class _Edges:
    """Where columns end: lines that begin at the same place share a column."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._right: dict[int, float] = {}
        for line in page.lines:
            left = round(line.box[0] / _SAME_LEFT)
            for near in (left - 1, left, left + 1):
                self._right[near] = max(self._right.get(near, 0.0), line.box[2])

    def of(self, box: Box) -> float:
        if self._page.origin == "layout":
            return self._page.width - box[0]  # its margins are alike
        return max(self._right.get(round(box[0] / _SAME_LEFT), 0.0), box[2])


def around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _table_around(box: Box, tables: list[Table], tops: list[float]) -> int | None:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for at in range(bisect_right(tops, y) - 1, -1, -1):
        left, _, right, bottom = tables[at].box
        if y <= bottom and left <= x <= right:
            return at
    return None


def _together(lines: list[Line], below: Line) -> bool:
    above = lines[-1]
    if lines[0].role == "list":
        # all items of a list, and the further lines of an item
        return below.role == "list" or (below.role is None and below.block is not None and below.block == above.block)
    if above.role != below.role:
        return False
    if above.block is not None or below.block is not None:
        return above.block == below.block
    gap, height = below.box[1] - above.box[3], max(above.box[3] - above.box[1], 1.0)
    return -height <= gap <= _PARAGRAPH_GAP * height


def _block(page: int, lines: list[Line], part: Part, edges: _Edges) -> Block:
    role = lines[0].role
    kind: BlockKind = role if part == "body" and (role == "heading" or role == "list") else "paragraph"
    box = lines[0].box if len(lines) == 1 else around([line.box for line in lines])
    level = lines[0].level if role == "heading" else None
    return Block(kind, page, box, lines, part=part, level=level, edge=edges.of(box))


_MARKED = re.compile(
    r"(?P<bullet>[•‣▪▫◦●○■□➢✓✔➤\uf0a7\uf0b7\u2043*–-])\s+(?=\S)"
    r"|(?P<number>\(?(?:\d{1,3}(?:\.\d{1,2}){0,3}|[a-zA-Z]|[ivxIVX]{2,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,3})\s+(?=\S)"
)
_INDENT = 6.0
_MAX_DEPTH = 5


@dataclass(slots=True)
class Item:
    """An item of a list. `number` is how the document numbers it, such as `a)`; None for a bullet."""

    number: str | None
    text: str
    depth: int = 0


def list_items(block: Block) -> list[Item]:
    """The items of a list; further lines of an item belong to it. Depths come from the indentation."""
    groups: list[list[Line]] = []
    for line in block.lines:
        if groups and not _begins_item(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    lefts = _steps([group[0].box[0] for group in groups])
    items = []
    for group in groups:
        text = joined(group, block.edge)[0]
        marked = _MARKED.match(text)
        number = marked["number"] if marked else None
        items.append(Item(number, text[marked.end() :] if marked else text, _depth(group[0].box[0], lefts)))
    return items


def _begins_item(above: Line, line: Line) -> bool:
    if _MARKED.match(line.text.lstrip()):
        return True
    return line.role == "list" and not (line.block is not None and line.block == above.block)


def _steps(lefts: list[float]) -> list[float]:
    """The left edges, those that hardly differ as one."""
    ordered = sorted(set(lefts))
    return ordered[:1] + [right for left, right in pairwise(ordered) if right - left > _INDENT]


def _depth(left: float, steps: list[float]) -> int:
    return min(max(bisect_right(steps, left) - 1, 0), _MAX_DEPTH)
