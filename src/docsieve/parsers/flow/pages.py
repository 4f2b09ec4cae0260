"""Lays out flowing documents: blocks without places become pages with a box for every word.

Parsers of such documents yield blocks (`blocks.py`) and leave the rest to `reading_of`.
"""

from collections.abc import Iterable, Iterator

from docsieve.domain.pages.page import DocumentInfo, Page
from docsieve.errors import TooManyPages
from docsieve.parsers.flow.blocks import Block, Content, Grid, Heading, NewPage
from docsieve.parsers.flow.grid import parts_of
from docsieve.parsers.flow.metrics import A4, Paper, Size, papers_of_slide
from docsieve.parsers.flow.sketch import PageSketch, Piece, unpack
from docsieve.parsers.flow.table import TableSetter
from docsieve.parsers.flow.wrap import lines_of, wrap
from docsieve.parsers.port import Attachment, Reading, ReadOptions


def reading_of(
    blocks: Iterable[Block],
    options: ReadOptions,
    *,
    info: DocumentInfo | None = None,
    attachments: Iterator[Attachment] | None = None,
    media_type: str | None = None,
) -> Reading:
    """Lay out all blocks at once. Raises TooManyPages as soon as one page too many has begun.

    A NewPage that comes first opens page 1, so it may come before every slide as well as between them. The text of a
    listed paragraph is set as it is given: its bullet or number and its indentation belong to it.
    """
    layout = Layout(options.max_pages)
    for block in blocks:
        layout.add(block)
    packed = layout.finish()
    return Reading(
        page_count=len(packed),
        pages=_pages(packed),
        info=info or DocumentInfo(),
        attachments=attachments if attachments is not None else iter(()),
        media_type=media_type,
    )


def _pages(packed: list[bytes]) -> Iterator[Page]:
    for number, page in enumerate(packed, start=1):
        yield unpack(number, page)


class Layout:
    """Fills one page after another, and packs each full one."""

    def __init__(self, max_pages: int, paper: Paper = A4) -> None:
        self._max_pages = max_pages
        self._paper = paper
        self._slide: tuple[Size, list[Content]] | None = None
        self._packed: list[bytes] = []
        self._page: PageSketch | None = None
        self._row = 0
        self._block = 0
        self._after_list_item = False

    def add(self, block: Block) -> None:
        """Hold the blocks of a slide until it is complete, because only then its paper can be chosen."""
        if isinstance(block, NewPage):
            self._set_slide()
            self._slide = (block.slide, []) if block.slide else None
            if self._slide is None:
                self._begin_page(A4)
        elif self._slide is not None:
            self._slide[1].append(block)
        else:
            self._set(block)

    def _begin_page(self, paper: Paper) -> None:
        self._paper = paper
        self.turn_page()
        self._after_list_item = False

    def _set_slide(self) -> None:
        if self._slide is None:
            return
        (size, blocks), self._slide = self._slide, None
        *larger, smallest = papers_of_slide(size)
        self._begin_page(next((paper for paper in larger if _fit_on(blocks, paper)), smallest))
        for block in blocks:
            self._set(block)

    def _set(self, block: Content) -> None:
        if isinstance(block, Grid):
            self._add_grid(block)
        elif isinstance(block, Heading):
            self._add_lines(block.text, "heading", block.level)
        else:
            self._add_lines(block.text, "list" if block.listed else None)

    def finish(self) -> list[bytes]:
        self._set_slide()
        page = self._page or self.turn_page()
        self._packed.append(page.pack())
        self._page = None
        return self._packed

    @property
    def free_rows(self) -> int:
        return self._paper.rows - self._row

    @property
    def row(self) -> int:
        return self._row

    def turn_page(self) -> PageSketch:
        if self._page is not None:
            self._packed.append(self._page.pack())
        if len(self._packed) >= self._max_pages:
            raise TooManyPages(f"The document has more than {self._max_pages} pages.")
        self._page = PageSketch(self._paper)
        self._row = self._block = 0
        return self._page

    def next_block(self) -> int:
        if self._page is None:
            self.turn_page()
        self._block += 1
        return self._block - 1

    def set_line(self, row: int, pieces: list[Piece], block: int) -> None:
        self.page.lines.append((row, pieces, block, None, None))

    def take_rows(self, count: int) -> None:
        self._row += count

    @property
    def page(self) -> PageSketch:
        return self._page or self.turn_page()

    def _add_lines(self, text: str, role: str | None, level: int | None = None) -> None:
        lines = lines_of(text)
        if not lines:
            return
        if not (role == "list" and self._after_list_item):
            self._leave_gap()
        self._after_list_item = role == "list"
        block: int | None = None
        for line in lines:
            for row in wrap(line, self._paper.columns):
                if self.free_rows <= 0:
                    self.turn_page()
                    block = None
                page = self.page
                block = self.next_block() if block is None else block
                if row:
                    page.lines.append((self._row, [(0, row)], block, role, level))
                self._row += 1

    def _add_grid(self, grid: Grid) -> None:
        self._after_list_item = False
        for part in parts_of(grid, self._paper):
            self._leave_gap()
            TableSetter(self, part).set()

    def _leave_gap(self) -> None:
        """A blank row between blocks, but none at the head of a page."""
        if self._row:
            self._row += 1


def _fit_on(blocks: list[Content], paper: Paper) -> bool:
    """Whether all of a slide's blocks have room on one page of this paper."""
    trial = Layout(1, paper)
    try:
        for block in blocks:
            trial.add(block)
    except TooManyPages:
        return False
    return trial.page.columns <= paper.columns
