"""Builds schemas from a list of fields or a Pydantic model. They must still pass `subset.check_schema`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from docsieve.domain.schemas.bounds import check_bounds
from docsieve.domain.schemas.field_types import GROUPS, LISTS, leaf_of
from docsieve.domain.schemas.fields import ITEM, Schema
from docsieve.domain.schemas.pointers import pointed
from docsieve.errors.extractions import SchemaInvalid, SchemaProblem

_NAME = re.compile(r"[^.\[\]]+(\[\])?(\.[^.\[\]]+(\[\])?)*")
_LIST_OF = re.compile(r"(?:list|array) of (.+)|(?:list|array)\[(.+)\]", re.IGNORECASE)
_NO = ("", "0", "no", "false", "optional")


def from_model(model: type[BaseModel]) -> Schema:
    """The schema of a Pydantic model, with its serialization aliases."""
    return model.model_json_schema()


def from_fields(fields: Any) -> Schema:
    """A schema of fields with `name`, `type` and `description`, and optionally `required`, `labels` and `options`.

    `seller.name` is inside `seller`; `line_items[].price`, or `line_items.price` if line_items is a list, is inside
    each item. `fields` of a field are inside it.
    """
    check_bounds(fields, "list of fields")
    root = _Node("")
    root.add(fields, "")
    return root.inside()


@dataclass(slots=True)
class _Node:
    """One name with the properties given so far. `pointer` is its location in the list."""

    pointer: str
    given: Mapping[str, Any] | None = None
    many: bool = False
    children: "dict[str, _Node]" = field(default_factory=dict)

    def add(self, fields: Any, pointer: str) -> None:
        if not isinstance(fields, list) or not fields:
            raise _wrong(pointer, "it must be a list of at least one field")
        for index, each in enumerate(fields):
            self._add(each, pointed(pointer, index))

    def _add(self, given: Any, pointer: str) -> None:
        name = given.get("name") if isinstance(given, dict) else None
        if not isinstance(name, str) or not _NAME.fullmatch(name.strip()):
            raise _wrong(pointed(pointer, "name"), "a name has the form total, seller.name or line_items[].price")
        node = self
        for step in name.split("."):
            node = node.children.setdefault(step.strip().removesuffix(ITEM).strip(), _Node(pointer))
            node.many = node.many or step.strip().endswith(ITEM)
        if node.given is not None:
            raise _wrong(pointed(pointer, "name"), "there is already a field with that name")
        node.given, node.pointer = given, pointer
        if given.get("fields"):
            node.add(given["fields"], pointed(pointer, "fields"))

    def inside(self) -> Schema:
        required = [name for name, child in self.children.items() if child.said("required").lower() not in _NO]
        parts = {name: child.part() for name, child in self.children.items()}
        return {"type": "object", "properties": parts, **({"required": required} if required else {})}

    def said(self, key: str) -> str:
        return str((self.given or {}).get(key) or "").strip()

    def part(self) -> Schema:
        kind, many = self.said("type"), self.many
        listed = _LIST_OF.fullmatch(kind)
        if listed is not None:
            kind, many = listed[1] or listed[2], True
        elif kind.lower() in LISTS:
            kind, many = "", True
        description = {"description": self.said("description")} if self.said("description") else {}
        labels = _words((self.given or {}).get("labels"))
        inner = {**self._one(kind), **({"x-labels": labels} if labels else {})}
        return {"type": "array", **description, "items": inner} if many else {**inner, **description}

    def _one(self, kind: str) -> Schema:
        """The schema of the value, or of each item of a list."""
        place = pointed(self.pointer, "type")
        is_group = kind.lower() in GROUPS
        if self.children:
            if kind and not is_group:
                raise _wrong(place, f"“{kind[:40]}” cannot contain fields; only a group or a list can")
            return self.inside()
        if is_group:
            raise _wrong(place, "a group needs fields inside: seller.name is inside seller")
        given = self.given or {}
        return leaf_of(kind, _words(given.get("options") or given.get("enum")), place)


def _words(given: Any) -> list[Any]:
    """A list, or text separated by semicolons or bars, as in a spreadsheet."""
    if isinstance(given, str):
        return [each.strip() for each in re.split(r"[;|]", given) if each.strip()]
    return list(given) if isinstance(given, list) else []


def _wrong(pointer: str, message: str) -> SchemaInvalid:
    return SchemaInvalid([SchemaProblem(pointer, message)])
