"""The columns that the fields of one or more schemas become."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from docsieve.domain.schemas.fields import ITEM, Schema, SchemaField, fields_of

Kind = Literal["text", "number", "integer", "boolean", "date", "datetime", "share", "json"]
"""The type of a column. A share is a number from 0 to 1; JSON is a list or an object in one cell."""


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Columns:
    """The single fields of a document, and its lists with the fields of their items.

    A nested list is shown as JSON in its row.
    """

    single: list[SchemaField]
    lists: dict[str, list[SchemaField]]

    @classmethod
    def of(cls, schemas: Iterable[Schema]) -> "Columns":
        """All fields of the first schema in its order, then those that only the second has, and so on."""
        single, lists = dict[str, SchemaField](), dict[str, dict[str, SchemaField]]()
        for schema in schemas:
            for field in fields_of(schema):
                if ITEM in field.path:
                    name = ".".join(field.path[: field.path.index(ITEM)])
                    _add(lists.setdefault(name, {}), field)
                else:
                    _add(single, field)
        return cls(list(single.values()), {name: list(fields.values()) for name, fields in lists.items()})

    def of_items(self, name: str) -> list[Column]:
        """The columns of a list's items. A list of scalar values has one column, `value`."""
        depth = len(name.split(".")) + 1
        found: dict[str, Column] = {}
        for field in self.lists[name]:
            inner = field.path[depth:]
            nested = ITEM in inner
            title = ".".join(inner[: inner.index(ITEM)] if nested else inner) or "value"
            found.setdefault(title, Column(title, "json" if nested else kind_of(field)))
        return list(found.values())


def kind_of(field: SchemaField) -> Kind:
    if field.enum is not None and field.kind == "string":
        return "text"
    if field.kind == "string":
        return "date" if field.format == "date" else "datetime" if field.format == "date-time" else "text"
    return field.kind


def distinct(columns: Iterable[Column]) -> list[Column]:
    """The columns with unique names: a field `status` next to the extraction's status becomes `status (2)`."""
    names: set[str] = set()
    renamed = []
    for column in columns:
        name, number = column.name, 1
        while name in names:
            number += 1
            name = f"{column.name} ({number})"
        names.add(name)
        renamed.append(replace(column, name=name))
    return renamed


def _add(known: dict[str, SchemaField], field: SchemaField) -> None:
    """Where two schemas disagree on a field's type, it is a number if both are numeric, and text otherwise."""
    before = known.setdefault(field.pattern, field)
    if kind_of(before) != kind_of(field):
        numeric = {before.kind, field.kind} == {"number", "integer"}
        known[field.pattern] = replace(before, kind="number" if numeric else "string", format=None, enum=None)
