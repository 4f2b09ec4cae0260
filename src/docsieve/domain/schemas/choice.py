"""What a request may say in `schema`: a reference (`invoice`, `invoice@3`), a JSON Schema, `auto` or `none`."""

import json
from collections.abc import Mapping
from typing import Any

from docsieve.domain.schemas.fields import Schema

AUTO = "auto"
"""The schema is chosen by the class of the document."""

NONE = "none"
"""The document is read, and no fields are extracted."""

RESERVED = frozenset((AUTO, NONE))


def choice_text(given: str | Mapping[str, Any] | None) -> str | None:
    """The choice as text, which is how a document stores it."""
    return given if given is None or isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def choice_name(choice: str | None) -> str | None:
    """The choice unless it is a JSON Schema, which has no name."""
    return None if choice is None or choice.startswith("{") else choice


def inline_schema(choice: str) -> Schema | None:
    """The JSON Schema that the choice consists of; None if it is a name."""
    if not choice.startswith("{"):
        return None
    schema: Schema = json.loads(choice)
    return schema
