"""Documents as what is sent to a model: parts of text that each know their pages.

It runs in the sandbox, because it looks into documents; what comes out is plain and travels as JSON.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docsieve.domain.extraction import Material
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.domain.text import clean
from docsieve.engines.llm.page_text import Block, Heading, page_blocks

MAX_CHARACTERS = 100_000
MAX_CHARACTERS_OF_ROWS = 12_000
"""A model that lists rows writes about as much as it reads, and what it may write is far less."""

MAX_PAGES_SHOWN = 12
"""Pages in one question when their images go with it."""

_CONTEXT_BLOCKS = 4
_MAX_BLOCK_CHARACTERS = 4_000
_MAX_CONTEXT_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class PageRef:
    """Documents count from 0 in the extraction's order, pages from 1."""

    document: int
    page: int


@dataclass(slots=True)
class Part:
    """`context` is what stood just before, for a row that began there; `rows` is how many rows of tables it holds.

    One without a line of its own is made of pages on which nothing could be read.
    """

    text: str
    pages: list[PageRef] = field(default_factory=list)
    context: str = ""
    rows: int = 0
    lines: int = 1


@dataclass(slots=True)
class PreparedText:
    parts: list[Part] = field(default_factory=list)
    pages: int = 0
    characters: int = 0


def usual_characters(schema: Schema) -> int:
    """How much a question for this schema should hold."""
    return MAX_CHARACTERS_OF_ROWS if any(each.group for each in fields_of(schema)) else MAX_CHARACTERS


def prepare(
    materials: Sequence[Material],
    schema: Schema,
    *,
    max_characters: int | None = None,
    max_pages: int | None = None,
) -> PreparedText:
    """Split at the ends of pages, and inside a page only where it alone is more than a part may hold."""
    builder = _Builder(max_characters or usual_characters(schema), max_pages)
    for ref, blocks in _pages(materials):
        builder.add_page(ref, blocks, of_many=len(materials) > 1)
    parts = builder.finished()
    return PreparedText(
        parts,
        pages=sum(len(material.pages) for material in materials),
        characters=sum(len(part.text) for part in parts),
    )


def _pages(materials: Sequence[Material]) -> Iterator[tuple[PageRef, list[Block]]]:
    for number, material in enumerate(materials):
        going_on: Heading | None = None
        for page in material.pages:
            blocks, going_on = page_blocks(page, going_on)
            yield PageRef(number, page.number), [short for block in blocks for short in _bounded(block)]


def _bounded(block: Block) -> Iterator[Block]:
    """No block is longer than fits a part beside others."""
    text = clean(block.text)
    for start in range(0, max(len(text), 1), _MAX_BLOCK_CHARACTERS):
        yield Block(text[start : start + _MAX_BLOCK_CHARACTERS], block.header, is_row=block.is_row and start == 0)


class _Builder:
    def __init__(self, max_characters: int, max_pages: int | None) -> None:
        self._max_characters = max(max_characters, 2 * _MAX_BLOCK_CHARACTERS)
        self._max_pages = max_pages
        self._parts: list[Part] = []
        self._lines: list[str] = []
        self._size = 0
        self._rows = 0
        self._said = 0
        self._pages: list[PageRef] = []
        self._last: list[str] = []
        self._context = ""

    def add_page(self, ref: PageRef, blocks: list[Block], *, of_many: bool) -> None:
        title = f"--- Document {ref.document + 1}, page {ref.page} ---" if of_many else f"--- Page {ref.page} ---"
        size = len(title) + sum(len(block.text) + 1 for block in blocks)
        if self._pages and self._pages[-1].document != ref.document:
            self._last = []
        full = self._max_pages is not None and len(self._pages) >= self._max_pages
        if self._pages and (full or self._size + size > self._max_characters):
            self._close()
        self._open_page(ref, title, blocks[0] if blocks else None)
        for block in blocks:
            if self._size + len(block.text) + 1 > self._max_characters:
                self._close()
                self._open_page(ref, f"{title} (goes on)", block)
            self._add(block.text)
            self._rows += block.is_row
            self._said += bool(block.text.strip())
            self._last = [*self._last, block.text][-_CONTEXT_BLOCKS:]

    def _open_page(self, ref: PageRef, title: str, first: Block | None) -> None:
        begins = not self._lines
        self._pages.append(ref)
        self._add(title)
        if begins and first is not None and first.is_row and first.header is not None:
            self._add(f"(the table that goes on here has the columns) {first.header}")

    def _add(self, text: str) -> None:
        self._lines.append(text)
        self._size += len(text) + 1

    def _close(self) -> None:
        self._parts.append(Part("\n".join(self._lines), self._pages, self._context, self._rows, self._said))
        self._context = "\n".join(self._last)[-_MAX_CONTEXT_CHARACTERS:]
        self._lines, self._pages, self._size, self._rows, self._said = [], [], 0, 0, 0

    def finished(self) -> list[Part]:
        if self._lines:
            self._close()
        return self._parts
