"""Values that match a schema's structure, and the paths of their fields."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from docsieve.domain.schemas.fields import Scalar, Schema, resolved, type_of

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def shaped(schema: Schema, found: Mapping[str, Scalar]) -> Any:
    """The value with the fields in `found` by path (`line_items[0].price`). Missing fields are null; no other keys.

    Arrays are as long as the highest index found.
    """
    tree: dict[str | int, Any] = {}
    for path, value in found.items():
        steps, place = parse_path(path), tree
        for step in steps[:-1]:
            place = place.setdefault(step, {})
        place[steps[-1]] = value
    return _shaped(resolved(schema, schema), schema, tree)


def conformed(schema: Schema, value: Any) -> Any:
    """The part of `value`, such as a model's response, that matches the schema's structure. Scalars are kept as is."""
    return _shaped(resolved(schema, schema), schema, _tree(value))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Scalar]]:
    """Each field with its path. Empty objects and arrays have none."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from leaves(each, f"{path}[{index}]")
    else:
        yield path, value


def parse_path(path: str) -> list[str | int]:
    """`line_items[0].price` as `["line_items", 0, "price"]`."""
    return [int(index) if index else name for name, index in _STEP.findall(path)]


def pattern_of(path: str) -> str:
    """The pattern of the schema field for a path: `line_items[].price`."""
    return re.sub(r"\[\d+\]", "[]", path)


def _tree(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _tree(each) for name, each in value.items()}
    if isinstance(value, list):
        return {index: _tree(each) for index, each in enumerate(value)}
    return value


def _shaped(part: Schema, root: Schema, found: Any) -> Any:
    kind = type_of(part)
    if kind == "object":
        given = found if isinstance(found, dict) else {}
        return {
            name: _shaped(resolved(each, root), root, given.get(name))
            for name, each in part.get("properties", {}).items()
        }
    if kind == "array":
        given = found if isinstance(found, dict) else {}
        indexes = [index for index in given if isinstance(index, int)]
        items = resolved(part["items"], root)
        return [_shaped(items, root, given.get(index)) for index in range(max(indexes, default=-1) + 1)]
    return None if isinstance(found, dict) else found
