"""Numbers the blocks of lines that are in reading order, by the gaps between their rows."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docsieve.domain.pages.page import Box, Line
from docsieve.parsers.layout.order import in_row

# A row begins a block when it is farther below the one before than the first share of the typical height, and than the
# second of the typical gap, for a letter may be double-spaced; a gap of two heights is wide in any.
_BLOCK_GAP, _WIDER_THAN_USUAL, _WIDE_ANYWHERE = 0.8, 1.6, 2.0


def number_blocks(lines: Sequence[Line], boxes: Sequence[Box]) -> None:
    """`boxes` are those of the lines on a leveled page."""
    if not lines:
        return
    rows: list[list[int]] = []
    for at, box in enumerate(boxes):
        if rows and in_row(box, boxes[rows[-1][-1]]) and lines[at].role == lines[at - 1].role:
            rows[-1].append(at)
        else:
            rows.append([at])
    tops = [min([boxes[at][1] for at in row]) for row in rows]
    bottoms = [max([boxes[at][3] for at in row]) for row in rows]
    typical = median([box[3] - box[1] for box in boxes])
    widest = _widest_gap_inside(tops, bottoms, typical)
    block = 0
    for number, row in enumerate(rows):
        if number:
            gap = tops[number] - bottoms[number - 1]
            # A row above the previous one is the first of the next column.
            above = tops[number] < bottoms[number - 1] - 2 * typical
            if gap > widest or above or lines[row[0]].role != lines[row[0] - 1].role:
                block += 1
        for at in row:
            lines[at].block = block


def _widest_gap_inside(tops: Sequence[float], bottoms: Sequence[float], typical: float) -> float:
    gaps = [top - bottom for (_, bottom), (top, _) in pairwise(zip(tops, bottoms, strict=True)) if top > bottom]
    usual = _WIDER_THAN_USUAL * median(gaps) if gaps else 0.0
    return max(_BLOCK_GAP * typical, min(usual, _WIDE_ANYWHERE * typical))
