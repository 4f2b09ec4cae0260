"""Finds where the ink of a cut-out line begins and ends, so that word boxes are tight."""

from itertools import pairwise

import numpy as np

from docsieve.parsers.ocr.rapid.quads import Pixels

_CONTRAST = 0.35
_MIN_CONTRAST = 3 * 24


def word_edges(line: Pixels, words: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the left and right edge of each word, given the centers of its first and last character."""
    width = line.shape[1]
    inked = _inked_columns(line)
    between = ((before[1] + after[0]) / 2 for before, after in pairwise(words))
    stretches = pairwise([0.0, *between, float(width)])
    return [_tightened(inked, start, end, word) for (start, end), word in zip(stretches, words, strict=True)]


def _tightened(inked: np.ndarray, start: float, end: float, middles: tuple[float, float]) -> tuple[float, float]:
    columns = np.flatnonzero(inked[int(start) : int(np.ceil(end))])
    if not len(columns):
        return start, max(end, start + 1)
    # A faint end may be below the threshold, but the centers of its characters are inside the word.
    left = min(int(start) + float(columns[0]), middles[0])
    right = max(int(start) + float(columns[-1]) + 1, middles[1])
    return max(left, start), max(min(right, end), left + 1)


def _inked_columns(line: Pixels) -> np.ndarray:
    """Return which columns have strokes: pixels that differ from the background, which most pixels are."""
    # Of three times the brightness, which needs no division.
    gray = line.sum(axis=2, dtype=np.int16)
    # The first and last rows may belong to neighboring lines.
    margin = len(gray) // 8
    difference = np.abs(gray[margin : len(gray) - margin] - np.median(gray)).max(axis=0)
    return np.asarray(difference > max(_MIN_CONTRAST, _CONTRAST * float(difference.max())))
