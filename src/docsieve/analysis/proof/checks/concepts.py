"""Infers the meaning of a field from its name, to know which amounts add up and which dates follow each other."""

import re
from decimal import Decimal
from typing import Literal

from docsieve.domain.schemas.fields import Scalar
from docsieve.values.amounts import parse_amount
from docsieve.values.months import folded
from docsieve.values.numbers import decimal_of

Concept = Literal["total", "net", "tax", "adjustment", "reduction", "line_total", "unit_price", "price", "quantity"]

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W\d_]+")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NO_AMOUNT = _set(
    "rate percent percentage id number no num code registration reg type name date count hours pages weight items "
    "currency year class exempt form classification"
)
_TAX = _set("tax taxes vat gst hst mwst ust umsatzsteuer steuer iva tva btw moms")
_NET = _set("subtotal net netto untaxed zwischensumme nettobetrag pretax")
_TOTAL = _set("total gross brutto gesamt gesamtbetrag gesamtsumme totale totaal")
_PLAIN_TOTAL = _set("total grand gross amount invoice sum value price final overall")
_ADDED = _set("tip tips gratuity shipping freight delivery fee fees service charge charges rounding surcharge")
_TAKEN = _set("discount discounts rebate rabatt skonto deduction deductions withholding credit")
_QUANTITY = _set("quantity qty menge anzahl hours units quantite cantidad")
_UNIT = _set("unit rate einzelpreis each unitario")
_WITH_OR_WITHOUT = _set("excluding excl without before including incl with")


def words_of(name: str) -> list[str]:
    """`totalTax` and `tax_total` both have the words total and tax."""
    return [folded(word) for word in _WORD.findall(_CAMEL.sub(" ", name))]


def concept_of(name: str, *, in_item: bool) -> Concept | None:
    """The role of the field in a sum; None if its name does not show it."""
    words = set(words_of(name))
    if in_item:
        return _item_concept(words)
    if words & _NO_AMOUNT:
        return None
    if words & _TAX and not words & _WITH_OR_WITHOUT:
        return "tax"
    if words & _NET or {"sub", "total"} <= words or (words & {"excluding", "excl", "before"} and words & _TOTAL):
        return "net"
    if words & _TAKEN:
        return "reduction"
    if words & _ADDED:
        return "adjustment"
    return "total" if words & _TOTAL and words <= _PLAIN_TOTAL | _TOTAL else None


def number_of(value: Scalar) -> Decimal | None:
    """The amount of a field, which may be a number or a text such as `RM 8.60`."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        amount = parse_amount(value)
        return amount.value if amount is not None else None
    number = decimal_of(value)
    return number if number.is_finite() else None


def _item_concept(words: set[str]) -> Concept | None:
    if words & {"tax", "vat", "percent", "percentage", "id", "number", "code", "currency", "description", "name"}:
        return None
    if words & _QUANTITY:
        return "quantity"
    if words & _UNIT:
        return "unit_price"
    if words & {"total", "amount", "sum", "extended", "betrag", "gesamtpreis", "net", "gross"}:
        return "line_total"
    return "price" if words & {"price", "preis", "cost"} else None
