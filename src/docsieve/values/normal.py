"""Normalizes values, so that different ways to write the same value become equal."""

import re
import unicodedata

from docsieve.domain.schemas.fields import Scalar, SchemaField
from docsieve.values.amounts import parse_amount
from docsieve.values.contact.phones import phone_digits
from docsieve.values.dates import parse_date
from docsieve.values.durations import parse_duration
from docsieve.values.ibans import parse_iban
from docsieve.values.names import plain_name
from docsieve.values.numbers import decimal_of, parse_number, plain
from docsieve.values.percentages import parse_percent
from docsieve.values.times import parse_time

_LETTERS_AND_DIGITS = re.compile(r"\w")
_MONEY = re.compile(r"\d[.,]\d|\D")


def normalized(value: Scalar, field: SchemaField | None = None, *, day_first: bool | None = None) -> str:
    """Normalize a value: ignore case, spaces and punctuation at the ends; dates in ISO form, amounts as plain decimals.

    Durations are a number and a unit. A field says what its text means. Without one, or where it is a plain string,
    what reads wholly as a date, a duration or an amount is taken for one; a run of digits is not, since it may be an
    identifier with zeros that count.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return plain(decimal_of(value)) if value == value and abs(value) != float("inf") else str(value)
    return _text(str(value), field, day_first)


def plain_text(text: str) -> str:
    """Return the text in lower case, with single spaces, without punctuation at the ends and typographic variants."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    marks = [match.start() for match in _LETTERS_AND_DIGITS.finditer(folded)]
    return folded[marks[0] : marks[-1] + 1] if marks else folded


def _text(text: str, field: SchemaField | None, day_first: bool | None) -> str:
    kind = (field.format or field.kind) if field is not None else "string"
    if field is not None and field.enum is not None:
        return plain_text(text)
    if kind in ("date", "date-time", "string") and (day := parse_date(text, day_first=day_first)) is not None:
        return _with_time(day.isoformat(), text) if kind == "date-time" else day.isoformat()
    if kind == "string" and (duration := parse_duration(text)) is not None:
        return str(duration)
    if kind == "time" and (time := parse_time(text)) is not None:
        return time.isoformat()
    if kind == "iban":
        return parse_iban(text) or plain_text(text).replace(" ", "")
    if kind == "phone":
        return phone_digits(text)
    if kind == "percent" and (percent := parse_percent(text)) is not None:
        return plain(percent)
    if kind in ("number", "integer") and (number := parse_number(text)) is not None:
        return plain(number)
    if kind in ("number", "integer", "amount") or (kind == "string" and _MONEY.search(text)):
        amount = parse_amount(text)
        if amount is not None:
            return plain(amount.value)
    return plain_name(plain_text(text))


def _with_time(day: str, text: str) -> str:
    time = parse_time(text)
    return f"{day}T{time.isoformat()}" if time is not None else day
