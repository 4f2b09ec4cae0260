"""Columns of running text, which are read one after another, unlike the columns of a table or a receipt."""

from statistics import median

from docsieve.domain.pages.page import Box, Line

Placed = tuple[Box, Line]

_MIN_LINES = 6
# A line of running text fills its column; text in a table, a form or a receipt does not.
_FILLED = 0.7
_MIN_WIDTH = 0.25
_MAX_CROSSING = 0.2
_PLACES = 40


def in_columns(lines: list[Placed]) -> list[list[Placed]]:
    """Group the lines into columns to be read one after another; one group unless there are columns of running text."""
    gutter = _gutter(lines)
    if gutter is None:
        return [lines]
    groups: list[list[Placed]] = []
    above = float("-inf")
    crossing = sorted((entry for entry in lines if _crosses(entry[0], gutter)), key=lambda entry: entry[0][1])
    for edge in [*crossing, None]:
        below = _middle(edge[0]) if edge else float("inf")
        band = [entry for entry in lines if not _crosses(entry[0], gutter) and above <= _middle(entry[0]) < below]
        left, right = ([entry for entry in band if (entry[0][2] <= gutter) == side] for side in (True, False))
        groups += [group for side in (left, right) if side for group in in_columns(side)]
        if edge:
            groups.append([edge])
            above = below
    return groups


def _gutter(lines: list[Placed]) -> float | None:
    """Return where a page of two columns is divided, or None."""
    if len(lines) < 2 * _MIN_LINES:
        return None
    start, end = min(box[0] for box, _ in lines), max(box[2] for box, _ in lines)
    places = [start + (end - start) * step / _PLACES for step in range(1, _PLACES)]
    fewest = min(places, key=lambda place: sum(_crosses(box, place) for box, _ in lines))
    left = [entry for entry in lines if entry[0][2] <= fewest]
    right = [entry for entry in lines if entry[0][0] >= fewest]
    few_cross = len(lines) - len(left) - len(right) <= _MAX_CROSSING * len(lines)
    return fewest if few_cross and all(_is_running(side, end - start) for side in (left, right)) else None


def _is_running(side: list[Placed], page_width: float) -> bool:
    if len(side) < _MIN_LINES:
        return False
    width = max(box[2] for box, _ in side) - min(box[0] for box, _ in side)
    if width < _MIN_WIDTH * page_width:
        return False
    return median(box[2] - box[0] for box, _ in side) >= _FILLED * width or _gutter(side) is not None


def _crosses(box: Box, place: float) -> bool:
    return box[0] < place < box[2]


def _middle(box: Box) -> float:
    return (box[1] + box[3]) / 2
