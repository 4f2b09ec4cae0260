"""Detects the skew of a page from its pixels alone: rows of text are sharpest when they are level."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

_LOOKED_AT = 900
_STEEPEST = 10.0
_COARSE, _FINE = 1.0, 0.1
# Strips this narrow are off by less than 1.5 pixels at the steepest angle.
_STRIP = 8


def skew_of(image: Image.Image, *, vertical: bool = False) -> float:
    """Return the clockwise rotation in degrees that levels the lines; `vertical` if they run up or down."""
    gray = image.convert("L")
    gray.thumbnail((_LOOKED_AT, _LOOKED_AT))
    pixels = np.asarray(gray, dtype=np.float32)
    if vertical:
        pixels = np.rot90(pixels)
    strips = _strips(_edges(pixels))
    coarse = _sharpest(strips, np.arange(-_STEEPEST, _STEEPEST + _COARSE, _COARSE))
    return _sharpest(strips, np.arange(coarse - _COARSE, coarse + _COARSE + _FINE, _FINE))


def _edges(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how much each pixel's upper and lower neighbors differ."""
    edges = np.zeros_like(pixels)
    edges[1:-1] = np.abs(pixels[2:] - pixels[:-2])
    return edges


def _strips(edges: NDArray[np.float32]) -> NDArray[np.float32]:
    """The sums of every few columns, one row per strip."""
    return np.add.reduceat(edges, range(0, edges.shape[1], _STRIP), axis=1).T.copy()


def _sharpest(strips: NDArray[np.float32], angles: NDArray[np.float64]) -> float:
    # Near the best, level is preferred: min() keeps the first of equals.
    return min((float(angle) for angle in angles), key=lambda angle: (-_sharpness(strips, angle), abs(angle)))


def _sharpness(strips: NDArray[np.float32], clockwise: float) -> float:
    """How much the rows differ after turning: the variance of their sums."""
    count, height = strips.shape
    rows = np.arange(height)
    slope = np.tan(np.radians(clockwise)) * _STRIP
    total = np.zeros(height)
    for index, strip in enumerate(strips):
        total += np.interp(rows - (index - count / 2) * slope, rows, strip, left=0, right=0)
    return float(total.var())
