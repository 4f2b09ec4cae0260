"""Puts the lines of a page into reading order if their order in the file is not."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from statistics import median

from docsieve.domain.pages.page import Line
from docsieve.parsers.pdf.text.words import TextLayer
from docsieve.parsers.tables.cells import around

# Lines are sorted only if their order jumps: a header or footer written last is common and harmless.
_JUMPS = 3
_JUMP_SHARE = 0.15

_WORDS_OF_TWO_COLUMNS = 7
_LINES_OF_TWO_COLUMNS = 8
_GUTTER_SHARE = 0.7
_GUTTER_HEIGHTS = 1.0


def put_in_reading_order(layer: TextLayer, width: float) -> TextLayer:
    """Return the layer itself if its order is sensible; else one with two-column rows split and lines sorted."""
    gutter = _gutter_within_lines(layer.lines)
    if gutter is not None:
        layer = _split(layer, gutter)
    elif not _jumps_about(layer.lines):
        return _with_footer_last(layer)
    else:
        gutter = _gutter_between_lines(layer.lines, width)
    order = _key_by_columns(layer.lines, gutter) if gutter is not None else _key_by_rows(layer.lines)
    places = sorted(range(len(layer.lines)), key=order)
    return TextLayer([layer.lines[place] for place in places], [layer.starts[place] for place in places])


def _jumps_about(lines: Sequence[Line]) -> bool:
    """Whether the text often jumps up within a column, not to the next column."""
    jumps = 0
    left, top, right = 0.0, 0.0, 0.0
    for line in lines:
        x0, y0, x1, y1 = line.box
        if y1 < top and x0 < right and x1 > left:
            jumps += 1
        left, top, right = x0, y0, x1
    return jumps > max(_JUMPS, _JUMP_SHARE * len(lines))


def _with_footer_last(layer: TextLayer) -> TextLayer:
    """Move lines to the end that the file writes first although they are below all others."""
    lines = layer.lines
    first = next((at for at in range(1, len(lines)) if lines[at].box[3] < lines[at - 1].box[1]), None)
    if first is None or max(line.box[3] for line in lines[first:]) > min(line.box[1] for line in lines[:first]):
        return layer
    return TextLayer(lines[first:] + lines[:first], layer.starts[first:] + layer.starts[:first])


def _gutter_within_lines(lines: Sequence[Line]) -> float | None:
    """Return the middle of the gap between two columns that were written across, row by row; None if there is none."""
    long = [line for line in lines if len(line.words) >= _WORDS_OF_TWO_COLUMNS]
    if len(long) < _LINES_OF_TWO_COLUMNS:
        return None
    may_lack = len(long) - max(_GUTTER_SHARE * len(long), _LINES_OF_TWO_COLUMNS)
    gaps: list[tuple[float, float]] = []
    for place, line in enumerate(long):
        gap = _widest_gap(line)
        if gap is not None:
            gaps.append(gap)
        elif place + 1 - len(gaps) > may_lack:
            return None
    middle = median((left + right) / 2 for left, right in gaps)
    through = sum(left < middle < right for left, right in gaps)
    return middle if through >= _GUTTER_SHARE * len(long) else None


def _widest_gap(line: Line) -> tuple[float, float] | None:
    """Return the widest gap between words of a line, if it is wide and both sides are prose."""
    words = line.words
    widest, place, right = (line.box[3] - line.box[1]) * _GUTTER_HEIGHTS, 0, words[0].box[2]
    for index, word in enumerate(words):
        left, _, end, _ = word.box
        if left - right > widest:
            widest, place = left - right, index
        right = end
    if min(place, len(words) - place) < _WORDS_OF_TWO_COLUMNS // 2:
        return None
    return words[place - 1].box[2], words[place].box[0]


def _split(layer: TextLayer, gutter: float) -> TextLayer:
    parts = TextLayer()
    for line, start in zip(layer.lines, layer.starts, strict=True):
        gap = _widest_gap(line) if len(line.words) > 1 else None
        sides = [line.words]
        if gap is not None and gap[0] < gutter < gap[1]:
            sides = [[word for word in line.words if (word.box[0] < gutter) == first] for first in (True, False)]
        for words in sides:
            parts.lines.append(Line(" ".join(word.text for word in words), around([word.box for word in words]), words))
            parts.starts.append(start)
    return parts


def _gutter_between_lines(lines: Sequence[Line], width: float) -> float | None:
    """Return a position near the middle that few lines cross while many end before it and begin after it."""
    best: tuple[int, float] | None = None
    for step in range(35, 66, 2):
        place = width * step / 100
        left = sum(line.box[2] <= place for line in lines)
        right = sum(line.box[0] >= place for line in lines)
        crossing = len(lines) - left - right
        if min(left, right) * 4 > len(lines) and crossing * 6 < len(lines) and (best is None or crossing < best[0]):
            best = crossing, place
    return best[1] if best else None


def _key_by_rows(lines: Sequence[Line]) -> Callable[[int], tuple[float, float]]:
    """Sort from top to bottom, and from left to right where lines are side by side."""
    places = sorted(range(len(lines)), key=lambda place: lines[place].box[1] + lines[place].box[3])
    rows: dict[int, float] = {}
    bottom, row = -1.0, 0.0
    for place in places:
        _, top, _, low = lines[place].box
        if (top + low) / 2 > bottom:
            bottom, row = low, top
        rows[place] = row
    return lambda place: (rows[place], lines[place].box[0])


def _key_by_columns(lines: Sequence[Line], gutter: float) -> Callable[[int], tuple[int, int, float, float]]:
    """Lines across both columns cut the page into bands; each band is read column by column."""
    across = sorted(line.box[1] for line in lines if line.box[0] < gutter < line.box[2])

    def key(place: int) -> tuple[int, int, float, float]:
        x0, y0, x1, _ = lines[place].box
        band = bisect_right(across, y0)
        column = 0 if x0 < gutter < x1 else 1 if x1 <= gutter else 2
        return band, column, y0, x0

    return key
