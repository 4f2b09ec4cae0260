"""Converts text from a page to the JSON value of a field."""

from decimal import Decimal

from docsieve.domain.schemas.fields import Scalar, SchemaField
from docsieve.values.amounts import find_amounts, parse_amount
from docsieve.values.booleans import parse_boolean
from docsieve.values.contact.internet import parse_email, parse_url
from docsieve.values.contact.phones import find_phones, parse_phone
from docsieve.values.currencies import currency_of, find_currencies
from docsieve.values.dates import find_dates, parse_date
from docsieve.values.ibans import find_ibans, parse_iban
from docsieve.values.normal import plain_text
from docsieve.values.numbers import DecimalMark, find_numbers, parse_number, plain
from docsieve.values.percentages import find_percentages, parse_percent
from docsieve.values.times import iso_time, parse_time

_MAX_LENGTH = 20_000
_MAX_NUMBER = Decimal(10) ** 300


def read_as(text: str, field: SchemaField, *, day_first: bool | None = None, decimal: str | None = None) -> Scalar:
    """Return the text as the field's JSON value; None if it cannot be one.

    A label or a unit next to the value is ignored, as long as there is only one value of the kind. A string
    without a format is the text itself, with spaces collapsed.
    """
    said = " ".join(text[:_MAX_LENGTH].split())
    if not said:
        return None
    mark: DecimalMark | None = "." if decimal == "." else "," if decimal == "," else None
    if field.enum is not None:
        return read_member(said, field.enum)
    if field.kind == "boolean":
        return parse_boolean(said)
    if field.kind in ("number", "integer"):
        return _json_number(_number(said, field.format, mark), whole=field.kind == "integer")
    return _string(said, field.format, day_first, mark)


def read_member(text: str, members: tuple[Scalar, ...]) -> Scalar:
    """Return the member that the text names, ignoring case and punctuation; yes and no select one of two words."""
    wanted = _letters(text)
    for member in members:
        if member is not None and not isinstance(member, bool) and _letters(str(member)) == wanted and wanted:
            return member
    said = parse_boolean(text)
    if said is None:
        return None
    agreeing = [
        member for member in members if member is said or (isinstance(member, str) and parse_boolean(member) is said)
    ]
    return agreeing[0] if len(agreeing) == 1 else None


def _letters(text: str) -> str:
    return "".join(each for each in plain_text(text) if each.isalnum())


def _string(said: str, format: str | None, day_first: bool | None, mark: DecimalMark | None) -> str | None:
    if format in ("date", "date-time"):
        day = _date(said, day_first)
        time = parse_time(said) if format == "date-time" else None
        return None if day is None else f"{day}T{time.isoformat()}" if time is not None else day
    if format == "time":
        return iso_time(said)
    if format == "iban":
        ibans = find_ibans(said)
        return parse_iban(said) or (ibans[0][2] if len(ibans) == 1 else None)
    if format == "phone":
        phones = find_phones(said)
        return parse_phone(said) or (phones[0][2] if len(phones) == 1 else None)
    if format in ("amount", "percent"):
        number = _number(said, format, mark)
        return plain(number) if number is not None else None
    if format == "email":
        return parse_email(said)
    if format in ("uri", "url", "uri-reference"):
        return parse_url(said)
    return _currency(said) if format == "currency" else said


def _date(said: str, day_first: bool | None) -> str | None:
    day = parse_date(said, day_first=day_first)
    if day is None:
        found = {value for _, _, value in find_dates(said, day_first=day_first)}
        day = found.pop() if len(found) == 1 else None
    return day.isoformat() if day is not None else None


def _currency(said: str) -> str | None:
    if (code := currency_of(said)) is not None:
        return code
    codes = {code for _, _, code in find_currencies(said)}
    return codes.pop() if len(codes) == 1 else None


def _number(said: str, format: str | None, mark: DecimalMark | None) -> Decimal | None:
    if format == "percent":
        percent = parse_percent(said, decimal=mark)
        return percent if percent is not None else _only([each[2] for each in find_percentages(said, decimal=mark)])
    if format != "amount" and (number := parse_number(said, decimal=mark)) is not None:
        return number
    if (amount := parse_amount(said, decimal=mark)) is not None:
        return amount.value
    if (percent := parse_percent(said, decimal=mark)) is not None:
        return percent
    money = _only([each[2].value for each in find_amounts(said, decimal=mark)])
    return money if money is not None else _only([each[2] for each in find_numbers(said, decimal=mark)])


def _only(values: list[Decimal]) -> Decimal | None:
    return values[0] if len(set(values)) == 1 else None


def _json_number(value: Decimal | None, *, whole: bool) -> int | float | None:
    if value is None or abs(value) > _MAX_NUMBER:
        return None
    if value == value.to_integral_value() and (whole or value.as_tuple().exponent == 0):
        return int(value)
    return None if whole else float(value)
