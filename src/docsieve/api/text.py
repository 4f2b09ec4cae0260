"""Validation of text that PostgreSQL can store: no NUL characters and no lone surrogates."""

import json
import re
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from docsieve.errors import Invalid


def storable(text: str) -> str:
    if "\x00" in text:
        raise ValueError("must not contain NUL characters")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("must be valid Unicode") from error
    return text


Text = Annotated[
    str,
    StringConstraints(max_length=1000),
    AfterValidator(storable),
    Field(json_schema_extra={"pattern": r"^[^\u0000]*$"}),
]


# Printable ASCII only: everything else has to be percent-encoded.
_WEB_URL = r"^https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?([/?#][!-~]*)?$"


def _http(url: str) -> str:
    if re.fullmatch(_WEB_URL, url) is None:
        raise ValueError("must be an http or https URL")
    return url


WebUrl = Annotated[Text, AfterValidator(_http), Field(json_schema_extra={"pattern": _WEB_URL})]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$")]


# The serializer of responses fails a few levels deeper.
_MAX_DEPTH = 100


def _depth(value: object) -> int:
    """Levels of nesting, computed without recursion, because the value may be deeper than the stack."""
    depth, level = 0, [value]
    while level := [child for each in level for child in _children(each)]:
        depth += 1
    return depth


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def storable_json(value: Any) -> Any:
    """A JSON value that can be stored: no NUL, lone surrogates, NaN or infinity, and limited nesting."""
    if _depth(value) > _MAX_DEPTH:
        raise ValueError(f"must not be nested deeper than {_MAX_DEPTH} levels")
    try:
        storable(json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\\u0000", "\x00"))
    except RecursionError as error:
        raise ValueError("must not be nested that deeply") from error
    return value


SchemaChoice = Text | Annotated[dict[str, Any], AfterValidator(storable_json)]
"""A schema name, a version of it, `auto`, `none`, or a JSON Schema."""


def json_object(text: str, *, field: str) -> dict[str, Any]:
    """A JSON object that can be stored: no NUL, lone surrogates, NaN or infinity, and limited nesting."""
    try:
        value = json.loads(storable(text))
        storable(json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\\u0000", "\x00"))
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{field}: {type(error).__name__}: it must be a JSON object of storable text.") from error
    if not isinstance(value, dict):
        raise Invalid(f"{field}: it must be a JSON object.")
    if _depth(value) > _MAX_DEPTH:
        raise Invalid(f"{field}: it is nested deeper than {_MAX_DEPTH} levels.")
    return value
