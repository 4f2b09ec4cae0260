"""Converts text of the page to the JSON value of a field."""

from docsieve.domain.schemas.fields import Scalar
from docsieve.engines.local.fields.spans import Spans
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.values.amounts import find_amounts
from docsieve.values.convert import read_as
from docsieve.values.currencies import currency_of
from docsieve.values.dates import parse_date
from docsieve.values.ibans import parse_iban
from docsieve.values.numbers import find_numbers

_NUMERIC = frozenset(("amount", "number", "integer"))


def written_text(target: Target, text: str, spans: Spans) -> Scalar:
    """Return None if the text is not a valid value.

    A string without a format is returned as printed, but for an IBAN, which has no spaces.
    """
    text = " ".join(text.split())
    field = target.field
    if field.kind != "string" or field.enum is not None or field.format is not None:
        return read_as(text, field, day_first=spans.day_first, decimal=spans.decimal)
    if target.iso_date and (day := parse_date(text, day_first=spans.day_first)) is not None:
        return day.isoformat()
    if target.type == "currency":
        return currency_of(text) or text
    return parse_iban(text) or text or None


def written_cell(target: Target, text: str, spans: Spans) -> Scalar:
    """Like `written_text`, for a table cell: in a numeric column, words alone are not a value."""
    if target.field.kind == "string" and target.field.format is None and target.type in _NUMERIC:
        amounts = [text[start:end] for start, end, _ in find_amounts(text, decimal=spans.decimal)]
        numbers = amounts or [text[start:end] for start, end, _ in find_numbers(text, decimal=spans.decimal)]
        return written_text(target, numbers[-1], spans) if numbers else None
    return written_text(target, text, spans)
