"""Schemas of lists, and what the local engine finds for them."""

from collections.abc import Sequence
from typing import Any

from docsieve.domain.pages.page import Line, Page
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import shaped
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}


def listed(**fields: Schema) -> Schema:
    return {"type": "array", "items": {"type": "object", "properties": fields}}


def value(schema: dict[str, Schema], *pages: Page) -> Any:
    whole: Schema = {"type": "object", "properties": schema}
    found = LocalFields().propose(material(*pages), whole, lessons=None).found
    return shaped(whole, {path: each.value for path, each in found.items()})


def rows(entries: Any) -> list[list[object]]:
    return [list(each.values()) for each in entries]


def spread(texts: Sequence[tuple[str, ...]], places: tuple[int, ...], top: float = 100.0) -> list[Line]:
    return [
        line(x, top + 14 * at, text)
        for at, row in enumerate(texts)
        for x, text in zip(places, row, strict=False)
        if text
    ]
