"""Assigns occurrences to the items of an array, assuming that items are rows in order."""

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import median

from docsieve.analysis.proof.grounding.matches import Match
from docsieve.analysis.proof.grounding.words import WordIndex, middle_x

_AHEAD, _BEHIND = 24, 8
_NEIGHBORS = ((0, 1.0), (-1, 0.5), (1, 0.5), (-2, 0.25), (2, 0.25))
_BAND = 4
_FAR_AWAY = 0.85


@dataclass(slots=True)
class Item:
    """`matches` by field pattern, for fields with a value; `fixed` are already known."""

    matches: dict[str, list[Match]] = field(default_factory=dict)
    fixed: dict[str, Match] = field(default_factory=dict)


class RowAligner:
    """Assigns the items of one array. Each lookup reads a few matches around a cursor, never all of them."""

    def __init__(self, index: WordIndex) -> None:
        self._index = index
        self._sorted: dict[int, tuple[list[int], list[Match]]] = {}
        self._used: set[int] = set()

    def align(self, items: list[Item]) -> list[dict[str, Match]]:
        """The chosen matches of each item, by field."""
        rows = self._rows(items)
        columns = self._columns(items, rows)
        return [self._choose(item, row, columns) for item, row in zip(items, rows, strict=True)]

    def _rows(self, items: list[Item]) -> list[int | None]:
        rows: list[int | None] = []
        cursor = 0
        for item in items:
            row = self._row(item, cursor)
            rows.append(row)
            if row is not None:
                cursor = row + 1 if len(item.matches) + len(item.fixed) > 1 else row
        return rows

    def _row(self, item: Item, cursor: int) -> int | None:
        votes: dict[int, dict[str, float]] = {}
        for name, match in item.fixed.items():
            votes.setdefault(self._row_of(match), {})[name] = 2.0
        for name, matches in item.matches.items():
            numbers, ordered = self._by_row(matches)
            start = bisect_left(numbers, cursor)
            weight = 1.0 if len(ordered) == 1 else 0.8 if len(ordered) <= 5 else 0.5
            near = range(start, min(start + _AHEAD, len(ordered))) or range(max(start - _BEHIND, 0), start)
            for each in near:
                said = votes.setdefault(numbers[each], {})
                said[name] = max(said.get(name, 0.0), weight * ordered[each].score)
        if not votes:
            return None
        return max(votes, key=lambda row: (self._support(votes, row) - _distance(row, cursor), -row))

    def _support(self, votes: Mapping[int, Mapping[str, float]], row: int) -> float:
        best: dict[str, float] = {}
        for shift, share in _NEIGHBORS:
            for name, vote in votes.get(row + shift, {}).items():
                best[name] = max(best.get(name, 0.0), share * vote)
        return sum(best.values())

    def _columns(self, items: list[Item], rows: list[int | None]) -> dict[str, float]:
        """The horizontal position of each field, based on rows with only one candidate."""
        seen: dict[str, list[float]] = {}
        for item, row in zip(items, rows, strict=True):
            for name, match in item.fixed.items():
                seen.setdefault(name, []).append(self._x(match))
            for name, matches in item.matches.items() if row is not None else ():
                there = self._in_band(matches, row or 0, 0)
                if len(there) == 1:
                    seen.setdefault(name, []).append(self._x(there[0]))
        return {name: median(places) for name, places in seen.items()}

    def _choose(self, item: Item, row: int | None, columns: Mapping[str, float]) -> dict[str, Match]:
        chosen = dict(item.fixed)
        self._used.update(match.words[0] for match in item.fixed.values())
        by_few = sorted(item.matches, key=lambda name: len(self._in_band(item.matches[name], row or 0, 0)))
        for name in by_few:
            matches = item.matches[name]
            if not matches:
                continue
            band = self._in_band(matches, row, _BAND) if row is not None else []
            if band and row is not None:
                match = min(band, key=lambda each: self._cost(each, name, row, columns))
            else:
                nearest = self._nearest(matches, row or 0)
                match = nearest if len(matches) == 1 else replace(nearest, score=nearest.score * _FAR_AWAY)
            chosen[name] = match
            self._used.add(match.words[0])
        return chosen

    def _cost(self, match: Match, name: str, row: int, columns: Mapping[str, float]) -> float:
        page = self._index.pages[self._index.words[match.words[0]].page][1]
        aside = abs(self._x(match) - columns[name]) / max(page.width, 1.0) if name in columns else 0.0
        used = 3.0 if match.words[0] in self._used else 0.0
        return abs(self._row_of(match) - row) + 4.0 * aside + used + 5.0 * (1.0 - match.score)

    def _in_band(self, matches: list[Match], row: int, reach: int) -> list[Match]:
        """Matches at most `reach` rows away, on the same page."""
        if row >= len(self._index.rows):
            return []
        numbers, ordered = self._by_row(matches)
        first, last = bisect_left(numbers, row - reach), bisect_left(numbers, row + reach + 1)
        page = self._index.words[self._index.rows[row][0]].page
        return [each for each in ordered[first:last] if self._index.words[each.words[0]].page == page]

    def _nearest(self, matches: list[Match], row: int) -> Match:
        numbers, ordered = self._by_row(matches)
        place = bisect_left(numbers, row)
        around = ordered[max(place - 1, 0) : place + 1]
        return min(around, key=lambda each: abs(self._row_of(each) - row))

    def _by_row(self, matches: list[Match]) -> tuple[list[int], list[Match]]:
        """Cached by identity, because the matcher returns the same list for the same value."""
        known = self._sorted.get(id(matches))
        if known is None:
            ordered = sorted(matches, key=lambda each: (self._row_of(each), self._x(each)))
            known = self._sorted[id(matches)] = ([self._row_of(each) for each in ordered], ordered)
        return known

    def _row_of(self, match: Match) -> int:
        return self._index.words[match.words[0]].row

    def _x(self, match: Match) -> float:
        return middle_x(self._index.words[match.words[0]].box)


def _distance(row: int, cursor: int) -> float:
    return 0.04 * math.log2(1 + row - cursor) if row >= cursor else 0.3 + 0.04 * math.log2(1 + cursor - row)
