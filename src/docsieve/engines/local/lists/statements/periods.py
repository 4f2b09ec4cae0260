"""Which part of a fiscal year a heading names: `Six Months Ended December 31, 2024` may be `FY2025 H1`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from docsieve.values.dates import find_dates

_MONTHS = re.compile(
    r"\b(three|six|nine|twelve|3|6|9|12|13|26|39|40|52|53)\s+(months?|weeks?)\b|\b(quarter|half|year)\b", re.I
)
_SPELLED = {"three": 3, "six": 6, "nine": 9, "twelve": 12, "quarter": 3, "half": 6, "year": 12}
_WEEKS_IN_MONTH = 4.34
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_PART = {3: "Q{quarter}", 6: "H1", 9: "YTD"}
_DECEMBER = 12


@dataclass(frozen=True, slots=True)
class Period:
    """`months` is 0 for a day, such as the one of a balance sheet."""

    months: int
    year: int
    end: date | None


def period_of(text: str) -> Period | None:
    year = _YEAR.findall(text)
    if not year:
        return None
    dates = find_dates(text)
    said = _MONTHS.search(text)
    months = 0
    if said is not None:
        word = (said[1] or said[3]).lower()
        months = _SPELLED.get(word) or int(word)
        if said[2] and said[2].lower().startswith("week"):
            months = round(months / _WEEKS_IN_MONTH / 3) * 3
    elif not dates:
        months = 12
    return Period(months, int(year[-1]), dates[-1][2] if dates else None)


def last_month(periods: Iterable[Period]) -> int:
    """The month in which the fiscal year ends: that of full years, or of the earlier of the days of a balance sheet."""
    known = list(periods)
    for each in known:
        if each.months == 12 and each.end is not None:
            return each.end.month
    days = sorted({each.end for each in known if each.months == 0 and each.end is not None})
    return days[0].month if len(days) > 1 else _DECEMBER


def fiscal_label(period: Period, ends: int) -> str:
    """`FY2025 Q2`, `FY2025 H1`, or `FY2024` for a year and for its last day."""
    if period.end is None:
        return f"FY{period.year}"
    since = (period.end.month - ends) % 12
    if period.end.day <= 7:
        since = (since - 1) % 12
    year = period.end.year + (1 if period.end.month > ends else 0)
    if since == 0 and period.months in (0, 12):
        return f"FY{year}"
    part = _PART.get(period.months or 3, "").format(quarter=max(1, round(since / 3) if since else 4))
    return f"FY{year} {part}".strip()
