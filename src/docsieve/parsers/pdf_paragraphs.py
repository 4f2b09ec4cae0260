"""Which lines of a PDF page make one paragraph, and which are headings: by their size, weight and distance."""

import re
from collections import Counter
from collections.abc import Sequence
from ctypes import byref, c_int, c_ulong, c_void_p, cast, create_string_buffer
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import Any

from docsieve.domain.pages import Line, Table
from docsieve.parsers.pdf_boxes import loose_box
from docsieve.parsers.pdf_direct import get_font_info
from docsieve.parsers.pdf_view import DisplayedPage
from docsieve.parsers.pdf_words import TextLayer
from docsieve.parsers.tables import holds

_BOLD = re.compile(rb"bold|black|heavy|semibold|demi", re.IGNORECASE)
_FORCED_BOLD = 1 << 18
_BULLET = re.compile(r"[•‣▪▫◦●○■□➢✓\uf0b7\u2043*–-]\s+\S|\(?(?:\d{1,2}|[a-z])[.)]\s+\S")
_LETTER = re.compile(r"[^\W\d_]")

_NAME_BYTES = 128
_LARGER = 1.15
_SHARE_OF_HEADINGS = 0.15
_SAME_SIZE = 0.08
_APART = 1.4
_LONGEST_HEADING = 160
_LINES_OF_A_HEADING = 3
_LEAST_LINES = 4


@dataclass(slots=True)
class _Style:
    """`top` and `size` are of the room that the font gives to the line, whatever letters it has."""

    top: float
    size: float
    bold: bool


def mark_paragraphs(layer: TextLayer, text_page: Any, shown: DisplayedPage, tables: Sequence[Table]) -> None:
    """Number the paragraphs of the page and mark headings and list items."""
    if not layer.lines:
        return
    reader = _StyleReader(text_page, shown)
    styles = [reader.of(start) for start in layer.starts]
    _number_blocks(layer.lines, styles)
    _mark_headings(layer.lines, styles, tables)
    for line in layer.lines:
        if line.role is None and _BULLET.match(line.text):
            line.role = "list"


class _StyleReader:
    def __init__(self, text_page: Any, shown: DisplayedPage) -> None:
        self._text_page = cast(text_page, c_void_p)
        self._shown = shown
        self._name: Any = create_string_buffer(_NAME_BYTES)
        self._flags = c_int()
        self._out = byref(self._name), c_ulong(_NAME_BYTES), byref(self._flags)

    def of(self, index: int) -> _Style:
        _, top, _, bottom = self._shown.place(*loose_box(self._text_page, index))
        length = get_font_info(self._text_page, index, *self._out)
        # A name that does not fit leaves the one before it in the buffer.
        name = self._name.value if 0 < length <= _NAME_BYTES else b""
        return _Style(top, bottom - top, bool(self._flags.value & _FORCED_BOLD or _is_bold(name)))


@lru_cache(maxsize=256)
def _is_bold(name: bytes) -> bool:
    return _BOLD.search(name) is not None


def _number_blocks(lines: list[Line], styles: list[_Style]) -> None:
    pitches = [
        pitch / after.size
        for before, after in pairwise(styles)
        if after.size > 0 and 0.5 * after.size < (pitch := after.top - before.top) < 3 * after.size
    ]
    typical = median(pitches) if pitches else 1.2
    block = 0
    for index, line in enumerate(lines):
        if index and _begins_block(lines[index - 1], line, styles[index - 1], styles[index], typical):
            block += 1
        line.block = block


def _begins_block(before: Line, line: Line, style_before: _Style, style: _Style, typical: float) -> bool:
    size = max(style.size, style_before.size)
    if abs(style.size - style_before.size) > _SAME_SIZE * size or style.bold != style_before.bold:
        return True
    pitch = style.top - style_before.top
    if abs(pitch) < 0.5 * size:
        return line.box[0] - before.box[2] > 2 * size
    apart = line.box[0] > before.box[2] or line.box[2] < before.box[0]
    return pitch < 0 or pitch > typical * _APART * size or apart or bool(_BULLET.match(line.text))


def _mark_headings(lines: list[Line], styles: list[_Style], tables: Sequence[Table]) -> None:
    if len(lines) < _LEAST_LINES:
        return
    sizes: Counter[float] = Counter()
    weights: Counter[bool] = Counter()
    for line, style in zip(lines, styles, strict=True):
        sizes[round(style.size, 1)] += len(line.text)
        weights[style.bold] += len(line.text)
    body_size = _body_size(sizes)
    bold_stands_out = weights[True] * 4 < weights.total()
    length_of_block = Counter(line.block for line in lines)
    for line, style in zip(lines, styles, strict=True):
        if length_of_block[line.block] > _LINES_OF_A_HEADING or not _may_be_heading(line.text):
            continue
        larger = style.size > body_size * _LARGER
        bolder = bold_stands_out and style.bold and style.size > body_size * 0.9 and line.text[-1] not in ".,;:"
        if (larger or bolder) and not any(holds(table.box, line.box) for table in tables):
            line.role = "heading"


def _body_size(sizes: Counter[float]) -> float:
    """The size that little text exceeds: a form in several sizes has no headings only because its notes are small."""
    larger = sizes.total() * _SHARE_OF_HEADINGS
    for size in sorted(sizes, reverse=True):
        larger -= sizes[size]
        if larger < 0:
            break
    return size


def _may_be_heading(text: str) -> bool:
    letters = len(_LETTER.findall(text))
    return len(text) <= _LONGEST_HEADING and letters >= 3 and letters * 2 > len(text)
