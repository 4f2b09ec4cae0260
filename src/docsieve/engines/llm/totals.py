"""Whether the rows of an answer add up to what the document says they do."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docsieve.domain.schemas.fields import Scalar, Schema, SchemaField, fields_of, path_text
from docsieve.domain.schemas.shape import pattern_of

_AMOUNTS = (
    "amount",
    "line_total",
    "total",
    "total_price",
    "total_amount",
    "net_amount",
    "gross_amount",
    "sum",
    "value",
)
_TOTAL_WORDS = frozenset(
    {
        "total",
        "totals",
        "subtotal",
        "sum",
        "balance",
        "gesamt",
        "gesamtbetrag",
        "betrag",
        "summe",
        "netto",
        "net",
        "due",
    }
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_TOLERANCE = 0.011


@dataclass(frozen=True, slots=True)
class Addends:
    """An array of the schema and the pattern of the number in each of its rows."""

    group: tuple[str, ...]
    pattern: str


def addends_of(schema: Schema) -> list[Addends]:
    """Arrays whose rows have an amount; the most telling name of each wins."""
    groups: dict[tuple[str, ...], list[SchemaField]] = {}
    for field in fields_of(schema):
        if field.group is not None and "[]" not in field.group and field.kind in ("number", "integer"):
            groups.setdefault(field.group, []).append(field)
    found = []
    for group, fields in groups.items():
        named = {field.name.casefold(): field for field in reversed(fields)}
        chosen = next((named[name] for name in _AMOUNTS if name in named), None)
        if chosen is not None:
            found.append(Addends(group, chosen.pattern))
    return found


def is_total(field: SchemaField) -> bool:
    words = {word.casefold() for word in _WORD.findall(field.name)}
    return field.group is None and field.kind in ("number", "integer") and bool(words & _TOTAL_WORDS)


def sums(addends: Sequence[Addends], values: Mapping[str, Scalar]) -> dict[tuple[str, ...], float]:
    added: dict[str, float] = {}
    for path, value in values.items():
        pattern = pattern_of(path)
        if pattern != path and isinstance(value, int | float) and not isinstance(value, bool):
            added[pattern] = added.get(pattern, 0.0) + value
    return {each.group: added.get(each.pattern, 0.0) for each in addends}


def agrees(total: Scalar, added: float) -> bool:
    if isinstance(total, bool) or not isinstance(total, int | float):
        return False
    return abs(abs(total) - abs(added)) <= max(_TOLERANCE, abs(added) * 1e-6)


def unreconciled(schema: Schema, values: Mapping[str, Scalar]) -> set[tuple[str, ...]]:
    """The arrays that add up to none of the totals that the answer has; none where it has no total."""
    totals = [values.get(path_text(each.path)) for each in fields_of(schema) if is_total(each)]
    known = [each for each in totals if isinstance(each, int | float) and not isinstance(each, bool)]
    if not known:
        return set()
    wanted = [*known, *(one - other for one in known for other in known if one != other)]
    added = sums(addends_of(schema), values)
    return {group for group, total in added.items() if not any(agrees(each, total) for each in wanted)}
