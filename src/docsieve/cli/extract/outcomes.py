"""Outcome of each file given to `docsieve extract`, as it is printed and written."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from docsieve.domain.extraction import LeafMetadata, Result
from docsieve.domain.schemas.fields import ITEM, Scalar, Schema, SchemaField, fields_of
from docsieve.domain.schemas.shape import leaves, parse_path

FINE, NEEDS_REVIEW, FAILED = "ok", "needs review", "failed"


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """`result` is set unless the file failed; `code` and `reason` then say why."""

    file: str
    result: Result | None = None
    pages: int = 0
    seconds: float = 0.0
    code: str | None = None
    reason: str | None = None

    @property
    def status(self) -> str:
        if self.result is None:
            return FAILED
        return NEEDS_REVIEW if self.result.needs_review else FINE

    @property
    def confidence(self) -> float | None:
        return self.result.confidence if self.result is not None else None


@dataclass(frozen=True, slots=True)
class Found:
    """A field with its value and metadata."""

    path: str
    value: Scalar
    metadata: LeafMetadata | None


@dataclass(frozen=True, slots=True)
class Columns:
    """The single fields of a document, and its lists with the fields of their items.

    A nested list is shown as JSON in its row.
    """

    single: list[SchemaField]
    lists: dict[str, list[SchemaField]]

    @classmethod
    def of(cls, schema: Schema) -> "Columns":
        single, lists = [], dict[str, list[SchemaField]]()
        for field in fields_of(schema):
            if ITEM in field.path:
                name = ".".join(field.path[: field.path.index(ITEM)])
                lists.setdefault(name, []).append(field)
            else:
                single.append(field)
        return cls(single, lists)

    def of_items(self, name: str) -> list[str]:
        """The columns of a list's items. A list of scalar values has one column."""
        depth = len(name.split(".")) + 1
        inner = [list(field.path[depth:]) for field in self.lists[name]]
        return list(dict.fromkeys(_column(path) for path in inner))


def at(value: Any, path: str) -> Any:
    """The part of a value at a path, or None."""
    for step in parse_path(path):
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def item_cells(item: Any, columns: list[str]) -> list[Any]:
    """The cells of a list item, one per column."""
    return [as_cell(item if column == "value" else at(item, column)) for column in columns]


def as_cell(value: Any) -> Scalar:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def found_leaves(result: Result) -> Iterator[Found]:
    for path, value in leaves(result.value):
        yield Found(path, value, result.metadata.get(path))


def as_json(outcome: FileOutcome, *, evidence: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"file": outcome.file, "status": outcome.status}
    if outcome.result is None:
        return {**document, "error": {"code": outcome.code, "message": outcome.reason}}
    result = outcome.result
    metadata = {path: asdict(each) for path, each in result.metadata.items()}
    if not evidence:
        metadata = {path: {name: each[name] for name in ("confidence", "grounded")} for path, each in metadata.items()}
    return {
        **document,
        "confidence": result.confidence,
        "needs_review": result.needs_review,
        "value": result.value,
        "metadata": metadata,
        "pages": outcome.pages,
        "usage": asdict(result.usage),
    }


def _column(path: list[str]) -> str:
    """`name` or `price.amount`; `value` for an item that is not an object; the list's name for a nested list."""
    before = path[: path.index(ITEM)] if ITEM in path else path
    return ".".join(before) or "value"
