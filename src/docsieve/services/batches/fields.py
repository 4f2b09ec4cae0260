"""The JSON Schema for a list of fields."""

from collections.abc import Sequence
from typing import Any

from docsieve.domain.batches import FieldDefinition, FieldType
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import Invalid

_PARTS: dict[FieldType, dict[str, Any]] = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "list": {"type": "array", "items": {"type": "string"}},
}


def schema_of(fields: Sequence[FieldDefinition]) -> Schema:
    """Raises Invalid if two fields have the same name."""
    properties: dict[str, Any] = {}
    for each in fields:
        if each.name in properties:
            raise Invalid(f"fields: {each.name} is listed twice.")
        about = {"title": each.title, "description": each.description}
        properties[each.name] = {**_PARTS[each.type], **{key: text for key, text in about.items() if text is not None}}
    required = [each.name for each in fields if each.required]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}
