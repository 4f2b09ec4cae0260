"""Whether a model's answer has the schema's shape, and what of it can be put right without losing anything."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from docsieve.domain.schemas.fields import Scalar, Schema, resolved, type_of
from docsieve.domain.text import clean
from docsieve.values.amounts import parse_amount
from docsieve.values.dates import parse_date
from docsieve.values.numbers import parse_number

_MAX_FAULTS = 20
_MAX_NUMBER_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """`where` is a JSON pointer. A wrong shape is grave; a value that cannot be read is not, and may become null."""

    where: str
    what: str
    grave: bool


class _Unreadable(Exception):
    """Why a value is not what its field wants."""

    def __init__(self, what: str, *, grave: bool) -> None:
        super().__init__(what)
        self.what, self.grave = what, grave


def conform(schema: Schema, answer: Any) -> tuple[Any, list[Fault]]:
    """The answer in exactly the schema's shape, null where it has a fault, and its first faults."""
    faults: list[Fault] = []

    def note(where: str, what: str, *, grave: bool) -> None:
        if len(faults) < _MAX_FAULTS:
            faults.append(Fault(where, what, grave))

    return _conform(resolved(schema, schema), schema, answer, "", note), faults


def _conform(part: Schema, root: Schema, value: Any, where: str, note: Callable[..., None]) -> Any:
    kind = type_of(part)
    if kind == "object":
        if value is not None and not isinstance(value, dict):
            note(where or "/", f"must be an object, not {_named(value)}", grave=True)
        given = value if isinstance(value, dict) else {}
        return {
            name: _conform(resolved(each, root), root, given.get(name), f"{where}/{_escaped(name)}", note)
            for name, each in part.get("properties", {}).items()
        }
    if kind == "array":
        items = resolved(part["items"], root)
        if isinstance(value, dict) and type_of(items) == "object":
            value = [value]
        if value is not None and not isinstance(value, list):
            note(where, f"must be an array, not {_named(value)}", grave=True)
        given_items = value if isinstance(value, list) else []
        return [_conform(items, root, each, f"{where}/{index}", note) for index, each in enumerate(given_items)]
    try:
        return None if value is None else _scalar(part, kind, value)
    except _Unreadable as fault:
        note(where, fault.what, grave=fault.grave)
        return None


def _scalar(part: Schema, kind: str, value: Any) -> Scalar:
    if isinstance(value, dict | list):
        raise _Unreadable(f"must be a single value, not {_named(value)}", grave=True)
    if isinstance(value, str):
        value = " ".join(clean(value).split())
        if not value:
            return None
    enum = part.get("enum", [part["const"]] if "const" in part else None)
    if enum is not None:
        return _member(enum, value)
    if kind == "boolean":
        return _boolean(value)
    if kind in ("number", "integer"):
        return _number(value, whole=kind == "integer")
    return _text(value, part.get("format"))


def _member(enum: list[Any], value: Scalar) -> Scalar:
    for each in enum:
        if each == value and isinstance(each, bool) == isinstance(value, bool):
            return value
    alike = [each for each in enum if str(each).casefold() == str(value).casefold()]
    if len(alike) != 1:
        raise _Unreadable("must be one of the values that the schema lists", grave=False)
    member: Scalar = alike[0]
    return member


def _boolean(value: Scalar) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.casefold() in ("true", "false"):
        return value.casefold() == "true"
    raise _Unreadable(f"must be true or false, not {_named(value)}", grave=True)


def _number(value: Scalar, *, whole: bool) -> int | float:
    if isinstance(value, bool) or value is None:
        raise _Unreadable(f"must be a number, not {_named(value)}", grave=True)
    if isinstance(value, str):
        read = _unambiguous(value)
        if read is None:
            raise _Unreadable("must be a plain JSON number, not text", grave=False)
        value = int(read) if read == read.to_integral_value() else float(read)
    if isinstance(value, float) and not math.isfinite(value):
        raise _Unreadable("must be a finite number", grave=False)
    if whole and isinstance(value, float):
        if not value.is_integer():
            raise _Unreadable("must be a whole number", grave=False)
        return int(value)
    return value


def _unambiguous(text: str) -> Decimal | None:
    """The number that the text is, if a comma and a point for its decimals give the same one."""
    text = text.removesuffix("%").strip()
    if len(text) > _MAX_NUMBER_LENGTH:
        return None
    readings = {
        amount.value if (amount := parse_amount(text, decimal=mark)) else parse_number(text, decimal=mark)
        for mark in (".", ",")
    }
    return readings.pop() if len(readings) == 1 else None


def _text(value: Scalar, wanted: str | None) -> str:
    if isinstance(value, bool):
        raise _Unreadable("must be text, not a truth value", grave=True)
    if not isinstance(value, str):
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return _date(value) if wanted == "date" else value


def _date(text: str) -> str:
    try:
        return date.fromisoformat(text[:10]).isoformat() if text[10:11] in ("", "T", " ") else _read_date(text)
    except ValueError:
        return _read_date(text)


def _read_date(text: str) -> str:
    readings = {parse_date(text, day_first=True), parse_date(text, day_first=False)}
    only = readings.pop() if len(readings) == 1 else None
    if only is None:
        raise _Unreadable("must be a date as YYYY-MM-DD", grave=False)
    return only.isoformat()


def _named(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "an array"
    return "an object"


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
