"""Four-cornered text regions: how they lie, cutting them out level, and finding places of the cut on the image again.

A quad is an array of four points `(x, y)`: upper left, upper right, lower right, lower left, as the text region lies on
the image. A region is standing when it is clearly taller than wide, as lines are on a page turned by 90 degrees.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from docsieve.domain.pages import Box

Quad = NDArray[np.float32]
Pixels = NDArray[np.uint8]

_CLEARLY = 1.5


def sides(quad: Quad) -> tuple[float, float]:
    """Its width and height, each the mean of two opposite sides."""
    top, right, bottom, left = (float(np.linalg.norm(quad[index] - quad[index - 3])) for index in range(4))
    return (top + bottom) / 2, (right + left) / 2


def stands(quad: Quad) -> bool:
    width, height = sides(quad)
    return height >= _CLEARLY * width


def lies(quad: Quad) -> bool:
    width, height = sides(quad)
    return width >= _CLEARLY * height


def turned(quad: Quad, turn: int) -> Quad:
    """The same region, its corners named as they are after turning the image clockwise by so many degrees."""
    return np.roll(quad, turn // 90, axis=0)


def slope(quad: Quad) -> float:
    """By how many degrees its upper and lower sides fall to the right."""
    along = (quad[1] - quad[0]) + (quad[2] - quad[3])
    return math.degrees(math.atan2(float(along[1]), float(along[0])))


@dataclass(frozen=True, slots=True)
class Cut:
    """A region cut out level; `back` maps its places to the image."""

    pixels: Pixels
    back: NDArray[np.float64]

    def box(self, left: float, right: float) -> Box:
        """The box on the image around a stretch of the cut, from `left` to `right` in its pixels."""
        bottom = self.pixels.shape[0]
        corners = np.array([[left, 0, 1], [right, 0, 1], [right, bottom, 1], [left, bottom, 1]], dtype=np.float64)
        found = corners @ self.back.T
        points = found[:, :2] / found[:, 2:]
        (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
        return float(x0), float(y0), float(x1), float(y1)


def cut(image: Pixels, quad: Quad, height: int, *, turn: int = 0, step: int = 1, widest: int) -> Cut:
    """The region of a quad, turned clockwise by `turn` degrees first, scaled to `height` and to a width near its own.

    The width is a multiple of `step` and at most `widest`.
    """
    source = turned(quad, turn).astype(np.float32)
    width_there, height_there = sides(source)
    width = min(widest, step * max(1, round(width_there * height / max(height_there, 1.0) / step)))
    shrink = max(1, int(height_there / height))
    # Warping samples single points, so what gets much smaller is warped large and then averaged.
    size = (width * shrink, height * shrink)
    corners = np.array([[0, 0], [size[0], 0], [*size], [0, size[1]]], dtype=np.float32)
    forth = cv2.getPerspectiveTransform(source, corners)
    pixels = cv2.warpPerspective(image, forth, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    if shrink > 1:
        pixels = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    back = np.linalg.inv(forth) @ np.diag([shrink, shrink, 1.0])
    return Cut(np.asarray(pixels, dtype=np.uint8), back.astype(np.float64))
