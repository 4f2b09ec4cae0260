"""Limits on the size and complexity of a schema."""

import json
from collections.abc import Iterable

from docsieve.errors.extractions import SchemaInvalid, SchemaProblem

MOST_BYTES = 256 * 1024
MOST_LEAVES = 2_000
MOST_LEVELS = 20

# A few kilobytes of `$ref` can expand to millions of objects.
MOST_PARTS = 10_000

# See `keywords.pattern_cost`. The API compiles patterns while other requests wait.
MOST_PATTERN_COST = 25_000

_MOST_NESTING = 100


def check_bounds(given: object, noun: str = "schema") -> None:
    """Raise if the value is not JSON or too large or deep. Afterwards, recursion over it is safe."""
    if _nesting(given) > _MOST_NESTING:
        raise SchemaInvalid([SchemaProblem("", f"the {noun} is nested deeper than {_MOST_NESTING} levels")])
    try:
        text = json.dumps(given, ensure_ascii=False, allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError) as error:
        message = f"the {noun} must be JSON of valid Unicode, without NaN and infinity"
        raise SchemaInvalid([SchemaProblem("", message)]) from error
    if "\\u0000" in text:
        raise SchemaInvalid([SchemaProblem("", f"the {noun} must not contain NUL characters")])
    if size > MOST_BYTES:
        raise SchemaInvalid([SchemaProblem("", f"the {noun} has {size:,} bytes; {MOST_BYTES:,} are the most")])


def _nesting(value: object) -> int:
    """Levels of nesting, computed without recursion, because the value may be deeper than the stack."""
    depth, level = 0, [value]
    while depth <= _MOST_NESTING and (level := [child for each in level for child in _children(each)]):
        depth += 1
    return depth


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
