"""Running headers and footers: lines at the edges of a page that neighboring pages repeat, and page numbers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docsieve.content.blocks import Part
from docsieve.domain.pages.page import Box, Line, Page

NEIGHBORS = 2
"""How many pages before and after a page are compared with it: left and right pages may differ."""

_EDGE = 0.12
_SAME_HEIGHT = 4.0
_MAX_LINES = 6
_MAX_LENGTH = 160
_NUMBER = re.compile(r"[0-9]{1,9}")
_PAGE_NUMBER = re.compile(
    r"[-–—|·\s]*(?:\w{1,9}\.?\s*)?\d{1,4}\s*(?:/|of|von|de|di|van|sur)\s*\d{1,4}[-–—|·\s]*|[-–—|]\s*\d{1,4}\s*[-–—|]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Edge:
    """A line near an edge; `text` has a sign for each of its `numbers`, because page numbers change."""

    at: int
    part: Part
    text: str
    numbers: tuple[int, ...]
    page: int
    y: float


def parts_of(page: Page, neighbors: Iterable[Page]) -> list[Part]:
    """The part of the page that each of its lines belongs to; empty if all of them are body.

    On the first page, letterheads and titles look like the headers of later pages, so only its footer counts.
    """
    edges = _edges(page)
    if not edges:
        return []
    repeated = [_edges(other) for other in neighbors]
    found: dict[int, Part] = {}
    for edge in edges:
        if page.number == 1 and edge.part == "header":
            continue
        if _PAGE_NUMBER.fullmatch(edge.text.replace("#", "1")) or any(_is_in(others, edge) for others in repeated):
            found[edge.at] = edge.part
    if not found:
        return []
    return [found.get(at, "body") for at in range(len(page.lines))]


def _edges(page: Page) -> list[_Edge]:
    if page.origin == "layout":
        return []  # flowing text has no headers: we laid it out ourselves
    top, bottom = page.height * _EDGE, page.height * (1 - _EDGE)
    edges = []
    for at, line in _short(page.lines):
        y = (line.box[1] + line.box[3]) / 2
        part: Part | None = "header" if y < top else "footer" if y > bottom else None
        if part is None or any(_holds(table.box, line.box) for table in page.tables):
            continue
        text = " ".join(line.text.split())
        numbers = tuple(int(number) for number in _NUMBER.findall(text))
        shown = _NUMBER.sub("#", text)
        edges.append(_Edge(at, part, shown, numbers, page.number, y if part == "header" else y - page.height))
    heads = sorted((edge for edge in edges if edge.part == "header"), key=lambda edge: edge.y)[:_MAX_LINES]
    feet = sorted((edge for edge in edges if edge.part == "footer"), key=lambda edge: -edge.y)[:_MAX_LINES]
    return heads + feet


def _short(lines: Sequence[Line]) -> Iterable[tuple[int, Line]]:
    return ((at, line) for at, line in enumerate(lines) if 0 < len(line.text.strip()) <= _MAX_LENGTH)


def _is_in(edges: Sequence[_Edge], edge: _Edge) -> bool:
    return any(
        other.part == edge.part
        and other.text == edge.text
        and abs(other.y - edge.y) <= _SAME_HEIGHT
        and _count_pages(other, edge)
        for other in edges
    )


def _count_pages(edge: _Edge, other: _Edge) -> bool:
    """Whether their numbers are the same, or grow with the pages."""
    return all(
        theirs - ours in (0, other.page - edge.page) for ours, theirs in zip(edge.numbers, other.numbers, strict=True)
    )


def _holds(outer: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
