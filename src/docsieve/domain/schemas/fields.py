"""The fields (leaves) of a schema, which engines extract.

All functions expect a schema that has passed `subset.check_schema`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote

Schema = dict[str, Any]
Kind = Literal["string", "number", "integer", "boolean"]
Scalar = str | int | float | bool | None

ITEM = "[]"
"""In a field's path, the items of an array."""


@dataclass(frozen=True, slots=True)
class SchemaField:
    """One field. `path` is `("line_items", "[]", "price")`; `about` are the descriptions of its parents.

    `list_labels` are the title and labels of the innermost array that it repeats in.
    """

    path: tuple[str, ...]
    kind: Kind
    format: str | None = None
    enum: tuple[Scalar, ...] | None = None
    nullable: bool = True
    required: bool = False
    title: str = ""
    description: str = ""
    labels: tuple[str, ...] = ()
    threshold: float | None = None
    about: tuple[str, ...] = ()
    list_labels: tuple[str, ...] = ()
    default: Scalar = None

    @property
    def name(self) -> str:
        """The last named part of the path: `tags[]` has the name `tags`."""
        return next((part for part in reversed(self.path) if part != ITEM), "")

    @property
    def pattern(self) -> str:
        """`line_items[].price`, the same for all rows."""
        return path_text(self.path)

    @property
    def group(self) -> tuple[str, ...] | None:
        """The path of the innermost array that the field repeats in, without the item: `("line_items",)`."""
        last = max((i for i, part in enumerate(self.path) if part == ITEM), default=None)
        return None if last is None else self.path[:last]


def fields_of(schema: Schema) -> list[SchemaField]:
    """All fields in schema order."""
    return list(_fields(resolved(schema, schema), schema, _Above(), required=True))


def resolved(part: Schema, root: Schema) -> Schema:
    """The part with references resolved: `$ref`, a single `allOf`, and the first alternative that is not null.

    Keywords next to a reference take precedence over those of its target.
    """
    while True:
        rest = dict(part)
        if "$ref" in rest:
            part = {**referred(rest.pop("$ref"), root), **rest}
        elif "anyOf" in rest or "oneOf" in rest:
            options = rest.pop("anyOf" if "anyOf" in rest else "oneOf")
            null_too = {"x-nullable": True} if any(map(is_null, options)) else {}
            part = {**options[chosen(options) or 0], **rest, **null_too}
        elif "allOf" in rest:
            part = {**rest.pop("allOf")[0], **rest}
        else:
            return part


def referred(ref: str, root: Schema) -> Any:
    """The target of a reference such as `#/$defs/Line`. Raises LookupError if it does not exist."""
    target: Any = root
    for step in ref.removeprefix("#/").split("/"):
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if not isinstance(target, dict):
            raise LookupError(ref)
        target = target[name]
    return target


def chosen(options: list[Schema]) -> int | None:
    """The alternative that is used."""
    return next((index for index, each in enumerate(options) if not is_null(each)), None)


def is_null(part: Schema) -> bool:
    return part.get("type") in ("null", ["null"]) or part.get("enum") == [None] or part.get("const", "") is None


def type_of(part: Schema) -> str:
    """`object`, `array` or the type of a field. A part with only an enum is a string."""
    said = part.get("type", "object" if "properties" in part else "array" if "items" in part else "string")
    if isinstance(said, list):
        return next((each for each in said if each != "null"), "string")
    return str(said)


def allows_null(part: Schema) -> bool:
    said = part.get("type")
    listed = isinstance(said, list) and "null" in said
    return listed or bool(part.get("x-nullable")) or bool(part.get("nullable")) or None in part.get("enum", ())


def path_text(path: tuple[str, ...]) -> str:
    return "".join(part if part.startswith("[") else f".{part}" for part in path).removeprefix(".")


@dataclass(frozen=True, slots=True)
class _Above:
    """What the parents of a part say about it."""

    path: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    list_labels: tuple[str, ...] = ()

    def step(self, name: str, part: Schema) -> "_Above":
        about = (*self.about, part["description"]) if part.get("description") else self.about
        if name != ITEM:
            return _Above((*self.path, name), about, self.list_labels)
        title = (part["title"],) if part.get("title") else ()
        return _Above((*self.path, ITEM), about, (*title, *part.get("x-labels", ())))


def _fields(part: Schema, root: Schema, above: _Above, *, required: bool) -> Iterator[SchemaField]:
    kind = type_of(part)
    if kind == "object":
        wanted = set(part.get("required", ()))
        for name, each in part.get("properties", {}).items():
            yield from _fields(resolved(each, root), root, above.step(name, part), required=name in wanted)
    elif kind == "array":
        yield from _fields(resolved(part["items"], root), root, above.step(ITEM, part), required=False)
    else:
        yield _leaf(part, above, kind, required=required)


def _leaf(part: Schema, above: _Above, kind: str, *, required: bool) -> SchemaField:
    enum = part.get("enum", (part["const"],) if "const" in part else None)
    return SchemaField(
        path=above.path,
        kind=kind if kind in ("number", "integer", "boolean") else "string",  # type: ignore[arg-type]
        format=part.get("format"),
        enum=tuple(enum) if enum is not None else None,
        nullable=allows_null(part) or not required,
        required=required,
        title=part.get("title", ""),
        description=part.get("description", ""),
        labels=tuple(part.get("x-labels", ())),
        threshold=part.get("x-threshold"),
        about=above.about,
        list_labels=above.list_labels,
        default=part.get("default"),
    )
