"""Content as JSON: each block with its page and box."""

from dataclasses import dataclass, field

from pydantic_core import to_json

from docsieve.content.blocks import Block, BlockKind, Part, list_items
from docsieve.content.formats.port import About
from docsieve.content.outline import PageContent
from docsieve.domain.pages.page import Box, Cell, Code


@dataclass(slots=True)
class ContentItem:
    """An item of a list; `number` is how the document numbers it, and `depth` counts from 0."""

    text: str
    number: str | None
    depth: int


@dataclass(slots=True)
class ContentTable:
    """`number` counts the tables of the answer from 1; `format=csv&table=` takes it."""

    number: int
    rows: int
    columns: int
    cells: list[Cell]


@dataclass(slots=True)
class ContentBlock:
    """`level` is set for headings, `items` for lists and `table` for tables."""

    kind: BlockKind
    part: Part
    page: int
    box: Box
    text: str
    level: int | None = None
    items: list[ContentItem] = field(default_factory=list)
    table: ContentTable | None = None


@dataclass(slots=True)
class ContentPage:
    """`error` is set for a page that could not be read."""

    number: int
    width: float
    height: float
    blocks: list[ContentBlock]
    codes: list[Code]
    error: str | None = None


@dataclass(slots=True)
class Content:
    """`page_count` is that of the document; `pages` has the chosen ones."""

    document_id: str | None
    title: str
    page_count: int
    pages: list[ContentPage] = field(default_factory=list)


class JsonWriter:
    def __init__(self) -> None:
        self._tables = 0
        self._begun = False

    def begin(self, about: About) -> str:
        head = to_json(Content(about.document_id, about.title, about.page_count)).decode()
        return head.removesuffix("]}")

    def page(self, content: PageContent) -> str:
        before, self._begun = "," if self._begun else "", True
        blocks = [self._block(block) for block in content.blocks]
        page = ContentPage(content.number, content.width, content.height, blocks, content.codes, content.error)
        return before + "\n" + to_json(page).decode()

    def end(self) -> str:
        return "]}\n"

    def _block(self, block: Block) -> ContentBlock:
        made = ContentBlock(block.kind, block.part, block.page, block.box, block.text, block.level)
        if block.table is not None:
            self._tables += 1
            table = block.table
            made.table = ContentTable(self._tables, table.rows, table.columns, table.cells)
            made.text = "\n".join(cell.text for cell in table.cells)
        elif block.kind == "list":
            made.items = [ContentItem(item.text, item.number, item.depth) for item in list_items(block)]
        return made
