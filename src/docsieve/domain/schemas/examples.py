"""Builds a schema from an example value."""

import re
from collections.abc import Sequence
from typing import Any

from docsieve.domain.schemas.bounds import check_bounds
from docsieve.domain.schemas.fields import Schema
from docsieve.errors.extractions import SchemaInvalid, SchemaProblem

_FORMATS = {
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?"),
    "date": re.compile(r"\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])"),
    "time": re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?"),
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}"),
    "uri": re.compile(r"https?://\S+"),
    "iban": re.compile(r"[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){2,7}( ?[A-Z0-9]{1,4})?"),
    "phone": re.compile(r"\+\d[\d ()/.-]{5,20}\d"),
}

_MAX_FORMATTED_LENGTH = 500
_Unknown: Schema = {}


def from_example(example: Any) -> Schema:
    """Types come from the values, formats from the form of text. Nulls and items of empty lists become text."""
    check_bounds(example, "example")
    if not isinstance(example, dict):
        raise SchemaInvalid([SchemaProblem("", "an example must be a JSON object")])
    return _settled(_seen(example))


def _seen(value: Any) -> Schema:
    """The schema of one value; None for null."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: _seen(each) for name, each in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": _merged([_seen(each) for each in value])}
    if value is None:
        return _Unknown
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, int | float):
        return {"type": "integer" if isinstance(value, int) else "number"}
    text = value.strip()
    fitting = (
        name for name, pattern in _FORMATS.items() if len(text) <= _MAX_FORMATTED_LENGTH and pattern.fullmatch(text)
    )
    form = next(fitting, None)
    return {"type": "string", "format": form} if form else {"type": "string"}


def _merged(seen: Sequence[Schema]) -> Schema:
    """The merged schema of several values: text where they contradict each other."""
    known = [each for each in seen if each]
    if not known:
        return _Unknown
    kinds = {each["type"] for each in known}
    if kinds == {"object"}:
        names = dict.fromkeys(name for each in known for name in each["properties"])
        parts = {name: _merged([each["properties"].get(name, _Unknown) for each in known]) for name in names}
        return {"type": "object", "properties": parts}
    if kinds == {"array"}:
        return {"type": "array", "items": _merged([each["items"] for each in known])}
    if kinds == {"integer", "number"}:
        return {"type": "number"}
    if len(kinds) > 1:
        return {"type": "string"}
    same = all(each == known[0] for each in known)
    return known[0] if same else {"type": known[0]["type"]}


def _settled(part: Schema) -> Schema:
    if not part:
        return {"type": "string"}
    if part["type"] == "object":
        return {"type": "object", "properties": {name: _settled(each) for name, each in part["properties"].items()}}
    if part["type"] == "array":
        return {"type": "array", "items": _settled(part["items"])}
    return part
