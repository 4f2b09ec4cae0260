"""Translates our schemas into the dialect that each provider accepts.

No dialect has `$ref`, our own `x-` keywords or defaults. Values may be null even if the schema requires them: providers
enforce the schema, and a model that must return a value invents one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docsieve.domain.schemas.fields import allows_null, resolved, type_of
from docsieve.llm.port import Schema

_NUMBERS = frozenset({"minimum", "maximum"})
_LENGTHS = frozenset({"minLength", "maxLength"})
_ITEMS = frozenset({"minItems", "maxItems"})


@dataclass(frozen=True, slots=True)
class Dialect:
    """`all_required`: optional properties must be present and may be null. `absent_for_null`: they are left out."""

    words: frozenset[str]
    formats: frozenset[str] | None = frozenset()
    all_required: bool = False
    absent_for_null: bool = False
    null_in_enum: bool = True


STRICT = Dialect(
    _NUMBERS | _ITEMS | {"pattern"},
    frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}),
    all_required=True,
)
"""OpenAI's strict structured output, which Azure and Mistral share."""

GEMINI = Dialect(_NUMBERS | _ITEMS, frozenset({"date-time", "date", "time"}), null_in_enum=False)
"""`responseJsonSchema`, which knows neither patterns nor lengths, and only strings or numbers in an enum."""

ANTHROPIC = Dialect(
    frozenset(),
    frozenset({"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}),
    absent_for_null=True,
)
"""Structured output, which bounds nothing and allows more properties that are optional than types that are unions."""

OPEN = Dialect(_NUMBERS | _ITEMS | _LENGTHS | {"pattern"}, None, all_required=True)
"""JSON Schema as it is: for tools that are not strict, and for models that read the schema in the prompt."""

GRAMMAR = Dialect(_ITEMS, frozenset({"date-time", "date", "time", "uuid"}), all_required=True)
"""For servers that make a grammar of the schema: bounds of numbers and patterns are where those fail."""


def translated(schema: Schema, dialect: Dialect) -> Schema:
    return _part(resolved(schema, schema), schema, dialect, nullable=False)


def fits_strict(schema: Schema) -> bool:
    """Whether a translated schema keeps within the limits that OpenAI documents for strict output."""
    size = _Size()
    size.add(schema, depth=1)
    return size.properties <= 5_000 and size.depth <= 10 and size.members <= 1_000 and size.characters <= 120_000


def _part(part: Schema, root: Schema, dialect: Dialect, *, nullable: bool) -> Schema:
    kind = type_of(part)
    written: Schema = {"type": [kind, "null"] if nullable else kind}
    if part.get("title"):
        written["title"] = part["title"]
    if part.get("description"):
        written["description"] = part["description"]
    written |= {word: part[word] for word in part if word in dialect.words}
    if (form := part.get("format")) and (dialect.formats is None or form in dialect.formats):
        written["format"] = form
    if kind == "object":
        return written | _properties(part, root, dialect)
    if kind == "array":
        items = resolved(part["items"], root)
        return written | {"items": _part(items, root, dialect, nullable=allows_null(items))}
    return _with_members(written, part, dialect, nullable=nullable)


def _properties(part: Schema, root: Schema, dialect: Dialect) -> Schema:
    wanted, properties = set(part.get("required", ())), {}
    for name, each in part.get("properties", {}).items():
        inner = resolved(each, root)
        leaf = type_of(inner) not in ("object", "array")
        nullable = leaf or allows_null(inner) or (dialect.all_required and name not in wanted)
        if nullable and dialect.absent_for_null:
            nullable, wanted = False, wanted - {name}
        properties[name] = _part(inner, root, dialect, nullable=nullable)
    required = [name for name in properties if dialect.all_required or name in wanted]
    return {"properties": properties, "required": required, "additionalProperties": False}


def _with_members(written: Schema, part: Schema, dialect: Dialect, *, nullable: bool) -> Schema:
    members = part.get("enum", [part["const"]] if "const" in part else None)
    if members is None:
        return written
    said = [each for each in members if each is not None]
    if not nullable:
        return written | {"enum": said}
    if dialect.null_in_enum:
        return written | {"enum": [*said, None]}
    about: Schema = {word: written.pop(word) for word in ("title", "description") if word in written}
    return {"anyOf": [written | {"type": type_of(part), "enum": said}, {"type": "null"}], **about}


@dataclass(slots=True)
class _Size:
    properties: int = 0
    depth: int = 0
    members: int = 0
    characters: int = 0

    def add(self, part: Mapping[str, Any], depth: int) -> None:
        self.depth = max(self.depth, depth)
        members = part.get("enum", ())
        self.members += len(members)
        self.characters += sum(len(str(each)) for each in members)
        for name, each in part.get("properties", {}).items():
            self.properties += 1
            self.characters += len(name)
            self.add(each, depth + 1)
        if "items" in part:
            self.add(part["items"], depth + 1)
