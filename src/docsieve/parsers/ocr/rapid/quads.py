"""Quadrilateral text regions: their orientation, cutting them out level, and mapping positions back to the image.

A quad is an array of four points `(x, y)`: upper left, upper right, lower right, lower left, as the text region lies on
the image. A region is vertical if it is clearly taller than wide, as lines are on a page turned by 90 degrees.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docsieve.domain.pages.page import Box

Quad = NDArray[np.float32]
Pixels = NDArray[np.uint8]

_CLEARLY = 1.5
_LEVEL = 0.5  # pixels


def sides(quad: Quad) -> tuple[float, float]:
    """Return width and height, each the mean of two opposite sides."""
    top, right, bottom, left = (float(np.linalg.norm(quad[index] - quad[index - 3])) for index in range(4))
    return (top + bottom) / 2, (right + left) / 2


def is_vertical(quad: Quad) -> bool:
    width, height = sides(quad)
    return height >= _CLEARLY * width


def is_horizontal(quad: Quad) -> bool:
    width, height = sides(quad)
    return width >= _CLEARLY * height


def turned(quad: Quad, turn: int) -> Quad:
    """Return the region with its corners named as after rotating the image clockwise."""
    return np.roll(quad, turn // 90, axis=0)


def slope(quad: Quad) -> float:
    """Return by how many degrees its upper and lower sides fall to the right."""
    along = (quad[1] - quad[0]) + (quad[2] - quad[3])
    return math.degrees(math.atan2(float(along[1]), float(along[0])))


@dataclass(frozen=True, slots=True)
class Cut:
    """A region cut out level; `back` maps its positions to the image."""

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


def cut(image: Image.Image, quad: Quad, height: int, *, turn: int = 0, widths: Sequence[int]) -> Cut:
    """The region of a quad, turned clockwise by `turn` degrees first, scaled to `height` and to the nearest width.

    The image is in mode RGB, the quad inside it. `widths` are in ascending order.
    """
    source = turned(quad, turn)
    width_there, height_there = sides(source)
    width = _nearest(widths, width_there * height / max(height_there, 1.0))
    corners = np.concatenate((source[0], source[2]))
    if (source[0] < source[2]).all() and np.abs(source - _rectangle(*corners)).max() < _LEVEL:
        # Half a pixel of slant does not show, and scaling alone is several times faster than warping.
        level = image.resize((width, height), Image.Resampling.BICUBIC, box=tuple(corners.tolist()))
        return Cut(np.asarray(level), _perspective(_rectangle(*corners), (width, height)))
    shrink = max(1, int(height_there / height))
    # Warping samples single points, so what gets much smaller is warped large and then averaged.
    size = (width * shrink, height * shrink)
    back = _perspective(source, size)
    pixels = image.transform(size, Image.Transform.PERSPECTIVE, back.flatten()[:8].tolist(), Image.Resampling.BICUBIC)
    if shrink > 1:
        pixels = pixels.reduce(shrink)
    return Cut(np.asarray(pixels), back @ np.diag([shrink, shrink, 1.0]))


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> Quad:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float32)


def _nearest(widths: Sequence[int], wanted: float) -> int:
    """The width that is stretched or squeezed least."""
    index = bisect_left(widths, wanted)
    lower, upper = widths[max(index - 1, 0)], widths[min(index, len(widths) - 1)]
    return lower if wanted * wanted < lower * upper else upper


def _perspective(quad: Quad, size: tuple[int, int]) -> NDArray[np.float64]:
    """The matrix that maps the corners of an image of a given size to those of a quad."""
    width, height = size
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], dtype=np.float64)
    equations, values = np.zeros((8, 8)), quad.astype(np.float64).flatten()
    equations[0::2, 0:3] = equations[1::2, 3:6] = corners
    equations[:, 6:] = -values[:, np.newaxis] * np.repeat(corners[:, :2], 2, axis=0)
    return np.append(np.linalg.solve(equations, values), 1.0).reshape(3, 3)
