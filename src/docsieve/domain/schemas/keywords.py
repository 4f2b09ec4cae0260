"""The supported keywords of a schema and their allowed values."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from docsieve.domain.schemas.pointers import pointed
from docsieve.errors.extractions import SchemaProblem

TYPES = ("object", "array", "string", "number", "integer", "boolean")
STRING_FORMATS = (
    "date", "time", "date-time", "email", "phone", "iban", "uri", "currency", "country", "amount", "percent",
)  # fmt: skip
NUMBER_FORMATS = ("amount", "percent")

# Annotations, and constraints that extracted values satisfy anyway.
QUIET = frozenset({
    "$schema", "$id", "$comment", "$defs", "definitions", "$ref", "anyOf", "oneOf", "allOf", "default", "examples",
    "example", "deprecated", "readOnly", "writeOnly", "additionalProperties", "discriminator", "name",
})  # fmt: skip

MAX_MEMBERS = 1_000
_MAX_LABELS = 100
_MAX_RULES = 100
_MAX_DESCRIPTION_LENGTH = 10_000
_MAX_LABEL_LENGTH = 200
_MAX_PATTERN_LENGTH = 500
_MAX_RULE_LENGTH = 1_000
_WIDE_CLASS_COST = 500
_WIDE_ESCAPE = re.compile(r"\\[uUN]")

Fault = tuple[tuple[str | int, ...], str]
"""The location below the keyword, and the problem."""


# If one of these is invalid, the parts inside cannot be checked.
STRUCTURAL = frozenset({"type", "enum", "const", "properties", "items", "required", "format"})


def keyword_problems(part: dict[str, Any], pointer: str) -> Iterator[tuple[str, SchemaProblem]]:
    """Problems of each keyword of one part. Parts inside are checked elsewhere."""
    for keyword, value in part.items():
        check = _CHECKS.get(keyword)
        for steps, message in check(value) if check else ():
            yield keyword, SchemaProblem(pointed(pointer, keyword, *steps), message)
    for least, most in (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")):
        low, high = part.get(least), part.get(most)
        if _is_number(low) and _is_number(high) and low > high:  # type: ignore[operator]
            yield least, SchemaProblem(pointed(pointer, least), f"it is greater than {most}")


def pattern_cost(part: dict[str, Any]) -> int:
    """The cost of compiling its pattern in units of about 10 µs. Classes beyond Latin letters cost hundreds."""
    pattern = part.get("pattern")
    if not isinstance(pattern, str):
        return 0
    wide = not pattern.isascii() or _WIDE_ESCAPE.search(pattern) is not None
    return len(pattern) + (_WIDE_CLASS_COST * pattern.count("[") if wide else 0)


def is_used(keyword: str) -> bool:
    return keyword in _CHECKS or keyword in QUIET


def _text(longest: int) -> Callable[[Any], Iterator[Fault]]:
    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, str):
            yield (), "it must be text"
        elif len(value) > longest:
            yield (), f"it has {len(value):,} characters; at most {longest:,} are allowed"

    return check


def _type(value: Any) -> Iterator[Fault]:
    said = value if isinstance(value, list) else [value]
    for index, each in enumerate(said):
        if each not in (*TYPES, "null"):
            shown = f"“{each[:40]}” is not a type" if isinstance(each, str) else "this is not a type"
            yield (index,) if isinstance(value, list) else (), f"{shown}; it must be one of {', '.join(TYPES)}"
    if not [each for each in said if each != "null"]:
        yield (), "null cannot be the only type"


def _enum(value: Any) -> Iterator[Fault]:
    if not isinstance(value, list) or not value:
        yield (), "it must be a list of at least one value"
        return
    if len(value) > MAX_MEMBERS:
        yield (), f"it has {len(value):,} values; at most {MAX_MEMBERS:,} are allowed"
    for index, each in enumerate(value):
        yield from (((index, *steps), message) for steps, message in _scalar(each))


def _scalar(value: Any) -> Iterator[Fault]:
    if isinstance(value, dict | list):
        yield (), "it must be text, a number, true, false or null"


def _required(value: Any) -> Iterator[Fault]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        yield (), "it must be a list of property names"


def _pattern(value: Any) -> Iterator[Fault]:
    faults = list(_text(_MAX_PATTERN_LENGTH)(value))
    yield from faults
    if not faults:
        try:
            re.compile(value)
        except (re.error, OverflowError, RecursionError) as error:
            yield (), f"invalid regular expression: {error}"


def _number(value: Any) -> Iterator[Fault]:
    if not _is_number(value):
        yield (), "it must be a number"


def _count(value: Any) -> Iterator[Fault]:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        yield (), "it must be a whole number, 0 or more"


def _flag(value: Any) -> Iterator[Fault]:
    if not isinstance(value, bool):
        yield (), "it must be true or false"


def _threshold(value: Any) -> Iterator[Fault]:
    if not _is_number(value) or not 0 <= value <= 1:
        yield (), "it must be a number from 0 to 1"


def _labels(value: Any) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield (), "it must be a list of labels that appear next to the value"
        return
    if len(value) > _MAX_LABELS:
        yield (), f"it has {len(value):,} labels; at most {_MAX_LABELS} are allowed"
    for index, label in enumerate(value):
        if not isinstance(label, str) or not label.strip() or len(label) > _MAX_LABEL_LENGTH:
            yield (index,), f"a label must be text of 1 to {_MAX_LABEL_LENGTH} characters"


def _rules(value: Any) -> Iterator[Fault]:
    if not isinstance(value, list) or len(value) > _MAX_RULES:
        yield (), f"it must be a list of at most {_MAX_RULES} rules"
        return
    for index, rule in enumerate(value):
        if not isinstance(rule, dict) or "rule" not in rule:
            yield (index,), 'a rule must have the form {"rule": "subtotal + tax == total"}'
        else:
            yield from (((index, *steps), message) for steps, message in _rule(rule))


def _rule(rule: dict[str, Any]) -> Iterator[Fault]:
    for name, value in rule.items():
        if name == "tolerance":
            if not _is_number(value) or value < 0:
                yield (name,), "it must be a number, 0 or more"
        elif name in ("rule", "message"):
            yield from (((name,), message) for _, message in _text(_MAX_RULE_LENGTH)(value))
        else:
            yield (name,), "a rule may contain only rule, message and tolerance"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _object(value: Any) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield (), "it must be an object"


def _part(value: Any) -> Iterator[Fault]:
    if isinstance(value, list):
        yield (), "all items of a list must have the same schema"
    elif not isinstance(value, dict):
        yield (), "it must be a schema"


_CHECKS: dict[str, Callable[[Any], Iterator[Fault]]] = {
    "type": _type,
    "format": _text(_MAX_LABEL_LENGTH),
    "enum": _enum,
    "const": _scalar,
    "properties": _object,
    "items": _part,
    "required": _required,
    "nullable": _flag,
    "x-nullable": _flag,
    "title": _text(_MAX_DESCRIPTION_LENGTH),
    "description": _text(_MAX_DESCRIPTION_LENGTH),
    "pattern": _pattern,
    "minimum": _number,
    "maximum": _number,
    "minLength": _count,
    "maxLength": _count,
    "minItems": _count,
    "maxItems": _count,
    "x-labels": _labels,
    "x-threshold": _threshold,
    "x-rules": _rules,
}
