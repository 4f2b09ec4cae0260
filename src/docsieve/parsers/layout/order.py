"""The order in which people read the lines of a page, from where they are.

The page is cut into bands from top to bottom: rows of text that are divided by the same white channels. Where the
parts of a band are columns, they are read one after the other, and each is cut into bands again. Where they are cells,
or labels and their values, the band is read row by row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docsieve.domain.pages.page import Box

# Shares of a line's height.
_SHRUNK, _SAME_ROW = 0.2, 0.5
# In typical heights of a line.
_CHANNEL, _NEXT_LINE, _NEXT_BLOCK = 0.5, 1.6, 3.0

_FILLED = 0.85
_MAX_DEPTH = 12
_MAX_LABEL_DIGITS, _MAX_LABEL_WORDS = 2, 5
_LABELS = 0.75
_ALIGNED = 0.6
_LINES_OF_PROSE, _WORDS_OF_PROSE, _WIDTH_OF_PROSE = 3, 3.5, 0.6
_LINES_AROUND_A_GUTTER, _MAX_CROSSING = 6, 0.2

Spans = list[tuple[float, float]]


@dataclass(slots=True, eq=False)
class Item:
    """A line, or a table with its lines in their order; `places` are those of the lines in the file."""

    box: Box
    places: list[int]
    text: str | None = None
    """None for a table."""


@dataclass(slots=True)
class _Strip:
    """Items that overlap in height with one another."""

    items: list[Item]
    top: float
    bottom: float
    spans: Spans


@dataclass(frozen=True, slots=True)
class _Part:
    """A column of a band, or labels and the column of their values."""

    items: list[Item]
    has_labels: bool


@dataclass(frozen=True, slots=True)
class Order:
    """`height` is that of a typical line; `leftward` whether most text runs from right to left."""

    height: float
    leftward: bool = False

    def ordered(self, items: Sequence[Item], *, in_blocks: bool = False, depth: int = 0) -> list[Item]:
        """`in_blocks` reads neighbors block by block, unless they are labels and values."""
        if len(items) < 2:
            return list(items)
        found: list[Item] = []
        for band in self._bands(items):
            if len(band.items) == 1:
                found += band.items
                continue
            groups = self._groups(band, in_blocks=in_blocks) if depth < _MAX_DEPTH else [band.items]
            if len(groups) == 1:
                found += self._by_rows(band.items)
            else:
                for group in groups:
                    found += self.ordered(group, in_blocks=in_blocks, depth=depth + 1)
        return found

    def _bands(self, items: Sequence[Item]) -> list[_Strip]:
        bands: list[_Strip] = []
        for strip in self._strips(items):
            band = bands[-1] if bands else None
            spans = self._spans_together(band, strip) if band is not None else None
            if band is None or spans is None:
                bands.append(strip)
            else:
                band.items += strip.items
                band.bottom = max(band.bottom, strip.bottom)
                band.spans = spans
        return bands

    def _strips(self, items: Sequence[Item]) -> list[_Strip]:
        strips: list[_Strip] = []
        shrunk = sorted([(*_shrunk(item.box), at, item) for at, item in enumerate(items)])
        for top, bottom, _, item in shrunk:
            if strips and top < strips[-1].bottom:
                strip = strips[-1]
                strip.items.append(item)
                strip.bottom = max(strip.bottom, bottom)
            else:
                strips.append(_Strip([item], top, bottom, []))
        for strip in strips:
            strip.spans = self._merged([(item.box[0], item.box[2]) for item in strip.items])
        return strips

    def _merged(self, spans: Spans) -> Spans:
        """Intervals without those gaps that are too narrow to divide columns."""
        if len(spans) == 1:
            return spans
        least = _CHANNEL * self.height
        ordered = sorted(spans)
        merged = [ordered[0]]
        for left, right in ordered[1:]:
            if left - merged[-1][1] < least:
                merged[-1] = merged[-1][0], max(merged[-1][1], right)
            else:
                merged.append((left, right))
        return merged

    def _spans_together(self, band: _Strip, strip: _Strip) -> Spans | None:
        """The columns between the channels of a band, and the strip below it; None if the strip begins another band."""
        gap = strip.top - band.bottom
        if gap > _NEXT_BLOCK * self.height or len(band.spans) == len(strip.spans) == 1:
            return None
        together = self._merged(band.spans + strip.spans)
        if len(together) < 2:
            return None
        is_near = gap <= _NEXT_LINE * self.height
        if len(band.spans) == 1:
            # a column that begins above its neighbor
            return together if is_near and len(together) == len(strip.spans) else None
        if len(strip.spans) > 1 or is_near:
            return together
        (left, right) = strip.spans[0]
        column = next((span for span in band.spans if span[0] - self.height <= left < span[1]), None)
        fills = column is not None and right - column[0] >= _FILLED * (column[1] - column[0])
        return together if fills else None

    def _groups(self, band: _Strip, *, in_blocks: bool) -> list[list[Item]]:
        """The columns of a band in their order; one group if it is to be read row by row."""
        spans = band.spans
        if len(spans) < 2:
            return [band.items]
        parts: list[list[Item]] = [[] for _ in spans]
        for item in band.items:
            middle = (item.box[0] + item.box[2]) / 2
            parts[next(at for at, span in enumerate(spans) if middle <= span[1])].append(item)
        groups = _with_values(parts, in_blocks=in_blocks)
        joined = [groups[0]]
        for before, part in pairwise(groups):
            if are_columns(before, part, in_blocks=in_blocks):
                joined.append(part)
            else:
                joined[-1] = _Part(joined[-1].items + part.items, part.has_labels)
        found = [part.items for part in joined]
        return found[::-1] if self.leftward else found

    def _by_rows(self, items: list[Item]) -> list[Item]:
        rows: list[list[Item]] = []
        for item in sorted(items, key=lambda item: item.box[1] + item.box[3]):
            if rows and in_row(item.box, rows[-1][-1].box):
                rows[-1].append(item)
            else:
                rows.append([item])
        sign = -1 if self.leftward else 1
        return [item for row in rows for item in sorted(row, key=lambda item: sign * item.box[0])]


def _with_values(parts: Sequence[list[Item]], *, in_blocks: bool) -> list[_Part]:
    """The parts of a band from the left, each of labels together with that of their values."""
    found: list[_Part] = []
    at = 0
    while at < len(parts):
        has_labels = at + 1 < len(parts) and _are_pairs(parts[at], parts[at + 1], by_colon=in_blocks)
        found.append(_Part(parts[at] + parts[at + 1] if has_labels else parts[at], has_labels))
        at += 2 if has_labels else 1
    return found


def are_columns(one: _Part, other: _Part, *, in_blocks: bool) -> bool:
    """Whether neighbors are read one after the other, not row by row."""
    left, right = one.items, other.items
    fewer = min(len(left), len(right))
    if max(len(left), len(right)) < 2:
        return False
    if fewer > 2 and one.has_labels != other.has_labels:
        return True
    if _is_prose(left) and _is_prose(right):
        return True
    matched = [item for item in left if _next_to(item, right) is not None]
    if fewer == 1:
        return not matched or in_blocks
    if len(matched) < _ALIGNED * fewer or in_blocks:
        return True
    # A file that writes one side before the other says so.
    first, second = ([item.places[0] for item in side] for side in (left, right))
    return max(first) < min(second) or max(second) < min(first)


def _next_to(item: Item, others: Sequence[Item]) -> Item | None:
    box = item.box
    top, bottom = box[1], box[3]
    for other in others:
        if other.box[1] < bottom and other.box[3] > top and in_row(box, other.box):
            return other
    return None


def _are_pairs(left: Sequence[Item], right: Sequence[Item], *, by_colon: bool) -> bool:
    """Whether most items at the left are labels of their neighbors."""
    if sum(map(_is_label, left)) * 2 < len(left):
        return False
    matched = [(item, other) for item in left if (other := _next_to(item, right)) is not None]
    if len(matched) < _LABELS * min(len(left), len(right)) or not matched:
        return False
    labels = [label for label, _ in matched if _is_label(label)]
    if len(labels) < _LABELS * len(matched):
        return False
    if sum((label.text or "").endswith(":") for label in labels) * 2 > len(matched):
        return True
    if by_colon:
        return False
    numbers = sum(any(map(str.isdigit, value.text or "")) for _, value in matched)
    return len(matched) > _LABELS * len(right) and numbers * 2 > len(matched)


def _is_label(item: Item) -> bool:
    text = item.text
    if text is None:
        return False
    return sum(map(str.isdigit, text)) <= _MAX_LABEL_DIGITS and text.count(" ") < _MAX_LABEL_WORDS


def _is_prose(items: Sequence[Item]) -> bool:
    lines = [item for item in items if item.text is not None]
    if len(lines) < _LINES_OF_PROSE:
        return False
    width = max(item.box[2] for item in lines) - min(item.box[0] for item in lines)
    words = sum((item.text or "").count(" ") + 1 for item in lines) / len(lines)
    return words >= _WORDS_OF_PROSE and median(item.box[2] - item.box[0] for item in lines) >= _WIDTH_OF_PROSE * width


def _shrunk(box: Box) -> tuple[float, float]:
    margin = _SHRUNK * min(box[3] - box[1], box[2] - box[0])
    return box[1] + margin, box[3] - margin


def in_row(box: Box, before: Box) -> bool:
    """Whether two lines are at one height."""
    apart = abs((box[1] + box[3]) - (before[1] + before[3])) / 2
    return apart < _SAME_ROW * min(box[3] - box[1], before[3] - before[1])
