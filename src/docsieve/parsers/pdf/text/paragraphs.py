"""Groups lines of a PDF page into paragraphs and marks headings, by size, weight and distance."""

import re
from collections import Counter
from collections.abc import Sequence
from ctypes import byref, c_int, c_ulong, create_string_buffer
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, repeat, starmap
from statistics import median
from typing import Any

from docsieve.domain.pages.page import Box, Line, Table
from docsieve.parsers.pdf.direct import get_font_info
from docsieve.parsers.pdf.text.boxes import loose_boxes
from docsieve.parsers.pdf.text.words import TextLayer
from docsieve.parsers.pdf.view import DisplayedPage
from docsieve.parsers.tables.cells import holds

_BOLD = re.compile(rb"bold|black|heavy|semibold|demi", re.IGNORECASE)
_FORCED_BOLD = 1 << 18
_BULLET = re.compile(r"[•‣▪▫◦●○■□➢✓\uf0b7\u2043*–-]\s+\S|\(?(?:\d{1,2}|[a-z])[.)]\s+\S")
_LETTER = re.compile(r"[^\W\d_]")

# PDFium writes the name and flags of a font here.
_NAME_BYTES = 128
_name, _flags = create_string_buffer(_NAME_BYTES), c_int()
_name_place, _flags_place = byref(_name), byref(_flags)
_NAME_LENGTH = c_ulong.from_param(_NAME_BYTES)

_LARGER = 1.15
_SHARE_OF_HEADINGS = 0.15
_SAME_SIZE = 0.08
_APART = 1.4
_MAX_HEADING_LENGTH = 160
_LINES_OF_A_HEADING = 3
_MIN_LINES = 4
_ENDS_OF_PHRASES = (".", ",", ";", ":")


@dataclass(slots=True)
class _Styles:
    """For each line: `tops` and `sizes` are those of its font box, whatever letters it has."""

    tops: list[float]
    sizes: list[float]
    bold: list[bool]


def mark_paragraphs(layer: TextLayer, text_page: Any, shown: DisplayedPage, tables: Sequence[Table]) -> None:
    """Number the paragraphs of the page and mark headings and list items."""
    if not layer.lines:
        return
    starts = layer.starts
    rooms = [shown.place(*box) for box in loose_boxes(text_page, starts)]
    tops, sizes = [top for _, top, _, _ in rooms], [bottom - top for _, top, _, bottom in rooms]
    styles = _Styles(tops, sizes, _are_bold(text_page, starts))
    are_items = [_BULLET.match(line.text) is not None for line in layer.lines]
    _number_blocks(layer.lines, styles, are_items)
    _mark_headings(layer.lines, styles, tables)
    for line, is_item in zip(layer.lines, are_items, strict=True):
        if is_item and line.role is None:
            line.role = "list"


def _are_bold(text_page: Any, indices: Sequence[int]) -> list[bool]:
    asked = zip(
        repeat(text_page), indices, repeat(_name_place), repeat(_NAME_LENGTH), repeat(_flags_place), strict=False
    )
    # A character without a font leaves the flags as they are; a name that does not fit, the one before it.
    _flags.value = 0
    return [
        bool(_flags.value & _FORCED_BOLD) or _is_bold(_name.value if 0 < length <= _NAME_BYTES else b"")
        for length in starmap(get_font_info, asked)
    ]


@lru_cache(maxsize=256)
def _is_bold(name: bytes) -> bool:
    return _BOLD.search(name) is not None


def _number_blocks(lines: list[Line], styles: _Styles, are_items: list[bool]) -> None:
    tops, sizes, bold = styles.tops, styles.sizes, styles.bold
    pitches = [
        pitch / size
        for before, top, size in zip(tops, tops[1:], sizes[1:], strict=False)
        if size > 0 and 0.5 * size < (pitch := top - before) < 3 * size
    ]
    farthest = (median(pitches) if pitches else 1.2) * _APART
    block = 0
    lines[0].block = block
    for at in range(1, len(lines)):
        size, size_before = sizes[at], sizes[at - 1]
        larger = size if size > size_before else size_before
        if (
            abs(size - size_before) > _SAME_SIZE * larger
            or bold[at] != bold[at - 1]
            or _is_set_off(lines[at - 1].box, lines[at].box, tops[at] - tops[at - 1], larger, farthest, are_items[at])
        ):
            block += 1
        lines[at].block = block


def _is_set_off(before: Box, box: Box, pitch: float, size: float, farthest: float, is_item: bool) -> bool:
    """Whether a line of the same style as the previous one begins a block because of its position."""
    if abs(pitch) < 0.5 * size:
        return box[0] - before[2] > 2 * size
    return is_item or pitch < 0 or pitch > farthest * size or box[0] > before[2] or box[2] < before[0]


def _mark_headings(lines: list[Line], styles: _Styles, tables: Sequence[Table]) -> None:
    if len(lines) < _MIN_LINES:
        return
    lengths = [len(line.text) for line in lines]
    body_size = _body_size(styles.sizes, lengths)
    is_bold_rare = sum(compress(lengths, styles.bold)) * 4 < sum(lengths)
    standing_out = [
        line
        for line, size, bold in zip(lines, styles.sizes, styles.bold, strict=True)
        if size > body_size * _LARGER
        or (bold and is_bold_rare and size > body_size * 0.9 and not line.text.endswith(_ENDS_OF_PHRASES))
    ]
    if not standing_out:
        return
    length_of_block = Counter([line.block for line in lines])
    for line in standing_out:
        if (
            line.role is None
            and length_of_block[line.block] <= _LINES_OF_A_HEADING
            and _may_be_heading(line.text)
            and not any(holds(table.box, line.box) for table in tables)
        ):
            line.role = "heading"


def _body_size(sizes: list[float], lengths: list[int]) -> float:
    """Return the size that little text exceeds: small notes in a form do not make the rest headings."""
    length_of: dict[float, int] = {}
    for size, length in zip(sizes, lengths, strict=True):
        length_of[size] = length_of.get(size, 0) + length
    larger = sum(lengths) * _SHARE_OF_HEADINGS
    for size in sorted(length_of, reverse=True):
        larger -= length_of[size]
        if larger < 0:
            break
    return round(size, 1)


def _may_be_heading(text: str) -> bool:
    letters = len(_LETTER.findall(text))
    return len(text) <= _MAX_HEADING_LENGTH and letters >= 3 and letters * 2 > len(text)
