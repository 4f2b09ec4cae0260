"""Which keywords a schema may use, and what may stand behind each, wherever it stands."""

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

# Notes to readers and tools, and what a value of exactly the schema's shape keeps anyway.
QUIET = frozenset({
    "$schema", "$id", "$comment", "$defs", "definitions", "$ref", "anyOf", "oneOf", "allOf", "default", "examples",
    "example", "deprecated", "readOnly", "writeOnly", "additionalProperties", "discriminator", "name",
})  # fmt: skip

MOST_MEMBERS = 1_000
_MOST_LABELS = 100
_MOST_RULES = 100
_LONGEST_DESCRIPTION = 10_000
_LONGEST_LABEL = 200
_LONGEST_PATTERN = 500
_LONGEST_RULE = 1_000
_WIDE_CLASS_COST = 500
_WIDE_ESCAPE = re.compile(r"\\[uUN]")

Fault = tuple[tuple[str | int, ...], str]
"""Where below the keyword, and what is wrong there."""


# Where one of these is wrong, nothing can be said of what is inside.
STRUCTURAL = frozenset({"type", "enum", "const", "properties", "items", "required", "format"})


def keyword_problems(part: dict[str, Any], pointer: str) -> Iterator[tuple[str, SchemaProblem]]:
    """What is wrong with which keyword of one part, each by itself; the parts inside are looked at elsewhere."""
    for keyword, value in part.items():
        check = _CHECKS.get(keyword)
        for steps, message in check(value) if check else ():
            yield keyword, SchemaProblem(pointed(pointer, keyword, *steps), message)
    for least, most in (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")):
        low, high = part.get(least), part.get(most)
        if _is_number(low) and _is_number(high) and low > high:  # type: ignore[operator]
            yield least, SchemaProblem(pointed(pointer, least), f"it is greater than {most}")


def pattern_cost(part: dict[str, Any]) -> int:
    """What reading its pattern takes, in units of about 10 µs: a class beyond Latin letters takes hundreds of them."""
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
            yield (), f"it has {len(value):,} characters; {longest:,} are the most"

    return check


def _type(value: Any) -> Iterator[Fault]:
    said = value if isinstance(value, list) else [value]
    for index, each in enumerate(said):
        if each not in (*TYPES, "null"):
            shown = f"“{each[:40]}” is no type" if isinstance(each, str) else "this is no type"
            yield (index,) if isinstance(value, list) else (), f"{shown}; it must be one of {', '.join(TYPES)}"
    if not [each for each in said if each != "null"]:
        yield (), "null alone can hold nothing; name another type beside it"


def _enum(value: Any) -> Iterator[Fault]:
    if not isinstance(value, list) or not value:
        yield (), "it must be a list of at least one value"
        return
    if len(value) > MOST_MEMBERS:
        yield (), f"it has {len(value):,} values; {MOST_MEMBERS:,} are the most"
    for index, each in enumerate(value):
        yield from (((index, *steps), message) for steps, message in _scalar(each))


def _scalar(value: Any) -> Iterator[Fault]:
    if isinstance(value, dict | list):
        yield (), "it must be text, a number, true, false or null"


def _required(value: Any) -> Iterator[Fault]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        yield (), "it must be a list of names of properties"


def _pattern(value: Any) -> Iterator[Fault]:
    faults = list(_text(_LONGEST_PATTERN)(value))
    yield from faults
    if not faults:
        try:
            re.compile(value)
        except (re.error, OverflowError, RecursionError) as error:
            yield (), f"it cannot be read as a regular expression: {error}"


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
        yield (), "it must be a number of 0 to 1"


def _labels(value: Any) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield (), "it must be a list of the words that stand before such a value"
        return
    if len(value) > _MOST_LABELS:
        yield (), f"it has {len(value):,} labels; {_MOST_LABELS} are the most"
    for index, label in enumerate(value):
        if not isinstance(label, str) or not label.strip() or len(label) > _LONGEST_LABEL:
            yield (index,), f"a label is text of 1 to {_LONGEST_LABEL} characters"


def _rules(value: Any) -> Iterator[Fault]:
    if not isinstance(value, list) or len(value) > _MOST_RULES:
        yield (), f"it must be a list of at most {_MOST_RULES} rules"
        return
    for index, rule in enumerate(value):
        if not isinstance(rule, dict) or "rule" not in rule:
            yield (index,), 'a rule is written {"rule": "subtotal + tax == total"}'
        else:
            yield from (((index, *steps), message) for steps, message in _rule(rule))


def _rule(rule: dict[str, Any]) -> Iterator[Fault]:
    for name, value in rule.items():
        if name == "tolerance":
            if not _is_number(value) or value < 0:
                yield (name,), "it must be a number, 0 or more"
        elif name in ("rule", "message"):
            yield from (((name,), message) for _, message in _text(_LONGEST_RULE)(value))
        else:
            yield (name,), "a rule has nothing but rule, message and tolerance"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _object(value: Any) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield (), "it must be an object"


def _part(value: Any) -> Iterator[Fault]:
    if isinstance(value, list):
        yield (), "the items of a list must all have one schema, not one for each place"
    elif not isinstance(value, dict):
        yield (), "it must be a schema"


_CHECKS: dict[str, Callable[[Any], Iterator[Fault]]] = {
    "type": _type,
    "format": _text(_LONGEST_LABEL),
    "enum": _enum,
    "const": _scalar,
    "properties": _object,
    "items": _part,
    "required": _required,
    "nullable": _flag,
    "x-nullable": _flag,
    "title": _text(_LONGEST_DESCRIPTION),
    "description": _text(_LONGEST_DESCRIPTION),
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
