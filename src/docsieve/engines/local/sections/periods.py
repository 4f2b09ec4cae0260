"""Moments and periods as lists have them: `03/2019`, `March 2019 – present`, `2016 to 2018`, `since 2020`."""

import re
from dataclasses import dataclass

from docsieve.engines.local.vocabulary.canon import folded
from docsieve.values.months import month_number

_YEAR = r"(?:19|20)\d{2}"
_MOMENT = re.compile(
    rf"(?<![\w/.,])(?<![^\d\s]-)(?:(?:\d{{1,2}}[./-]){{1,2}}{_YEAR}|{_YEAR}[/.-]\d{{1,2}}(?:[/.-]\d{{1,2}})?"
    rf"|(?:\d{{1,2}}\.?\s)?(?P<month>[^\W\d_]{{3,10}})\.?,?\s(?:(?:\d{{1,2}},|de|del)\s)?'?{_YEAR}|{_YEAR})(?![\w/]|\.\d|-\d{{1,2}}(?![\d./]))"
)
_SEASONS_TEXT = (
    "spring summer fall autumn winter sommer herbst fruhjahr wintersemester sommersemester ete automne hiver printemps"
)
_SEASONS = frozenset(_SEASONS_TEXT.split())
_NOW = (
    r"present|current|currently|now|today|ongoing|to date|heute|aktuell|jetzt|laufend|aujourd[’']hui|présent|en cours"
    r"|ce jour|actualidad|la actualidad|presente|actual|actualmente|hoy|atual|atualmente|hoje"
    r"|o momento|oggi|attuale|heden|nu"
)
_TO = re.compile(
    rf"\s*(?:-|–|—|/|to|until|through|bis|au|à|a|até|ate|hasta|al|ad|tot)\s*(?:(?P<now>{_NOW})(?![^\W_]))?", re.I
)
_FROM = re.compile(r"(?:since|from|seit|ab|depuis|desde|dal|sinds|vanaf)\s+$", re.I)
_MAX_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Period:
    """Where its parts are in a line; `end` is None for a single moment that began it or on which it ended."""

    start: tuple[int, int] | None
    end: tuple[int, int] | None
    whole: tuple[int, int]
    is_open: bool = False
    """Whether it lasts until now."""


def find_period(text: str) -> Period | None:
    """The first period of a line, or its first moment: without a word like `since`, that is when something ended."""
    text = text[:_MAX_LENGTH]
    moments = _moments(text)
    for at, (start, end) in enumerate(moments):
        joint = _TO.match(text, end)
        if joint is not None and joint["now"]:
            return Period((start, end), joint.span("now"), (start, joint.end()), is_open=True)
        if joint is not None and at + 1 < len(moments) and joint.end() == moments[at + 1][0]:
            return Period((start, end), moments[at + 1], (start, moments[at + 1][1]))
    if not moments:
        return None
    start, end = moments[0]
    if (since := _FROM.search(text[:start])) is not None:
        return Period((start, end), None, (since.start(), end), is_open=True)
    return Period(None, (start, end), (start, end))


def _moments(text: str) -> list[tuple[int, int]]:
    found = []
    for match in _MOMENT.finditer(text):
        word = match["month"]
        if word is None or month_number(word.rstrip(".")) or folded(word) in _SEASONS:
            found.append(match.span())
        else:
            found.append((match.end() - 4, match.end()))
    return found
