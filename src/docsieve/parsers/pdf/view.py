"""The displayed PDF page: converts PDF coordinates to points from the upper left corner."""

from dataclasses import dataclass
from typing import TypeVar

import numpy
import pypdfium2 as pdfium
from numpy.typing import NDArray

from docsieve.domain.pages.page import Box

# PDF counts from the lower left, so a box here is left, bottom, right, top.
PdfBox = tuple[float, float, float, float]

# One number, or an array for many boxes.
_Side = TypeVar("_Side", float, NDArray[numpy.float64])

# Minimum size of a box: a glyph without an outline has no size.
MIN_SIZE = 0.01


@dataclass(frozen=True, slots=True)
class DisplayedPage:
    """The visible box of a page in PDF coordinates, and its clockwise rotation in quarter turns."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int
    width: float
    height: float

    @classmethod
    def of(cls, page: pdfium.PdfPage) -> "DisplayedPage":
        left, bottom, right, top = page.get_bbox()
        turns = page.get_rotation() // 90 % 4
        size = (right - left, top - bottom) if turns % 2 == 0 else (top - bottom, right - left)
        return cls(left, bottom, right, top, turns, round(size[0], 2), round(size[1], 2))

    def place(self, left: _Side, bottom: _Side, right: _Side, top: _Side) -> tuple[_Side, _Side, _Side, _Side]:
        """Convert a box, wherever it is, to the displayed page with the origin at the upper left."""
        if self.turns == 0:
            return left - self.left, self.top - top, right - self.left, self.top - bottom
        if self.turns == 1:
            return bottom - self.bottom, left - self.left, top - self.bottom, right - self.left
        if self.turns == 2:
            return self.right - right, bottom - self.bottom, self.right - left, top - self.bottom
        return self.top - top, self.right - right, self.top - bottom, self.right - left

    def box(self, left: float, bottom: float, right: float, top: float) -> Box | None:
        """Return the visible part of the box; None if it is outside the visible page."""
        if self.turns == 0:
            x0, y0, x1, y1 = left - self.left, self.top - top, right - self.left, self.top - bottom
        else:
            x0, y0, x1, y1 = self.place(left, bottom, right, top)
        if x0 > 0.0 and y0 > 0.0 and x1 < self.width and y1 < self.height and x1 - x0 > MIN_SIZE and y1 - y0 > MIN_SIZE:
            # Four times faster than rounding to two digits, and the same: PDFium's numbers are of single precision,
            # so that a hundred times one of them is exact.
            return round(x0 * 100) / 100, round(y0 * 100) / 100, round(x1 * 100) / 100, round(y1 * 100) / 100
        # Compared this way, NaN is rejected too.
        if not (x0 <= self.width and y0 <= self.height and x1 >= 0 and y1 >= 0):
            return None
        clipped = max(x0, 0.0), max(y0, 0.0), min(x1, self.width), min(y1, self.height)
        return self._widened((round(clipped[0], 2), round(clipped[1], 2), round(clipped[2], 2), round(clipped[3], 2)))

    def _widened(self, box: Box) -> Box | None:
        if self.width <= MIN_SIZE or self.height <= MIN_SIZE:
            return None
        x0, y0 = min(box[0], round(self.width - MIN_SIZE, 2)), min(box[1], round(self.height - MIN_SIZE, 2))
        return x0, y0, max(box[2], round(x0 + MIN_SIZE, 2)), max(box[3], round(y0 + MIN_SIZE, 2))


def turned_box(box: Box, quarters: int, width: float, height: float) -> Box:
    """Return the box after its page of the given size was rotated clockwise by quarter turns."""
    for _ in range(quarters % 4):
        x0, y0, x1, y1 = box
        box = round(height - y1, 2), x0, round(height - y0, 2), x1
        width, height = height, width
    return box
