"""Draws a page from its lines and tables, for documents without a layout or without a parser that renders them.

Every word is drawn inside its box, so that marks on the image are where the page says. Words that were
laid out by `pages.py` fill their boxes: their typeface is as wide as the columns.
"""

import math
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from PIL import Image, ImageDraw

from docsieve.domain.pages.page import Box, Line, Page, Table, Word
from docsieve.parsers.flow.metrics import columns_of
from docsieve.parsers.flow.typefaces import FIXED_ADVANCE, draw_in_columns, draw_text, fits_columns, text_width

A4 = (595.0, 842.0)
MAX_PIXELS = 40_000_000
MAX_SIDE = 16_000

_DRAWN_WIDTH = 640  # Letters of a smaller image would be too small, so it is drawn at this width and scaled down.
_MAX_WORDS = 100_000
_MAX_CELLS = 50_000
_PAPER, _INK, _RULE, _HEADER, _FAINT = "#ffffff", "#1a1a1a", "#9a9a9a", "#eeeeee", "#6b6b6b"
_SIZE_OF_BOX = 0.8
_BASELINE_BELOW_MIDDLE = 0.36
_MIN_SHRINK = 0.6
_NARROWEST_CHARACTER = 0.25  # In pixels. Text that does not fit its box even at this size is left out.


def page_size(page: Page) -> tuple[float, float]:
    """Return the size of the page in points; A4 if the page could not be measured."""
    return (page.width, page.height) if 0 < page.width < 1e6 and 0 < page.height < 1e6 else A4


def image_size(page: Page, width: int) -> tuple[int, int]:
    """Return the size of the page's image in pixels: `width` wide, or less if it would be too tall or too large."""
    across, down = page_size(page)
    scale = min(width / across, MAX_SIDE / down, (MAX_PIXELS / (across * down)) ** 0.5)
    return max(1, round(across * scale)), max(1, round(down * scale))


def draw_page(page: Page, width: int) -> Image.Image:
    """Draw the page. One that could not be read is an empty page with a notice."""
    wanted = image_size(page, width)
    size = image_size(page, max(width, _DRAWN_WIDTH))
    image = Image.new("RGB", size, _PAPER)
    canvas = _Canvas(image, size[0] / page_size(page)[0])
    for table in page.tables:
        canvas.table(table)
    for line in _bounded(page.lines):
        if page.origin == "layout":
            canvas.laid_out(line)
        else:
            canvas.line(line)
    if page.error is not None and not page.lines:
        canvas.notice(f"Page {page.number} could not be read", page.error)
    return image if size == wanted else image.resize(wanted, Image.Resampling.LANCZOS)


def _bounded(lines: list[Line]) -> Iterator[Line]:
    words = 0
    for line in lines:
        words += len(line.words) or 1
        if words > _MAX_WORDS:
            return
        yield line


class _Canvas:
    def __init__(self, image: Image.Image, scale: float) -> None:
        self._image = image
        self._draw = ImageDraw.Draw(image)
        self._scale = scale
        self._width, self._height = image.size

    def table(self, table: Table) -> None:
        thickness = max(1, round(self._scale * 0.6))
        for cell in islice(table.cells, _MAX_CELLS):
            box = self._pixels(cell.box)
            self._draw.rectangle(box, fill=_HEADER if cell.header else None, outline=_RULE, width=thickness)

    def line(self, line: Line) -> None:
        words = [self._fitted(word) for word in line.words or [Word(line.text, line.box)]]
        sizes = [self._size(text, box) for text, box in words]
        # One size for the line, unless a single word would make all of it tiny.
        usual = max(min(sizes), max(sizes) * _MIN_SHRINK)
        for (text, box), size in zip(words, sizes, strict=True):
            self._word(text, box, min(size, usual))

    def laid_out(self, line: Line) -> None:
        for word in line.words or [Word(line.text, line.box)]:
            text, box = self._fitted(word)
            column = (box[2] - box[0]) / max(1, columns_of(text))
            size = min(column / FIXED_ADVANCE, (box[3] - box[1]) * _SIZE_OF_BOX)
            if not fits_columns(text):
                self._word(text, box, min(size, self._size(text, box)))
                continue
            with self._slip(box) as (draw, left, top):
                place = box[0] - left, self._baseline(box, size) - top
                draw_in_columns(draw, place, text, column, size, 255, bold=line.role == "heading")

    def notice(self, title: str, reason: str) -> None:
        size = max(8.0, self._width / 32)
        rows = [title, "", *textwrap.wrap(reason, 48)[:8]]
        top = (self._height - len(rows) * size * 1.5) / 2
        for place, row in enumerate(rows):
            x = max(0.0, (self._width - text_width(row, size)) / 2)
            draw_text(self._draw, x, top + (place + 1) * size * 1.5, row, size, _FAINT)

    def _fitted(self, word: Word) -> tuple[str, Box]:
        box = self._pixels(word.box)
        return word.text[: 1 + int((box[2] - box[0]) / _NARROWEST_CHARACTER)], box

    def _size(self, text: str, box: Box) -> float:
        x0, y0, x1, y1 = box
        size = (y1 - y0) * _SIZE_OF_BOX
        # Letters keep to whole pixels, so that half the size is not quite half the width.
        for _ in range(2):
            needed = text_width(text, size)
            if needed > x1 - x0:
                size *= (x1 - x0) / needed
        return size

    def _word(self, text: str, box: Box, size: float) -> None:
        with self._slip(box) as (draw, left, top):
            draw_text(draw, box[0] - left, self._baseline(box, size) - top, text, size, 255)

    @contextmanager
    def _slip(self, box: Box) -> Iterator[tuple[ImageDraw.ImageDraw, int, int]]:
        """Return a canvas of the box's size, which clips text that does not fit, and where to paste it."""
        left, top = int(box[0]), int(box[1])
        slip = Image.new("L", (math.ceil(box[2]) - left + 1, math.ceil(box[3]) - top + 1))
        yield ImageDraw.Draw(slip), left, top
        self._image.paste(_INK, (left, top), slip)

    def _baseline(self, box: Box, size: float) -> float:
        return (box[1] + box[3]) / 2 + size * _BASELINE_BELOW_MIDDLE

    def _pixels(self, box: Box) -> Box:
        """Return the box on the canvas. A box outside the page is moved to its edge."""
        x0, x1 = sorted(min(max(x * self._scale, 0.0), self._width - 1.0) for x in (box[0], box[2]))
        y0, y1 = sorted(min(max(y * self._scale, 0.0), self._height - 1.0) for y in (box[1], box[3]))
        return x0, y0, x1, y1
