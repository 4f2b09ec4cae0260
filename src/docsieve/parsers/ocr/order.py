"""Puts lines into reading order and groups them into blocks."""

import math
from itertools import pairwise
from statistics import median

from docsieve.domain.pages.page import Box, Line
from docsieve.parsers.ocr.columns import Placed, in_columns

# Lines whose centers are closer than this share of their height are in one row.
_SAME_ROW = 0.5
# A row begins a block when it is farther below the one before than the first share of the typical height, and than the
# second of the typical gap, for a letter may be double-spaced; a gap of two heights is wide in any.
_BLOCK_GAP, _WIDER_THAN_USUAL, _WIDE_ANYWHERE = 0.8, 1.6, 2.0


def in_reading_order(lines: list[Line], skew: float) -> list[Line]:
    """Rows from top to bottom, each from left to right, numbered by blocks; `skew` levels slanted rows first.

    `skew` is by how many degrees clockwise the page would have to be turned for its rows to be level.
    """
    if not lines:
        return []
    leveled = [(_leveled(line.box, skew), line) for line in lines]
    rows = [row for column in in_columns(leveled) for row in _rows(column)]
    typical = median(box[3] - box[1] for row in rows for box, _ in row)
    widest = _widest_gap_inside(rows, typical)
    block, bottom = 0, None
    ordered = []
    for row in rows:
        top = _top(row)
        # A row above the previous one is the first of the next column.
        if bottom is not None and (top - bottom > widest or top < bottom - 2 * typical):
            block += 1
        bottom = _bottom(row)
        for _, line in row:
            line.block = block
            ordered.append(line)
    return ordered


def _widest_gap_inside(rows: list[list[Placed]], typical: float) -> float:
    gaps = [gap for before, after in pairwise(rows) if (gap := _top(after) - _bottom(before)) > 0]
    usual = _WIDER_THAN_USUAL * median(gaps) if gaps else 0.0
    return max(_BLOCK_GAP * typical, min(usual, _WIDE_ANYWHERE * typical))


def _top(row: list[Placed]) -> float:
    return min(box[1] for box, _ in row)


def _bottom(row: list[Placed]) -> float:
    return max(box[3] for box, _ in row)


def _leveled(box: Box, skew: float) -> Box:
    """The box about the same middle after turning the page; its height is that of the text, not of the slanted box."""
    angle = math.radians(skew)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    across, down = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
    width, height = box[2] - box[0], box[3] - box[1]
    height = max(height - width * abs(math.tan(angle)), min(height, width) / 4)
    return across - width / 2, down - height / 2, across + width / 2, down + height / 2


def _rows(lines: list[Placed]) -> list[list[Placed]]:
    rows: list[list[Placed]] = []
    for entry in sorted(lines, key=lambda entry: entry[0][1] + entry[0][3]):
        row = rows[-1] if rows else None
        if row is not None and _in_row(entry[0], row[-1][0]):
            row.append(entry)
        else:
            rows.append([entry])
    return [sorted(row, key=lambda entry: entry[0][0]) for row in rows]


def _in_row(box: Box, before: Box) -> bool:
    apart = abs((box[1] + box[3]) - (before[1] + before[3])) / 2
    return apart < _SAME_ROW * min(box[3] - box[1], before[3] - before[1])
