"""How slanted the lines of a page are, by its pixels alone: rows of text are sharpest when they are level."""

import cv2
import numpy as np
from PIL import Image

_LOOKED_AT = 900
_STEEPEST = 10.0
_COARSE, _FINE = 1.0, 0.1


def skew_of(image: Image.Image, *, standing: bool = False) -> float:
    """By how many degrees clockwise to turn the image to level its lines; `standing` where they run up or down."""
    grey = image.convert("L")
    grey.thumbnail((_LOOKED_AT, _LOOKED_AT))
    pixels = np.asarray(grey)
    if standing:
        pixels = np.rot90(pixels)
    edges = np.abs(cv2.Sobel(pixels, cv2.CV_32F, 0, 1))
    coarse = _sharpest(edges, np.arange(-_STEEPEST, _STEEPEST + _COARSE, _COARSE))
    return _sharpest(edges, np.arange(coarse - _COARSE, coarse + _COARSE + _FINE, _FINE))


def _sharpest(edges: np.ndarray, angles: np.ndarray) -> float:
    # Near the best, level is preferred: min() keeps the first of equals.
    return min((float(angle) for angle in angles), key=lambda angle: (-_sharpness(edges, angle), abs(angle)))


def _sharpness(edges: np.ndarray, clockwise: float) -> float:
    """How much the rows differ after turning: the variance of their sums."""
    height, width = edges.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -clockwise, 1.0)
    return float(cv2.warpAffine(edges, turn, (width, height)).sum(axis=1).var())
