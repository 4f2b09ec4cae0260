"""Where the words of a PDF page stand: PDFium's rectangles of each, for all of a page at once."""

from collections.abc import Sequence
from ctypes import POINTER, byref, c_double, c_float, cast, sizeof
from typing import Any

import numpy
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from docsieve.domain.pages import Box
from docsieve.parsers.pdf_direct import count_rectangles, direct_handle, get_loose_box, get_rectangle
from docsieve.parsers.pdf_view import LEAST, DisplayedPage, PdfBox

Sides = NDArray[numpy.float64]
"""Of many boxes: a row each of their left, upper, right and lower sides, as the page is shown."""

# PDFium writes the four sides of a rectangle to four places. Those of many words are made once and filled again.
_AT_ONCE = 512
_sides = (c_double * (4 * _AT_ONCE))()
_lefts, _bottoms, _rights, _tops = (
    [byref(_sides, (4 * word + side) * sizeof(c_double)) for word in range(_AT_ONCE)] for side in range(4)
)
_filled: Sides = numpy.ctypeslib.as_array(_sides).reshape(-1, 4)
_room = (pdfium_c.FS_RECTF * _AT_ONCE)()
_room_places = [byref(_room, at * sizeof(pdfium_c.FS_RECTF)) for at in range(_AT_ONCE)]
_rooms = numpy.ctypeslib.as_array(cast(_room, POINTER(c_float)), (_AT_ONCE, 4))


def pdf_boxes(text_page: Any, starts: Sequence[int], lengths: Sequence[int]) -> Sides:
    """The box of each range of characters, one a row, in PDF's own coordinates: left, bottom, right, top."""
    handle = direct_handle(text_page)
    boxes = numpy.empty((len(starts), 4))
    for first in range(0, len(starts), _AT_ONCE):
        some, long = starts[first : first + _AT_ONCE], lengths[first : first + _AT_ONCE]
        counts: list[int] = []
        for start, length, left, top, right, bottom in zip(some, long, _lefts, _tops, _rights, _bottoms, strict=False):
            counts.append(count_rectangles(handle, start, length))
            get_rectangle(handle, 0, left, top, right, bottom)
        boxes[first : first + len(some)] = _filled[: len(some)]
        if counts.count(1) == len(counts):
            continue
        for at, rectangles in enumerate(counts):
            if rectangles > 1:
                boxes[first + at] = _joined(handle, some[at], long[at], rectangles)
            elif rectangles < 1:
                boxes[first + at] = _loose(handle, some[at], long[at])
    return boxes


def sides_if_all_seen(boxes: Sides, shown: DisplayedPage) -> Sides | None:
    """As `seen_boxes`, for boxes that lie wholly on the page, as nearly all do; None where one does not."""
    if shown.turns or not len(boxes):
        return None
    sides = _placed(boxes, shown)
    # comparing this way round also finds what is not a number
    all_seen = (
        sides[:2].min() > 0
        and sides[2].max() < shown.width
        and sides[3].max() < shown.height
        and (sides[2:] - sides[:2]).min() > LEAST
    )
    return _rounded(sides) if all_seen else None


def seen_boxes(boxes: Sides, shown: DisplayedPage) -> list[Box | None]:
    """As `DisplayedPage.box` for each."""
    if shown.turns:
        return [shown.box(*box) for box in boxes.tolist()]
    x0, y0, x1, y1 = sides = _placed(boxes, shown)
    inside = (x0 > 0) & (y0 > 0) & (x1 < shown.width) & (y1 < shown.height) & (x1 - x0 > LEAST) & (y1 - y0 > LEAST)
    seen: list[Box | None] = list(zip(*_rounded(sides).tolist(), strict=True))
    for at in (~inside).nonzero()[0].tolist():
        seen[at] = shown.box(*boxes[at].tolist())
    return seen


def _placed(boxes: Sides, shown: DisplayedPage) -> Sides:
    sides = numpy.empty((4, len(boxes)))
    numpy.subtract(boxes[:, 0], shown.left, out=sides[0])
    numpy.subtract(shown.top, boxes[:, 3], out=sides[1])
    numpy.subtract(boxes[:, 2], shown.left, out=sides[2])
    numpy.subtract(shown.top, boxes[:, 1], out=sides[3])
    return sides


def _rounded(sides: Sides) -> Sides:
    # PDFium's numbers are of single precision, so that a hundred times one of them is exact
    rounded: Sides = numpy.rint(sides * 100) / 100
    return rounded


def _joined(handle: Any, start: int, count: int, rectangles: int) -> PdfBox:
    left, top, right, bottom = _lefts[0], _tops[0], _rights[0], _bottoms[0]
    count_rectangles(handle, start, count)
    found = []
    for index in range(rectangles):
        get_rectangle(handle, index, left, top, right, bottom)
        found.append(_sides[:4])
    lefts, bottoms, rights, tops = zip(*found, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _loose(handle: Any, start: int, length: int) -> PdfBox:
    """For glyphs without an outline (invisible OCR text, some Type 3 fonts): the room their font gives them."""
    (left, right), (bottom, below), (end, far), (top, above) = (
        side.tolist() for side in loose_boxes(handle, [start, start + length - 1])
    )
    return min(left, right), min(bottom, below), max(end, far), max(top, above)


def loose_boxes(handle: Any, indices: Sequence[int]) -> Sides:
    """The room that its font gives to each of these characters, whatever its glyph looks like.

    A row each of their left, lower, right and upper sides, in PDF's own coordinates.
    """
    rooms = numpy.zeros((len(indices), 4), numpy.float32)
    for first in range(0, len(indices), _AT_ONCE):
        some = indices[first : first + _AT_ONCE]
        found = [get_loose_box(handle, index, room) for index, room in zip(some, _room_places, strict=False)]
        rooms[first : first + len(some)] = _rooms[: len(some)]
        for at, is_found in enumerate(found):
            if not is_found:
                rooms[first + at] = 0
    left, top, right, bottom = rooms.T.astype(numpy.float64)
    return numpy.stack((left, numpy.minimum(bottom, top), right, numpy.maximum(bottom, top)))


def union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
