"""What a page has above and below its text: headers, footnotes and footers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from docsieve.domain.pages.page import Box
from docsieve.parsers.layout.order import Item

_MARK = re.compile(r"(?:\d{1,2}|\*{1,3}|[†‡§]|\[\d{1,2}\]|\(\d{1,2}\)|[¹²³])[.)]?\s+\S|[*†‡¹²³]\w")

# Shares of the page's height.
_HEAD, _FOOT, _NOTES = 0.09, 0.87, 0.6
# In typical heights of a line.
_APART, _WIDER_THAN_USUAL = 1.0, 1.6
_SMALLER, _SMALL, _AS_LARGE = 0.87, 0.93, 1.1
_ROWS_OF_A_HEADER = 3
_LINES_OF_A_PAGE_NUMBER = 2
_RULE_ABOVE = 1.5


@dataclass(slots=True)
class Margins:
    header: list[Item] = field(default_factory=list)
    body: list[Item] = field(default_factory=list)
    notes: list[Item] = field(default_factory=list)
    footer: list[Item] = field(default_factory=list)


def find_margins(items: Sequence[Item], typical: float, height: float, rules: Sequence[Box]) -> Margins:
    by_top = sorted(items, key=lambda item: item.box[1])
    margins = Margins()
    apart = max(_APART * typical, _WIDER_THAN_USUAL * _usual_gap(by_top))
    first = _end_of_header(by_top, typical, height, apart)
    margins.header, rest = by_top[:first], by_top[first:]
    top = _top_of_footer(rest, typical, height, rules, apart)
    margins.footer = [item for item in rest if item.box[1] >= top]
    rest = [item for item in rest if item.box[1] < top]
    marked = _notes(rest, height)
    margins.notes = [item for item in rest if id(item) in marked]
    margins.body = [item for item in rest if id(item) not in marked]
    return margins


def _usual_gap(by_top: Sequence[Item]) -> float:
    """The gap between rows; that of a widely spaced table sets nothing apart."""
    bottom, gaps = by_top[0].box[3], [0.0]
    for item in by_top:
        if item.box[1] > bottom:
            gaps.append(item.box[1] - bottom)
        bottom = max(bottom, item.box[3])
    return median(gaps)


def _end_of_header(by_top: Sequence[Item], typical: float, height: float, apart: float) -> int:
    """How many items are apart at the top of the page, in type that is not larger than the text's."""
    bottom, rows = 0.0, 0
    for at, item in enumerate(by_top):
        if at and item.box[1] > bottom - 0.3 * typical:
            if item.box[1] - bottom >= apart:
                return at
            rows += 1
        if item.text is None or item.box[3] > _HEAD * height or _size(item) > _AS_LARGE * typical:
            return 0
        if rows >= _ROWS_OF_A_HEADER:
            return 0
        bottom = max(bottom, item.box[3])
    return 0


def _top_of_footer(by_top: Sequence[Item], typical: float, height: float, rules: Sequence[Box], apart: float) -> float:
    """The top of what is apart at the bottom of the page, in small type, under a rule, or in very few lines."""
    nowhere = height + 1.0
    low = [item for item in by_top if item.box[1] >= _FOOT * height and item.text is not None]
    if not low or len(low) == len(by_top):
        return nowhere
    bottom = max(item.box[3] for item in by_top if item.box[1] < low[0].box[1] or item.text is None)
    found = nowhere
    for at, item in enumerate(low):
        top = item.box[1]
        if top - bottom >= apart:
            rest = low[at:]
            small = median(map(_size, rest)) <= _SMALL * typical
            if small or len(rest) <= _LINES_OF_A_PAGE_NUMBER or _is_ruled(rules, bottom, top):
                found = top
                break
        bottom = max(bottom, item.box[3])
    return found


def _is_ruled(rules: Sequence[Box], top: float, bottom: float) -> bool:
    return any(x1 - x0 > 30 and y1 - y0 < 3 and top - _RULE_ABOVE <= y0 <= bottom for x0, y0, x1, y1 in rules)


def _notes(items: Sequence[Item], height: float) -> set[int]:
    """The footnotes among items from top to bottom: small print after a mark, with nothing else below it."""
    low = [item for item in items if item.box[1] > _NOTES * height]
    marks = [item for item in low if item.text is not None and _MARK.match(item.text)]
    if not marks or len(items) < 2:
        return set()
    body = median(_size(item) for item in items if item.text is not None)
    found: set[int] = set()
    for mark in marks:
        if id(mark) in found or _size(mark) > _SMALLER * body:
            continue
        under = [item for item in low if item.box[1] >= mark.box[1] - 1 and _overlap(item.box, mark.box)]
        if all(item.text is not None and _size(item) <= _SMALLER * body for item in under):
            found.update(map(id, under))
    return found


def _overlap(box: Box, other: Box) -> bool:
    return min(box[2], other[2]) > max(box[0], other[0])


def _size(item: Item) -> float:
    return item.box[3] - item.box[1]
