"""Percentages; 19 % is 19, not 0.19."""

import re
from decimal import Decimal

from docsieve.values.numbers import NUMBER_PATTERN, DecimalMark, parse_number, read_digits

_FIND = re.compile(
    rf"(?<![\w.,/])(?P<sign>[-−–+])?(?P<digits>{NUMBER_PATTERN})\s?(?:%|％|percent\b|per cent\b|Prozent\b|v\.\s?H\.)"
)


def parse_percent(text: str, *, decimal: DecimalMark | None = None) -> Decimal | None:
    """Parse a text that is a percentage; a bare number is one too."""
    said = text.strip()
    found = find_percentages(said, decimal=decimal)
    if len(found) == 1 and not said[: found[0][0]].strip("( ") and not said[found[0][1] :].strip(") "):
        return found[0][2]
    return parse_number(said, decimal=decimal)


def find_percentages(text: str, *, decimal: DecimalMark | None = None) -> list[tuple[int, int, Decimal]]:
    found = []
    for match in _FIND.finditer(text[:20_000]):
        value = read_digits(match["digits"], decimal=decimal) if len(match["digits"]) <= 40 else None
        if value is not None:
            found.append((match.start(), match.end(), -value if match["sign"] in ("-", "−", "–") else value))
    return found
