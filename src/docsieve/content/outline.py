"""The content of a document page by page: its blocks with the levels of headings, headers and footers."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from statistics import median

from docsieve.content.blocks import Block, Part, page_blocks
from docsieve.content.running import NEIGHBORS, parts_of
from docsieve.domain.pages.page import Code, Line, Page

PAGES_FOR_LEVELS = 40
"""The first pages show how large the headings of each level are."""

MAX_LEVEL = 6
_PART_ORDER: dict[Part, int] = {"header": 0, "body": 1, "footnote": 2, "footer": 3}
_SAME_SIZE = 0.12
_LARGER = 1.3
_MAX_HEADING_LENGTH = 120
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,5})\.?\s+[^\W\d_]")
_LETTER = re.compile(r"[^\W\d_]")
_TALL, _DEEP = re.compile(r"[A-Z0-9bdfhklt]"), re.compile(r"[gjpqyQ,;()\[\]|]")
_ENDS_OF_SENTENCES = (".", ",", ";", ":", "!", "?", "。")


@dataclass(slots=True)
class PageContent:
    """`error` is why the page could not be read."""

    number: int
    width: float
    height: float
    blocks: list[Block] = field(default_factory=list)
    codes: list[Code] = field(default_factory=list)
    error: str | None = None
    flowing: bool = False
    """Whether the lines were laid out by us, so that line breaks in cells are the document's own."""

    def without_running(self) -> "PageContent":
        return replace(self, blocks=[block for block in self.blocks if block.part not in ("header", "footer")])


@dataclass(frozen=True, slots=True)
class Levels:
    """The line heights of headings without a level of their own, from the largest."""

    sizes: tuple[float, ...] = ()

    @classmethod
    def of(cls, first_pages: Iterable[Page]) -> "Levels":
        sizes_seen: set[float] = set()
        for page in first_pages:
            for line in _with_headings(page).lines:
                if line.role == "heading" and line.level is None and not _NUMBERED.match(line.text):
                    sizes_seen.add(round(_size(line), 1))
        sizes: list[float] = []
        for size in sorted(sizes_seen, reverse=True):
            if not sizes or size < sizes[-1] * (1 - _SAME_SIZE):
                sizes.append(size)
        return cls(tuple(sizes[:MAX_LEVEL]))

    def level(self, heading: Block) -> int:
        """A document's own level; else that of its number (`2.1` is below `2`); else by its size."""
        if heading.level is not None:
            return min(max(heading.level, 1), MAX_LEVEL)
        rank = self._rank(max(map(_size, heading.lines)))
        if numbered := _NUMBERED.match(heading.text):
            return min(numbered["number"].count(".") + 2, MAX_LEVEL)
        return rank

    def _rank(self, size: float) -> int:
        for rank, known in enumerate(self.sizes, start=1):
            if size >= known * (1 - _SAME_SIZE / 2):
                return rank
        return max(min(len(self.sizes), MAX_LEVEL), 1)


class Outline:
    """Turns pages into their content. A page is compared with those around it, so it comes out a little later."""

    def __init__(self, levels: Levels) -> None:
        self._levels = levels
        self._window: list[Page] = []
        self._next = 0

    def add(self, page: Page) -> Iterator[PageContent]:
        self._window.append(page)
        while len(self._window) - self._next > NEIGHBORS:
            yield self._take()

    def finish(self) -> Iterator[PageContent]:
        while self._next < len(self._window):
            yield self._take()

    def _take(self) -> PageContent:
        at, self._next = self._next, self._next + 1
        page = self._window[at]
        neighbors = self._window[max(at - NEIGHBORS, 0) : at] + self._window[at + 1 : at + 1 + NEIGHBORS]
        content = self._content(page, neighbors)
        if self._next > NEIGHBORS:
            self._window.pop(0)
            self._next -= 1
        return content

    def _content(self, page: Page, neighbors: list[Page]) -> PageContent:
        parts = parts_of(page, neighbors)
        blocks = sorted(page_blocks(_with_headings(page), parts), key=lambda block: _PART_ORDER[block.part])
        for block in blocks:
            if block.kind == "heading":
                block.level = self._levels.level(block)
        return PageContent(
            page.number, page.width, page.height, blocks, page.codes, page.error, flowing=page.origin == "layout"
        )


def document_content(first_pages: Iterable[Page], pages: Iterable[Page]) -> Iterator[PageContent]:
    """The content of a document whose pages are at hand. `first_pages` are its first `PAGES_FOR_LEVELS`."""
    outline = Outline(Levels.of(first_pages))
    for page in pages:
        yield from outline.add(page)
    yield from outline.finish()


def _height(line: Line) -> float:
    return line.box[3] - line.box[1]


def _size(line: Line) -> float:
    """The size of the font: boxes are as tall as the letters in them, and few lines have both tall and deep ones."""
    text = line.text
    if not text.isascii():
        return _height(line) / 0.93
    above = 0.72 if _TALL.search(text) else 0.5
    return _height(line) / (above + 0.21 if _DEEP.search(text) else above)


def _with_headings(page: Page) -> Page:
    """OCR marks no headings: they are single large lines with space around them."""
    if page.origin != "ocr" or any(line.role == "heading" for line in page.lines):
        return page
    heights = [_height(line) for line in page.lines for _ in range(len(line.text))]
    if not heights:
        return page
    usual = median(heights)
    lines = []
    for at, line in enumerate(page.lines):
        above = page.lines[at - 1] if at else None
        below = page.lines[at + 1] if at + 1 < len(page.lines) else None
        if line.role is None and _stands_out(line, above, below, usual):
            line = replace(line, role="heading")
        lines.append(line)
    return replace(page, lines=lines)


def _stands_out(line: Line, above: Line | None, below: Line | None, usual: float) -> bool:
    text = line.text.strip()
    letters = len(_LETTER.findall(text))
    if not (letters >= 3 and letters * 2 > len(text) and len(text) <= _MAX_HEADING_LENGTH):
        return False
    if text.endswith(_ENDS_OF_SENTENCES) or _height(line) < usual * _LARGER:
        return False
    return all(other is None or not _share_row(line, other) for other in (above, below))


def _share_row(line: Line, other: Line) -> bool:
    return min(line.box[3], other.box[3]) - max(line.box[1], other.box[1]) > 0.5 * min(_height(line), _height(other))
