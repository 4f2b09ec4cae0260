"""Limits on the size and complexity of a schema."""

import json
from collections.abc import Iterable

from docsieve.errors.extractions import SchemaInvalid, SchemaProblem

MAX_BYTES = 256 * 1024
MAX_LEAVES = 2_000
MAX_LEVELS = 20

# A few kilobytes of `$ref` can expand to millions of objects.
MAX_PARTS = 10_000

# See `keywords.pattern_cost`. The API compiles patterns while other requests wait.
MAX_PATTERN_COST = 25_000

_MAX_NESTING = 100


def check_bounds(given: object, noun: str = "schema") -> None:
    """Raise if the value is not JSON or too large or deep. Afterwards, recursion over it is safe."""
    if _nesting(given) > _MAX_NESTING:
        raise SchemaInvalid([SchemaProblem("", f"the {noun} is nested deeper than {_MAX_NESTING} levels")])
    try:
        text = json.dumps(given, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError) as error:
        message = f"the {noun} must be JSON of valid Unicode, without NaN and infinity"
        raise SchemaInvalid([SchemaProblem("", message)]) from error
    if "\\u0000" in text:
        raise SchemaInvalid([SchemaProblem("", f"the {noun} must not contain NUL characters")])
    if size > MAX_BYTES:
        raise SchemaInvalid([SchemaProblem("", f"the {noun} has {size:,} bytes; at most {MAX_BYTES:,} are allowed")])


def _nesting(value: object) -> int:
    """Levels of nesting, computed without recursion, because the value may be deeper than the stack."""
    depth, level = 0, [value]
    while depth <= _MAX_NESTING and (level := [child for each in level for child in _children(each)]):
        depth += 1
    return depth


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
