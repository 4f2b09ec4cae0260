"""The values that QR codes and barcodes carry, by name where the code's format gives them one.

Known formats are payments by EPC (GiroCode) and Swiss QR bill, and GS1.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from docsieve.domain.pages.page import Code, FormField

_MAX_VALUE = 200
# Positions of the lines in the text of a code.
_EPC = {4: "BIC", 5: "payee", 6: "IBAN", 9: "payment reference", 10: "payment reference"}
_EPC_AMOUNT = 7
_SWISS = {3: "IBAN", 5: "payee", 18: "amount due", 19: "currency", 28: "payment reference"}
_AMOUNT = re.compile(r"([A-Z]{3})(\d{1,12}(?:\.\d{1,2})?)")
_GS1 = {
    "00": "shipment number", "01": "GTIN", "10": "batch number", "11": "production date", "15": "best before date",
    "17": "expiry date", "21": "serial number", "37": "quantity", "400": "order number",
}  # fmt: skip
_GS1_DATES = frozenset({"11", "15", "17"})
_GS1_PART = re.compile(r"\((\d{2,4})\)([^(]+)")


def coded_fields(codes: Sequence[Code]) -> Iterator[FormField]:
    """Named values, or the whole text without a name. Long texts and several lines are no value."""
    for code in codes:
        named = _named(code.text)
        if not named and len(code.text) <= _MAX_VALUE and "\n" not in code.text:
            named = [("", code.text)]
        for name, value in named:
            yield FormField(name, "text", value, code.box)


def _named(text: str) -> list[tuple[str, str]]:
    lines = [line.strip() for line in text.splitlines()]
    if lines[:1] == ["BCD"] and lines[3:4] == ["SCT"]:
        amount = _AMOUNT.fullmatch(lines[_EPC_AMOUNT]) if len(lines) > _EPC_AMOUNT else None
        sums = [("currency", amount[1]), ("amount due", amount[2])] if amount else []
        return [*_by_line(lines, _EPC), *sums]
    if lines[:1] == ["SPC"]:
        return _by_line(lines, _SWISS)
    parts = _GS1_PART.findall(text) if _GS1_PART.match(text) else []
    return [(_GS1[kind], _date(value) if kind in _GS1_DATES else value) for kind, value in parts if kind in _GS1]


def _by_line(lines: Sequence[str], names: Mapping[int, str]) -> list[tuple[str, str]]:
    return [(name, lines[at]) for at, name in names.items() if at < len(lines) and lines[at]]


def _date(value: str) -> str:
    """`YYMMDD`; a day of 00 is the end of the month, which is left as it is."""
    plain = re.fullmatch(r"(\d\d)(\d\d)(\d\d)", value)
    return f"20{plain[1]}-{plain[2]}-{plain[3]}" if plain and plain[3] != "00" else value
