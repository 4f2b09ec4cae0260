"""Puts lines into reading order and groups them into blocks."""

import math

from docsieve.domain.pages.page import Box, Line, Table
from docsieve.parsers.layout.blocks import number_blocks
from docsieve.parsers.layout.cuts import find_cuts, parts_of
from docsieve.parsers.layout.page import lay_out


def in_reading_order(lines: list[Line], skew: float, height: float) -> tuple[list[Line], list[Table]]:
    """Return the lines cut, ordered and numbered by blocks, and the tables; `skew` levels slanted rows first.

    `skew` is by how many degrees clockwise the page would have to be turned for its rows to be level. `height` is that
    of the page.
    """
    cuts = find_cuts(lines)
    lines = [part for at, line in enumerate(lines) for part in (parts_of(line, cuts[at]) if at in cuts else (line,))]
    boxes = [_leveled(line.box, skew) for line in lines]
    found = lay_out(lines, height, boxes=boxes)
    ordered = [lines[at] for at in found.order]
    number_blocks(ordered, [boxes[at] for at in found.order])
    return ordered, found.tables


def _leveled(box: Box, skew: float) -> Box:
    """The box about the same middle after turning the page; its height is that of the text, not of the slanted box."""
    angle = math.radians(skew)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    across, down = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
    width, height = box[2] - box[0], box[3] - box[1]
    height = max(height - width * abs(math.tan(angle)), min(height, width) / 4)
    return across - width / 2, down - height / 2, across + width / 2, down + height / 2
