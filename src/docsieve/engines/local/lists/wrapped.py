"""Cells of several lines: which of them are a name, and which are remarks under it."""

import re
from collections.abc import Sequence
from itertools import pairwise

from docsieve.domain.extraction import Spot
from docsieve.engines.local.lists.groups import Cell, Group
from docsieve.engines.local.vocabulary.targets import Target

_NAMES = frozenset(("name", "item", "product", "article", "title"))
_REMARKED = 2
_FITS = 0.97
_BROKEN = re.compile(r"[\d\W]-$|^-\w")

Entry = dict[int, Cell]


def is_name(target: Target) -> bool:
    return target.name == "item_name" and not _NAMES.isdisjoint(target.words)


def cut_remarks(group: Group, rows: Sequence[Entry]) -> None:
    """Of each text of several lines, keep those that wrapped.

    A line is the last one of a name if the next word would have fitted into the column after it. Other texts have at
    most one such line under them.
    """
    for at, column in enumerate(group.columns):
        cells = [row[at] for row in rows if at in row]
        lines = [each for cell in cells for each in cell.spots]
        if column.target.type not in ("text", "name") or len(lines) == len(cells):
            continue
        edge = max(line.box[2] for line in lines)
        for cell in cells:
            least = 1 if is_name(column.target) else _REMARKED
            kept = cell.spots[:1]
            for before, line in pairwise(cell.spots):
                if len(kept) >= least and not _wraps(before, line, edge):
                    break
                kept.append(line)
            if len(kept) < len(cell.spots) or len(kept) > 1:
                cell.spots, cell.text = kept, _joined(kept)


def _wraps(before: Spot, line: Spot, edge: float) -> bool:
    """Whether a line goes on in the next one: because its first word did not fit, or visibly."""
    first, _, _ = line.text.partition(" ")
    width = (line.box[2] - line.box[0]) / max(len(line.text), 1)
    goes_on = before.text[-1:] in "-,&/(" or line.text[:1].islower() or line.text[:1] in "-)"
    return goes_on or before.box[2] + (len(first) + 1) * width * _FITS > edge


def _joined(lines: Sequence[Spot]) -> str:
    text = lines[0].text
    for line in lines[1:]:
        text += ("" if _BROKEN.search(text[-2:]) or _BROKEN.search(line.text[:2]) else " ") + line.text
    return text
