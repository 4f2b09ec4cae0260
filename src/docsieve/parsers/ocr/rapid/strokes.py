"""Where the ink of a cut-out line begins and ends, so that word boxes are tight."""

from itertools import pairwise

import numpy as np

from docsieve.parsers.ocr.rapid.quads import Pixels

_CONTRAST = 0.35
_MIN_CONTRAST = 24


def word_edges(line: Pixels, words: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Left and right edge of each word of a line, given the middles of its first and its last character."""
    width = line.shape[1]
    inked = _inked_columns(line)
    between = ((before[1] + after[0]) / 2 for before, after in pairwise(words))
    stretches = pairwise([0.0, *between, float(width)])
    return [_tightened(inked, start, end, word) for (start, end), word in zip(stretches, words, strict=True)]


def _tightened(inked: np.ndarray, start: float, end: float, middles: tuple[float, float]) -> tuple[float, float]:
    columns = np.flatnonzero(inked[int(start) : int(np.ceil(end))])
    if not len(columns):
        return start, max(end, start + 1)
    # A faint end may fall under the threshold, but the middles of its characters lie inside the word for sure.
    left = min(int(start) + float(columns[0]), middles[0])
    right = max(int(start) + float(columns[-1]) + 1, middles[1])
    return max(left, start), max(min(right, end), left + 1)


def _inked_columns(line: Pixels) -> np.ndarray:
    """Which columns hold strokes: pixels that differ from the line's background, which most pixels are."""
    grey = line.mean(axis=2)
    # The first and last rows may belong to neighbouring lines.
    margin = len(grey) // 8
    difference = np.abs(grey[margin : len(grey) - margin] - np.median(grey)).max(axis=0)
    return np.asarray(difference > max(_MIN_CONTRAST, _CONTRAST * float(difference.max())))
