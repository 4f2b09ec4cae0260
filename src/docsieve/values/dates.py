"""Dates as documents write them.

Where day and month are ambiguous, the caller's `day_first` decides. `day_order` derives it from the document's
unambiguous dates. Without any, the day comes first, as in most of the world.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from docsieve.values.months import month_number
from docsieve.values.numbers import spelled_number

Order = Literal["dmy", "mdy", "ymd"]

MAX_LENGTH = 20_000
_FIRST_YEAR, _LAST_YEAR = 1800, 2199
_PIVOT = 50  # Years of two digits below this are in this century.

_YEAR_END = r"(?!\d)|(?=\d{1,2}:\d\d)"  # Receipts print the time right after the date.
# A dash after other marks ends the date: a range begins there, or with a year of four digits whatever follows it.
_DATE_END = r"(?:(?=-\d{1,4}(?!-)(?P=mark)\d{1,2}(?P=mark)\d)|(?<=[./]\d{4})(?=-)|(?!\.\d|[,/\-]?\d*[/\-]\d))"
_NUMERIC = re.compile(
    r"(?<![\d.,/])(?P<a>\d{1,4})\s?(?P<mark>[./\-])\s?(?P<b>\d{1,2})\s?(?P=mark)\s?"
    rf"'?(?P<c>\d{{4}}(?:{_YEAR_END})|\d{{1,2}}(?!\d)){_DATE_END}"
)
_SPACED = re.compile(r"(?<![\d.,/])(?P<a>\d{1,2}) (?P<b>\d{1,2}) (?P<c>(?:19|20)\d{2})(?!\d)")
_CJK = re.compile(r"(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일]?")
_WORD = r"[^\W\d_]{3,12}"
_DAY_MONTH = re.compile(
    rf"(?<!\d)(?P<d>\d{{1,2}})(?:\s?(?:st|nd|rd|th)|er|º|ª|\.)?[\s\-/.,]{{0,2}}(?:(?:days?\s)?(?:of|de|di)\s)?(?P<m>{_WORD})"
    rf"[\s\-/.,']{{0,3}}(?:(?:de|del)\s)?'?(?P<y>\d{{4}}(?:{_YEAR_END})|\d{{2}}(?!\d))",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    rf"(?<![^\W_])(?P<m>{_WORD})[\s\-/.]{{0,2}}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[\s\-/.,']{{1,3}}"
    rf"(?P<y>\d{{4}}(?:{_YEAR_END})|\d{{2}}(?![\d:.,]))",
    re.IGNORECASE,
)
_YEAR_MONTH_DAY = re.compile(
    rf"(?<!\d)(?P<y>(?:19|20)\d{{2}})[\s\-/.,]{{1,2}}(?P<m>{_WORD})[\s\-/.,]{{1,2}}(?P<d>\d{{1,2}})(?!\d)"
)
_SPELLED_DAY = re.compile(
    rf"(?<![^\W_])(?P<d>(?:twenty[\s-]|thirty[\s-])?[a-z]{{2,9}}(?:st|nd|rd|th|first|second|third))\s(?:day\s)?of\s"
    rf"(?P<m>{_WORD}),?\s(?P<y>\d{{4}})(?!\d)",
    re.IGNORECASE,
)
_COMPACT = re.compile(r"\s*(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})\s*")
_AROUND = re.compile(
    r"(?:\b(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom)"
    r"[a-zé]{0,7}\b\.?|\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\.\d{1,6})?\s?(?:[ap]\.?m\b\.?|uhr\b)?"
    r"|\bt(?=\d)|z\b|[+\-]\d\d:?\d\d\b|\bat\b|\bum\b|\bthe\b|[\s,;:.()\[\]|\-])*",
    re.IGNORECASE,
)
_THREE_DIGITS = re.compile(r"\d\D*\d\D*\d")
_DASHES = str.maketrans("‐‑‒–—−", "------")
_SLIPS = str.maketrans("OoIl|", "00111")
_US_PLACE = re.compile(
    r"\b(?:A[KLRZ]|C[AOT]|DC|FL|GA|HI|I[ADLN]|K[SY]|LA|"
    r"M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]),? \d{5}(?:-\d{4})?\b"
)


@dataclass(frozen=True, slots=True)
class DateRead:
    """`order` is the order of day, month and year; None if the name of a month makes it clear."""

    value: date
    text: str
    order: Order | None
    ambiguous: bool = False


def parse_date(text: str, *, day_first: bool | None = None) -> date | None:
    """Parse a text that is a date, possibly with a weekday or a time of day; None for any other text."""
    if len(text) > 100:
        return None
    text = text.translate(_DASHES)
    if compact := _COMPACT.fullmatch(text):
        return _date(compact["y"], compact["m"], compact["d"])
    found = _whole(text, day_first)
    if found is None and sum(each.isdigit() for each in text) >= 4:
        found = _whole(text.translate(_SLIPS), day_first)
    return found


def find_dates(text: str, *, day_first: bool | None = None) -> list[tuple[int, int, date]]:
    return [(start, end, read.value) for start, end, read in read_dates(text, day_first=day_first)]


def read_dates(text: str, *, day_first: bool | None = None) -> list[tuple[int, int, DateRead]]:
    """Find all dates with their positions, without overlaps, in reading order."""
    if len(text) < 6:
        return []
    text = text[:MAX_LENGTH].translate(_DASHES)
    found: list[tuple[int, int, DateRead]] = []
    for start, end, read in sorted(_readings(text, day_first), key=lambda each: (each[0], -each[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end, read))
    return found


def day_order(texts: Iterable[str]) -> bool | None:
    """Whether the day comes before the month, derived from unambiguous dates.

    Without any, addresses in the United States mean that the month comes first. None without evidence.
    """
    votes = states = 0
    for text in texts:
        for _, _, read in read_dates(text):
            if not read.ambiguous and read.order in ("dmy", "mdy"):
                votes += 1 if read.order == "dmy" else -1
        states += bool(_US_PLACE.search(text[:MAX_LENGTH]))
    if votes:
        return votes > 0
    return False if states else None


def _whole(text: str, day_first: bool | None) -> date | None:
    found = read_dates(text, day_first=day_first)
    if len(found) != 1:
        return None
    start, end, read = found[0]
    alone = _AROUND.fullmatch(text[:start]) and _AROUND.fullmatch(text[end:])
    return read.value if alone else None


def _readings(text: str, day_first: bool | None) -> Iterator[tuple[int, int, DateRead]]:
    if _THREE_DIGITS.search(text) is None:
        return
    for pattern in (_NUMERIC, _SPACED):
        for match in pattern.finditer(text):
            if (read := _numeric(match, day_first)) is not None:
                yield match.start(), match.end(), read
    named: tuple[tuple[re.Pattern[str], Order | None], ...] = (
        (_CJK, "ymd"),
        (_DAY_MONTH, None),
        (_MONTH_DAY, None),
        (_YEAR_MONTH_DAY, "ymd"),
        (_SPELLED_DAY, None),
    )
    for pattern, order in named:
        for match in pattern.finditer(text):
            month = match["m"] if pattern is _CJK else str(month_number(match["m"]) or "")
            day = str(spelled_number(match["d"]) or 0) if pattern is _SPELLED_DAY else match["d"]
            value = _date(match["y"], month, day) if month else None
            if value is not None:
                yield match.start(), match.end(), DateRead(value, match[0], order)


def _numeric(match: re.Match[str], day_first: bool | None) -> DateRead | None:
    first, second, third = match["a"], match["b"], match["c"]
    if len(first) == 3:
        return None
    if len(first) == 4:
        value = _date(first, second, third) if len(third) <= 2 else None
        return DateRead(value, match[0], "ymd") if value is not None else None
    if len(third) == 1:
        return None
    by_day, by_month = _date(third, second, first), _date(third, first, second)
    if by_day is not None and by_month is not None:
        chosen = by_month if day_first is False else by_day
        return DateRead(chosen, match[0], "mdy" if day_first is False else "dmy", ambiguous=by_day != by_month)
    if by_day is not None:
        return DateRead(by_day, match[0], "dmy")
    if by_month is not None:
        return DateRead(by_month, match[0], "mdy")
    by_year = _date(first, second, third) if len(third) == 2 else None
    return DateRead(by_year, match[0], "ymd") if by_year is not None else None


def _date(year: str, month: str, day: str) -> date | None:
    full = int(year)
    if len(year) <= 2:
        full += 2000 if full < _PIVOT else 1900
    if not _FIRST_YEAR <= full <= _LAST_YEAR:
        return None
    try:
        return date(full, int(month), int(day))
    except ValueError:
        return None
