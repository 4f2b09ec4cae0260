"""Checks of a single field: type, format, allowed values, pattern and bounds."""

import re
from datetime import date, time
from typing import Any

from docsieve.domain.extraction import Check
from docsieve.domain.schemas.fields import Scalar, Schema, SchemaField, resolved, type_of
from docsieve.values.contact.internet import parse_email, parse_url
from docsieve.values.contact.phones import parse_phone
from docsieve.values.currencies import CODES
from docsieve.values.ibans import valid_iban
from docsieve.values.numbers import parse_number

_LONGEST_FOR_PATTERN = 2_000
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
}


def leaf_parts(schema: Schema) -> dict[str, Schema]:
    """The part of the schema for each field, by the field's pattern."""
    parts: dict[str, Schema] = {}
    _collect(resolved(schema, schema), schema, "", parts)
    return parts


def leaf_checks(field: SchemaField, part: Schema, value: Scalar) -> list[Check]:
    if value is None:
        return [Check("required", False, "A value is required, but none was found.")] if field.required else []
    checks = [Check("required", True)] if field.required else []
    right = has_type(field, value)
    checks.append(Check("type", right, "" if right else f"Not a valid {field.kind}."))
    if not right:
        return checks
    if field.enum is not None:
        member = value in field.enum
        checks.append(Check("enum", member, "" if member else "Not one of the allowed values."))
    if field.format is not None and isinstance(value, str) and (good := _has_format(value, field.format)) is not None:
        name = "iban" if field.format == "iban" else "format"
        checks.append(Check(name, good, "" if good else f"Not a valid {field.format}."))
    return checks + _bounds(part, value)


def has_type(field: SchemaField, value: Scalar) -> bool:
    if field.enum is not None and value in field.enum:
        return True
    if isinstance(value, bool):
        return field.kind == "boolean"
    if field.kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[field.kind])


def _collect(part: Schema, root: Schema, pattern: str, parts: dict[str, Schema]) -> None:
    kind = type_of(part)
    if kind == "object":
        for name, each in part.get("properties", {}).items():
            _collect(resolved(each, root), root, f"{pattern}.{name}" if pattern else name, parts)
    elif kind == "array":
        _collect(resolved(part["items"], root), root, f"{pattern}[]", parts)
    else:
        parts[pattern] = part


def _bounds(part: Schema, value: Scalar) -> list[Check]:
    checks = []
    if isinstance(value, str):
        if "pattern" in part:
            fits = re.search(part["pattern"], value[:_LONGEST_FOR_PATTERN]) is not None
            checks.append(Check("pattern", fits, "" if fits else f"Does not match {part['pattern']}."))
        size, least, most = len(value), part.get("minLength"), part.get("maxLength")
        what = "characters"
    elif isinstance(value, bool):
        return checks
    else:
        size, least, most = value, part.get("minimum"), part.get("maximum")  # type: ignore[assignment]
        what = ""
    if least is not None or most is not None:
        fits = (least is None or size >= least) and (most is None or size <= most)
        bounds = f"{'' if least is None else least} to {'' if most is None else most} {what}".strip()
        checks.append(Check("range", fits, "" if fits else f"Not within the range {bounds}."))
    return checks


def _has_format(value: str, format: str) -> bool | None:
    tests: dict[str, Any] = {
        "date": lambda: _is_iso(date.fromisoformat, value) and len(value) == 10,
        "time": lambda: _is_iso(time.fromisoformat, value),
        "date-time": lambda: len(value) >= 10 and _is_iso(date.fromisoformat, value[:10]),
        "email": lambda: parse_email(value) == value,
        "iban": lambda: valid_iban(value.replace(" ", "")),
        "phone": lambda: parse_phone(value) is not None,
        "uri": lambda: parse_url(value) == value,
        "currency": lambda: value in CODES,
        "amount": lambda: parse_number(value, decimal=".") is not None,
        "percent": lambda: parse_number(value, decimal=".") is not None,
    }
    return bool(tests[format]()) if format in tests else None


def _is_iso(read: Any, value: str) -> bool:
    try:
        read(value)
    except ValueError:
        return False
    return True
