"""From places on the provider's page, which lies as it was scanned, to boxes in points on our upright one."""

from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.domain.pages.page import Box
from docsieve.remote.azure.shapes import PageShape

_POINTS_AN_INCH = 72.0
# An image says nothing of its size on paper; most are scans of about this many pixels an inch.
_PIXELS_AN_INCH = 200.0
_MIN_SIDE = 0.01


@dataclass(frozen=True, slots=True)
class Sheet:
    """`width` and `height` are those of the upright page; `turned` is by how far it was turned clockwise for that."""

    width: float
    height: float
    turned: int
    _scale: float

    @classmethod
    def of(cls, page: PageShape) -> "Sheet":
        scale = _POINTS_AN_INCH if page.unit == "inch" else _POINTS_AN_INCH / _PIXELS_AN_INCH
        width, height = max(page.width * scale, 1.0), max(page.height * scale, 1.0)
        turned = round(-page.angle / 90) * 90 % 360
        if turned in (90, 270):
            width, height = height, width
        return cls(round(width, 2), round(height, 2), turned, scale)

    def box(self, polygon: Sequence[float]) -> Box | None:
        """The upright box around a polygon x, y, x, y, …; None if it has no corners."""
        across, down = polygon[::2], polygon[1::2]
        if not across or not down:
            return None
        one = self._turn(min(across) * self._scale, min(down) * self._scale)
        other = self._turn(max(across) * self._scale, max(down) * self._scale)
        x0, x1 = _within(one[0], other[0], self.width)
        y0, y1 = _within(one[1], other[1], self.height)
        return x0, y0, x1, y1

    def _turn(self, x: float, y: float) -> tuple[float, float]:
        match self.turned:
            case 90:
                return self.width - y, x
            case 180:
                return self.width - x, self.height - y
            case 270:
                return y, self.height - x
        return x, y


def around(boxes: Sequence[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _within(one: float, other: float, most: float) -> tuple[float, float]:
    """From the lesser to the greater, on the page and never empty."""
    low, high = (one, other) if one < other else (other, one)
    low = round(min(max(low, 0.0), most - _MIN_SIDE), 2)
    high = round(min(max(high, 0.0), most), 2)
    return low, max(high, round(low + _MIN_SIDE, 2))
