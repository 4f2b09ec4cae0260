"""Where the words of a PDF page stand: PDFium's rectangles of each, for all of a page at once."""

from collections.abc import Sequence
from ctypes import byref, c_double, c_void_p, cast, sizeof
from typing import Any

import numpy
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from docsieve.domain.pages import Box
from docsieve.parsers.pdf_direct import count_rectangles, get_loose_box, get_rectangle
from docsieve.parsers.pdf_view import LEAST, DisplayedPage, PdfBox

Sides = NDArray[numpy.float64]

# PDFium writes the four sides of a rectangle to four places. Those of many words are made once and filled again.
_AT_ONCE = 512
_sides = (c_double * (4 * _AT_ONCE))()
_places = [
    tuple(byref(_sides, (4 * word + side) * sizeof(c_double)) for side in (0, 3, 2, 1)) for word in range(_AT_ONCE)
]
_filled: Sides = numpy.ctypeslib.as_array(_sides).reshape(-1, 4)
_room = pdfium_c.FS_RECTF()
_room_place = byref(_room)


def pdf_boxes(text_page: Any, spans: Sequence[tuple[int, int]]) -> Sides:
    """The box of each range of characters, in PDF's own coordinates: left, bottom, right, top."""
    handle = cast(text_page, c_void_p)
    boxes = numpy.empty((len(spans), 4))
    for first in range(0, len(spans), _AT_ONCE):
        some = spans[first : first + _AT_ONCE]
        several: dict[int, int] = {}
        for at, ((start, end), (left, top, right, bottom)) in enumerate(zip(some, _places, strict=False)):
            rectangles = count_rectangles(handle, start, end - start)
            get_rectangle(handle, 0, left, top, right, bottom)
            if rectangles != 1:
                several[at] = rectangles
        boxes[first : first + len(some)] = _filled[: len(some)]
        for at, rectangles in several.items():
            start, end = some[at]
            boxes[first + at] = (
                _joined(handle, start, end - start, rectangles) if rectangles > 1 else _loose(text_page, start, end)
            )
    return boxes


def seen_boxes(boxes: Sides, shown: DisplayedPage) -> tuple[list[Box | None], Sides | None]:
    """As `DisplayedPage.box` for each, and where all of them are on the page, the same as an array."""
    if shown.turns:
        return [shown.box(*box) for box in boxes.tolist()], None
    x0, y0, x1, y1 = (
        boxes[:, 0] - shown.left,
        shown.top - boxes[:, 3],
        boxes[:, 2] - shown.left,
        shown.top - boxes[:, 1],
    )
    # PDFium's numbers are of single precision, so that a hundred times one of them is exact
    rounded = numpy.rint(numpy.stack((x0, y0, x1, y1), axis=1) * 100) / 100
    seen: list[Box | None] = list(map(tuple, rounded.tolist()))
    inside = (x0 > 0) & (y0 > 0) & (x1 < shown.width) & (y1 < shown.height) & (x1 - x0 > LEAST) & (y1 - y0 > LEAST)
    if inside.all():
        return seen, rounded
    for at in (~inside).nonzero()[0].tolist():
        seen[at] = shown.box(*boxes[at].tolist())
    return seen, None


def _joined(handle: Any, start: int, count: int, rectangles: int) -> PdfBox:
    left, top, right, bottom = _places[0]
    count_rectangles(handle, start, count)
    found = []
    for index in range(rectangles):
        get_rectangle(handle, index, left, top, right, bottom)
        found.append(_sides[:4])
    lefts, bottoms, rights, tops = zip(*found, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _loose(text_page: Any, start: int, end: int) -> PdfBox:
    """For glyphs without an outline (invisible OCR text, some Type 3 fonts): the room their font gives them."""
    box = loose_box(text_page, start)
    return union(box, loose_box(text_page, end - 1)) if end - start > 1 else box


def loose_box(text_page: Any, index: int) -> PdfBox:
    """The room that its font gives to a character, whatever its glyph looks like."""
    if not get_loose_box(cast(text_page, c_void_p), index, _room_place):
        return 0.0, 0.0, 0.0, 0.0
    bottom, top = _room.bottom, _room.top
    return _room.left, min(bottom, top), _room.right, max(bottom, top)


def union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
