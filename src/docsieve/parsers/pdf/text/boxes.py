"""The boxes of the words of a PDF page, from PDFium's rectangles, for a whole page at once."""

from collections.abc import Sequence
from ctypes import byref, c_double, c_float, sizeof
from itertools import accumulate, repeat, starmap
from typing import Any

import numpy
from numpy.typing import NDArray

from docsieve.domain.pages.page import Box
from docsieve.parsers.pdf.direct import count_rectangles, get_loose_box, get_rectangle
from docsieve.parsers.pdf.view import MIN_SIZE, DisplayedPage, PdfBox

Sides = NDArray[numpy.float64]
"""Of many boxes: a row each of their left, upper, right and lower sides as the page is shown; or, in PDF's own
coordinates, of their left, lower, right and upper sides."""

# PDFium writes the four sides of a rectangle to four pointers. Those for many words are created once and reused.
_AT_ONCE = 512
_sides = (c_double * (4 * _AT_ONCE))()
_lefts, _bottoms, _rights, _tops = (
    [byref(_sides, (side * _AT_ONCE + word) * sizeof(c_double)) for word in range(_AT_ONCE)] for side in range(4)
)
_places = list(zip(_lefts, _tops, _rights, _bottoms, strict=True))
_filled: Sides = numpy.ctypeslib.as_array(_sides).reshape(4, -1)
_rooms = (c_float * (4 * _AT_ONCE))()
_room_places = [byref(_rooms, 4 * at * sizeof(c_float)) for at in range(_AT_ONCE)]

_least, _greatest = numpy.minimum.reduce, numpy.maximum.reduce


def pdf_boxes(text_page: Any, starts: Sequence[int], lengths: Sequence[int]) -> Sides:
    """Return the box of each range of characters, in PDF coordinates."""
    boxes = numpy.empty((4, len(starts)))
    for first in range(0, len(starts), _AT_ONCE):
        some, long = starts[first : first + _AT_ONCE], lengths[first : first + _AT_ONCE]
        # PDFium keeps only the rectangles of the last requested range, so counting and reading must alternate, as
        # these iterators do. They need a quarter less time than a loop with calls.
        asked = starmap(count_rectangles, zip(repeat(text_page), some, long, strict=False))
        places = zip(repeat(text_page), repeat(0), _lefts, _tops, _rights, _bottoms, strict=False)
        counts: list[int] = [count for count, _ in zip(asked, starmap(get_rectangle, places), strict=False)]
        boxes[:, first : first + len(some)] = _filled[:, : len(some)]
        if counts.count(1) < len(counts):
            _mend(boxes[:, first : first + len(some)], text_page, some, long, counts)
    return boxes


def _mend(boxes: Sides, text_page: Any, starts: Sequence[int], lengths: Sequence[int], counts: list[int]) -> None:
    """Set the boxes of ranges that have several rectangles or none."""
    several = [at for at, rectangles in enumerate(counts) if rectangles > 1]
    if several:
        boxes[:, several] = _joined(text_page, [(starts[at], lengths[at], counts[at]) for at in several])
    bare = [at for at, rectangles in enumerate(counts) if rectangles < 1]
    if bare:
        # Glyphs without an outline (invisible OCR text, some Type 3 fonts) get the box that their font defines.
        firsts = loose_boxes(text_page, [starts[at] for at in bare])
        lasts = loose_boxes(text_page, [starts[at] + lengths[at] - 1 for at in bare])
        boxes[:, bare] = numpy.array(list(map(union, firsts, lasts))).T


def _joined(text_page: Any, ranges: list[tuple[int, int, int]]) -> Sides:
    """Return the boxes of character ranges, given start, length and number of rectangles."""
    rectangles = [count for _, _, count in ranges]
    found = numpy.empty((4, sum(rectangles)))
    done = filled = 0
    for start, length, count in ranges:
        count_rectangles(text_page, start, length)
        for index in range(count):
            get_rectangle(text_page, index, *_places[filled])
            filled += 1
            if filled == _AT_ONCE:
                found[:, done : done + filled] = _filled
                done, filled = done + filled, 0
    found[:, done:] = _filled[:, :filled]
    firsts = numpy.array([0, *accumulate(rectangles[:-1])])
    return numpy.concatenate(
        (numpy.minimum.reduceat(found[:2], firsts, axis=1), numpy.maximum.reduceat(found[2:], firsts, axis=1))
    )


def sides_if_all_seen(boxes: Sides, shown: DisplayedPage) -> Sides | None:
    """Like `seen_boxes`, for boxes that are all inside the page, as nearly all are; None if one is not."""
    if not boxes.size:
        return None
    sides = _placed(boxes, shown)
    # Compared this way, NaN fails too.
    all_seen = (
        _least(sides[:2], axis=None) > 0
        and _greatest(sides[2]) < shown.width
        and _greatest(sides[3]) < shown.height
        and _least(sides[2:] - sides[:2], axis=None) > MIN_SIZE
    )
    return _rounded(sides) if all_seen else None


def seen_boxes(boxes: Sides, shown: DisplayedPage) -> list[Box | None]:
    """Return `DisplayedPage.box` of each."""
    x0, y0, x1, y1 = sides = _placed(boxes, shown)
    inside = (x0 > 0) & (y0 > 0) & (x1 < shown.width) & (y1 < shown.height)
    inside &= (x1 - x0 > MIN_SIZE) & (y1 - y0 > MIN_SIZE)
    seen: list[Box | None] = list(zip(*_rounded(sides).tolist(), strict=True))
    for at in (~inside).nonzero()[0].tolist():
        seen[at] = shown.box(*boxes[:, at].tolist())
    return seen


def _placed(boxes: Sides, shown: DisplayedPage) -> Sides:
    if shown.turns:
        left, bottom, right, top = boxes
        return numpy.array(shown.place(left, bottom, right, top))
    sides = numpy.empty_like(boxes)
    numpy.subtract(boxes[::2], shown.left, out=sides[::2])
    numpy.subtract(shown.top, boxes[::-2], out=sides[1::2])
    return sides


def _rounded(sides: Sides) -> Sides:
    # PDFium's numbers have single precision, so a hundred times one of them is exact.
    rounded: Sides = sides * 100
    numpy.rint(rounded, out=rounded)
    rounded /= 100
    return rounded


def loose_boxes(text_page: Any, indices: Sequence[int]) -> list[PdfBox]:
    """Return the box that the font defines for each of these characters, whatever the glyph looks like.

    In PDF coordinates; nothing for a character without one.
    """
    boxes: list[PdfBox] = []
    for first in range(0, len(indices), _AT_ONCE):
        some = indices[first : first + _AT_ONCE]
        found = list(starmap(get_loose_box, zip(repeat(text_page), some, _room_places, strict=False)))
        sides = iter(_rooms[: 4 * len(some)])
        for left, top, right, bottom, is_found in zip(sides, sides, sides, sides, found, strict=True):
            if not is_found:
                boxes.append((0.0, 0.0, 0.0, 0.0))
            elif top < bottom:
                boxes.append((left, top, right, bottom))
            else:
                boxes.append((left, bottom, right, top))
    return boxes


def union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
