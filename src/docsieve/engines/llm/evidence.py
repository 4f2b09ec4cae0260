"""How well the text of a part supports a value: whether the value occurs in it, and whether near its label."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import cached_property

from docsieve.domain.schemas.fields import Scalar, SchemaField
from docsieve.values.amounts import find_amounts
from docsieve.values.dates import read_dates
from docsieve.values.numbers import find_numbers

_WORDS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+")
_MAX_PLACES = 50


class PartEvidence:
    """The text of one part, made searchable when it is first asked."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def lines(self) -> list[str]:
        return [_folded(line) for line in self._text.split("\n")]

    @cached_property
    def _joined(self) -> tuple[str, list[int]]:
        starts, place = [], 0
        for line in self.lines:
            starts.append(place)
            place += len(line) + 1
        return " ".join(self.lines), starts

    @cached_property
    def _numbers(self) -> dict[Decimal, list[int]]:
        found: dict[Decimal, list[int]] = {}
        for number, line in enumerate(self._text.split("\n")):
            values = {each for _, _, each in find_numbers(line)} | {each.value for _, _, each in find_amounts(line)}
            for value in values:
                found.setdefault(abs(value), []).append(number)
        return found

    @cached_property
    def _dates(self) -> dict[date, list[int]]:
        found: dict[date, list[int]] = {}
        for number, line in enumerate(self._text.split("\n")):
            for day_first in (True, False):
                for _, _, read in read_dates(line, day_first=day_first):
                    found.setdefault(read.value, []).append(number)
        return found

    @cached_property
    def lines_with_amounts(self) -> int:
        return sum(1 for line in self._text.split("\n") if find_amounts(line))

    def strength(self, value: Scalar, field: SchemaField) -> float:
        """0 if the value is not in the text, 1 if it is, and up to 2 if the words of its label are next to it."""
        places = list(self.places(value, field))[:_MAX_PLACES]
        if not places:
            return 0.0
        labels = _labels(field)
        return 1.0 + max(self._label_share(place, labels) for place in places)

    def places(self, value: Scalar, field: SchemaField) -> Iterator[int]:
        """The numbers of the lines in which the value begins."""
        if value is None or isinstance(value, bool):
            return
        if isinstance(value, int | float):
            yield from self._numbers.get(abs(Decimal(str(value))), ())
            return
        joined, starts = self._joined
        wanted = _folded(value)
        place = joined.find(wanted) if wanted else -1
        while place >= 0:
            yield bisect_right(starts, place) - 1
            place = joined.find(wanted, place + 1)
        if field.format == "date":
            try:
                yield from self._dates.get(date.fromisoformat(value), ())
            except ValueError:
                return

    def _label_share(self, line: int, labels: list[set[str]]) -> float:
        """The share of the label's words that are in the line of a value or in the line above it."""
        here, above = _words(self.lines[line]), _words(self.lines[line - 1]) if line else set()
        return max((max(len(label & here), len(label & above) * 0.9) / len(label) for label in labels), default=0.0)


def _labels(field: SchemaField) -> list[set[str]]:
    said = [field.name, field.title, *field.labels]
    return [words for each in said if (words := _words(each))]


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORDS.findall(text)}


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
