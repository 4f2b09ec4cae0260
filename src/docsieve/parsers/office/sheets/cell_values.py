"""Cell values for people: ISO dates, and numbers without binary noise."""

import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal

_MAX_DIGITS = 15
_MIN_PLAIN, _MAX_PLAIN = 1e-9, 1e21


def shown_number(value: float) -> str:
    """Format up to 15 significant digits, as spreadsheets store, without an exponent where possible."""
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 10**_MAX_DIGITS:
        return str(int(value))
    short = f"{value:.{_MAX_DIGITS}g}"
    return f"{Decimal(short):f}" if "e" in short and _MIN_PLAIN < abs(value) < _MAX_PLAIN else short


def plain_number(text: str) -> str:
    """Do the same for a number in text form; other text stays as it is."""
    try:
        return shown_number(float(text)) if "." in text or "e" in text.lower() else text
    except ValueError:
        return text


def shown_moment(moment: datetime) -> str:
    if moment.time() == time():
        return moment.date().isoformat()
    return moment.isoformat(" ", "minutes" if moment.second == 0 else "seconds")


def shown_time(moment: time) -> str:
    return moment.isoformat("minutes" if moment.second == 0 else "seconds")


def shown_duration(length: timedelta) -> str:
    seconds = round(length.total_seconds())
    sign = "-" if seconds < 0 else ""
    hours, seconds = divmod(abs(seconds), 3600)
    return f"{sign}{hours}:{seconds // 60:02d}:{seconds % 60:02d}"


def shown(value: object) -> str:
    """Format a value that a library returned."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return shown_number(float(value)) if isinstance(value, float) else str(value)
    if isinstance(value, datetime):
        return shown_moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return shown_time(value)
    if isinstance(value, timedelta):
        return shown_duration(value)
    return "" if value is None else str(value)
