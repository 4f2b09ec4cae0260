"""Indexes numbers, dates and times on the pages by meaning rather than by notation."""

import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from docsieve.analysis.proof.grounding.words import WordIndex
from docsieve.values.amounts import find_amounts, parse_amount
from docsieve.values.dates import day_order, read_dates
from docsieve.values.numbers import DecimalMark, find_numbers, plain
from docsieve.values.percentages import find_percentages
from docsieve.values.times import find_times

_COUNTED = re.compile(r"(?<![\w.,])(\d{1,6})(?=[xX×]\b)|(?<=[xX×@#])(\d{1,6}(?:[.,]\d{1,4})?)(?![\w.,]|\.\d)")
_THREE_DIGITS_AFTER_A_MARK = re.compile(r"\d[.,]\d{3}(?!\d)")
_MARKS: tuple[DecimalMark, ...] = (".", ",")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Place:
    """Words from `first` to `last`; `start` and `end` are character positions in the first and the last word."""

    first: int
    last: int
    start: int
    end: int
    negative: bool = False
    exact: bool = True


@dataclass(slots=True)
class ValueIndex:
    numbers: dict[str, list[Place]] = field(default_factory=dict)
    dates: dict[date, list[Place]] = field(default_factory=dict)
    times: dict[str, list[Place]] = field(default_factory=dict)


def index_values(index: WordIndex) -> ValueIndex:
    values = ValueIndex()
    texts = [(line, *index.line_text(line)) for line in range(len(index.lines))]
    texts = [each for each in texts if _DIGIT.search(each[1])]
    day_first = day_order(text for _, text, _ in texts)
    for line, text, places in texts:
        first = index.lines[line][0]
        for start, end, value in _numbers(text):
            place = _place(first, places, start, end, negative=value < 0)
            values.numbers.setdefault(plain(abs(value)), []).append(place)
        if len(text) >= 5:
            _add_dates(values, text, first, places, day_first)
            for start, end, time in find_times(text):
                values.times.setdefault(time.isoformat("minutes"), []).append(_place(first, places, start, end))
    return values


def _add_dates(values: ValueIndex, text: str, first: int, places: list[int], day_first: bool | None) -> None:
    for start, end, read in read_dates(text, day_first=day_first):
        values.dates.setdefault(read.value, []).append(_place(first, places, start, end))
        if read.ambiguous:
            for _, _, other in read_dates(text[start:end], day_first=read.order == "mdy"):
                if other.value != read.value:
                    place = _place(first, places, start, end, exact=False)
                    values.dates.setdefault(other.value, []).append(place)


def _numbers(text: str) -> set[tuple[int, int, Decimal]]:
    """All interpretations: a point before three digits may be a separator or not, and 19 % is also 0.19."""
    found = {(start, end, amount.value) for start, end, amount in find_amounts(text)} | set(find_numbers(text))
    if _THREE_DIGITS_AFTER_A_MARK.search(text):
        for mark in _MARKS:
            found |= set(find_numbers(text, decimal=mark))
            found |= {(start, end, each.value) for start, end, each in find_amounts(text, decimal=mark)}
    if "%" in text:
        for start, end, value in find_percentages(text):
            found |= {(start, end, value), (start, end, value / 100)}
    for match in _COUNTED.finditer(text):
        amount = parse_amount(match[0])
        if amount is not None:
            found.add((match.start(), match.end(), amount.value))
    return {each for each in found if not any(_inside(each, other) for other in found)}


def _inside(one: tuple[int, int, Decimal], other: tuple[int, int, Decimal]) -> bool:
    """The same number with its sign or currency."""
    wider = other[0] <= one[0] and one[1] <= other[1] and other[:2] != one[:2]
    return wider and abs(one[2]) == abs(other[2])


def _place(first: int, places: list[int], start: int, end: int, *, negative: bool = False, exact: bool = True) -> Place:
    begin, finish = _word(places, start), _word(places, end - 1)
    return Place(first + begin, first + finish, start - places[begin], end - places[finish], negative, exact)


def _word(places: list[int], character: int) -> int:
    low, high = 0, len(places)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if places[middle] <= character else (low, middle)
    return low
