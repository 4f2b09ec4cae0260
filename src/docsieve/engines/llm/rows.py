"""Rows of arrays from one part after another, as one array."""

from collections.abc import Mapping
from typing import Any

from docsieve.domain.schemas.fields import Schema, SchemaField, resolved, type_of
from docsieve.domain.schemas.shape import leaves, pattern_of
from docsieve.engines.llm.evidence import PartEvidence

Row = Any


def repeated_in_context(
    rows: list[Row], before: list[Row], fields: Mapping[str, SchemaField], text: PartEvidence, most: int
) -> int:
    """How many of the first rows were only read from the context: they end the part before and are not in this one.

    `fields` are those of a row, by their pattern inside of it.
    """
    for count in range(min(most, len(rows), len(before)), 0, -1):
        if before[-count:] == rows[:count] and not any(_on_one_line(row, fields, text) for row in rows[:count]):
            return count
    return 0


def is_entity(row: Row) -> bool:
    """Whether a row only names something, such as a party: two equal ones are one. Rows with numbers are entries."""
    values = [value for _, value in leaves(row) if value is not None]
    return bool(values) and not any(
        isinstance(value, int | float) or any(letter.isdigit() for letter in value) for value in values
    )


def holds_arrays(items: Schema, root: Schema) -> bool:
    return type_of(items) == "object" and any(
        type_of(resolved(each, root)) == "array" for each in items.get("properties", {}).values()
    )


def continued(rows: list[Row], row: Row) -> Row | None:
    """The earlier row that this one goes on: the same scalars as far as both are known, as an account over pages."""
    own = _scalars(row)
    if not own:
        return rows[-1] if rows else None
    for earlier in reversed(rows):
        theirs = _scalars(earlier)
        shared = own.keys() & theirs.keys()
        if shared and all(own[name] == theirs[name] for name in shared):
            return earlier
    return None


def join(earlier: Row, row: Row) -> None:
    """Put what the row knows more into the earlier one."""
    for name, value in row.items():
        if isinstance(value, list):
            earlier[name] = [*earlier[name], *value]
        elif isinstance(value, dict):
            join(earlier[name], value)
        elif earlier[name] is None:
            earlier[name] = value


def _scalars(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None and not isinstance(value, list | dict)}


def _on_one_line(row: Row, fields: Mapping[str, SchemaField], text: PartEvidence) -> bool:
    lines: set[int] | None = None
    for path, value in leaves(row):
        if value is None or isinstance(value, bool):
            continue
        found = set(text.places(value, fields[pattern_of(path)]))
        lines = found if lines is None else lines & found
    return bool(lines)
