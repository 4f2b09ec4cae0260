"""Dates that spreadsheets store as a number of days."""

from datetime import datetime, timedelta

from docsieve.parsers.office.sheets.cell_values import shown_duration, shown_moment, shown_time

_EPOCH_1900 = datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet knows no time zone
_EPOCH_1904 = datetime(1904, 1, 1)  # noqa: DTZ001
_LAST_DAY = 2_958_465
# The first spreadsheets took 1900 for a leap year, so days before its March are one too low.
_FIRST_RIGHT_DAY = 60


def shown_serial(serial: float, *, has_date: bool, has_time: bool, since_1904: bool) -> str | None:
    """Return None if the number is not a date."""
    if not 0 <= serial <= _LAST_DAY:
        return None
    if not since_1904 and has_date and serial < _FIRST_RIGHT_DAY:
        serial += 1
    epoch = _EPOCH_1904 if since_1904 else _EPOCH_1900
    # Binary fractions of a day are slightly off the second.
    seconds = round(serial * 86_400)
    moment = epoch + timedelta(seconds=seconds)
    if not has_date:
        return shown_time(moment.time())
    return shown_moment(moment) if has_time else moment.date().isoformat()


def shown_elapsed(serial: float) -> str | None:
    return shown_duration(timedelta(days=serial)) if abs(serial) <= _LAST_DAY else None
