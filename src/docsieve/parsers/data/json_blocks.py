"""JSON values in readable form: `key: value` lines, and grids of similar records."""

from collections.abc import Iterator
from typing import Any

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Paragraph

MAX_DEPTH = 200

_ROWS_A_GRID = 200
_MAX_COLUMNS = 60
_MAX_LINE_LENGTH = 90
_MAX_LINES = 500
_MAX_INDENT = 12
_WORDS = {True: "true", False: "false", None: "null"}

Value = Any
"""A parsed JSON value, with numbers as they were written."""


def value_blocks(value: Value) -> Iterator[Block]:
    writer = _Writer()
    yield from writer.value("", value, 0)
    yield from writer.flush()


def is_flat(value: Value) -> bool:
    return (
        isinstance(value, dict) and bool(value) and not any(isinstance(inner, (dict, list)) for inner in value.values())
    )


def grids_of(records: list[dict[str, Value]]) -> Iterator[Block]:
    """Yield flat records as rows under their keys, or one after another if they have too many keys."""
    for start in range(0, len(records), _ROWS_A_GRID):
        some = records[start : start + _ROWS_A_GRID]
        keys = list(dict.fromkeys(key for record in some for key in record))
        if len(keys) > _MAX_COLUMNS:
            for record in some:
                yield Paragraph("\n".join(f"{key}: {scalar(value)}" for key, value in record.items()))
            continue
        rows = [[GridCell(key, header=True) for key in keys]] if keys else []
        rows += [[GridCell(scalar(record[key]) if key in record else "") for key in keys] for record in some]
        yield Grid(rows)


def scalar(value: Value) -> str:
    return value if isinstance(value, str) else _WORDS.get(value, str(value))


class _Writer:
    """Collects lines. A grid, or a key of the outermost object with more than one line, begins a new block."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def flush(self) -> Iterator[Block]:
        if self._lines:
            yield Paragraph("\n".join(self._lines))
        self._lines = []

    def value(self, key: str, value: Value, depth: int) -> Iterator[Block]:
        if depth > MAX_DEPTH:
            raise CorruptDocument(f"The document's values are nested more than {MAX_DEPTH} deep.")
        if isinstance(value, dict) and value:
            yield from self._object(key, value, depth)
        elif isinstance(value, list) and value:
            yield from self._array(key, value, depth)
        elif not isinstance(value, (dict, list)):
            self._add(key, scalar(value), depth)
        elif key:
            self._add(key, "", depth)
        if len(self._lines) > _MAX_LINES:
            yield from self.flush()

    def _object(self, key: str, value: dict[str, Value], depth: int) -> Iterator[Block]:
        if depth <= 1:
            yield from self.flush()
        if key:
            self._add(key, "", depth)
        for inner_key, inner in value.items():
            yield from self.value(inner_key, inner, depth + 1 if key else depth)

    def _array(self, key: str, values: list[Value], depth: int) -> Iterator[Block]:
        if all(not isinstance(value, (dict, list)) for value in values):
            self._add_scalars(key, values, depth)
            return
        if key:
            if depth <= 1:
                yield from self.flush()
            self._add(key, "", depth)
        if len(values) > 1 and all(map(is_flat, values)):
            yield from self.flush()
            yield from grids_of(values)
            return
        for place, value in enumerate(values, start=1):
            label = f"{key or 'item'} {place}"
            yield from self.value(label, value, depth + 1)
            if depth <= 1:
                yield from self.flush()

    def _add_scalars(self, key: str, values: list[Value], depth: int) -> None:
        joined = ", ".join(map(scalar, values))
        if len(joined) <= _MAX_LINE_LENGTH or all(len(scalar(value)) < 16 for value in values):
            self._add(key, joined, depth)
            return
        if key:
            self._add(key, "", depth)
        for value in values:
            self._add("-", scalar(value), depth + 1 if key else depth)

    def _add(self, key: str, text: str, depth: int) -> None:
        indent = "  " * min(depth, _MAX_INDENT)
        label = key if key == "-" else f"{key}:" if key else ""
        first, *others = text.splitlines() or [""]
        self._lines.append(f"{indent}{label} {first}".rstrip() if label else indent + first)
        self._lines.extend(f"{indent}  {other}" for other in others)
