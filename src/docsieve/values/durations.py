"""Lengths of time as documents write them: `two (2) years`, `90 days`, `sechs Wochen`, `2 (dois) anos`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from docsieve.values.numbers import spelled_number

Unit = Literal["day", "working day", "week", "month", "year"]

_UNITS: dict[Unit, str] = {
    "day": "days day tage tagen tag jours jour días dias día dia",
    "working day": "werktage werktagen arbeitstage arbeitstagen bankarbeitstagen",
    "week": "weeks week wochen woche semaines semaine semanas semana",
    "month": "months month monate monaten monat mois meses mes mês",
    "year": "years year jahre jahren jahr années année annees annee ans an años año anos ano",
}
_BY_WORD: dict[str, Unit] = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_MONTHS: dict[Unit, Fraction] = {"month": Fraction(1), "year": Fraction(12)}
_DAYS: dict[Unit, Fraction] = {"day": Fraction(1), "week": Fraction(7)}
_WORD = r"[^\W\d_]+(?:-[^\W\d_]+){0,2}"
_DURATION = re.compile(
    rf"(?<![\w.,/§$€-])(?:(?P<word>{_WORD})\s?[(\[](?P<both>\d{{1,3}})[)\]]|(?P<digits>\d{{1,3}})(?:\s?\({_WORD}\))?"
    rf"|(?P<alone>{_WORD}))(?:\s|-)(?:(?:full|consecutive|calendar|volle|vollen|weitere|weiteren)\s)?"
    rf"(?P<unit>(?P<before>business\s|working\s)?(?P<name>{'|'.join(sorted(_BY_WORD, key=len, reverse=True))})"
    r"(?P<after>\s(?:úteis|uteis|hábiles|ouvrés|ouvrables))?)(?![^\W_])(?!\s+of\s+(?-i:[A-Z]))",
    re.IGNORECASE,
)
_MAX_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class Duration:
    count: int
    unit: Unit
    printed: str = field(default="", compare=False)
    """The unit as the document writes it."""

    def __str__(self) -> str:
        return f"{self.count} {self.unit}{'' if self.count == 1 else 's'}"

    @property
    def text(self) -> str:
        """The number in digits and the unit as printed: `2 years` for `two (2) years`."""
        return f"{self.count} {self.printed}"

    def measured_in(self, unit: Unit) -> Fraction | None:
        """The number of other units; None where that depends on the calendar, as for days of a month."""
        for scale in (_MONTHS, _DAYS):
            if self.unit in scale and unit in scale:
                return self.count * scale[self.unit] / scale[unit]
        return None


def find_durations(text: str) -> Iterator[tuple[int, int, Duration]]:
    for found in _DURATION.finditer(text[:_MAX_LENGTH]):
        digits = found["both"] or found["digits"]
        count = int(digits) if digits else spelled_number(found["alone"])
        if count:
            unit = "working day" if found["before"] or found["after"] else _BY_WORD[found["name"].casefold()]
            yield found.start(), found.end(), Duration(count, unit, " ".join(found["unit"].split()))


def parse_duration(text: str) -> Duration | None:
    """The duration that a whole text is, such as `thirty (30) days`; None for any other text."""
    said = text.strip(" .,;")
    whole = list(find_durations(said)) if len(said) <= 100 else []
    return whole[0][2] if len(whole) == 1 and whole[0][:2] == (0, len(said)) else None


def unit_named(text: str) -> Unit | None:
    """The unit that the name or description of a number asks for: `length in months`."""
    words = (
        word for word in re.findall(r"[^\W\d_]+", text.casefold()) if word in _BY_WORD and word not in ("an", "ans")
    )
    return next((_BY_WORD[word] for word in words), None)
