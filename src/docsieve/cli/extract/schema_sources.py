"""Builds schemas from a schema file, an example, a list of fields, or a Pydantic model."""

import csv
import importlib
import io
import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from docsieve.domain.schemas.build import from_fields, from_model
from docsieve.domain.schemas.examples import from_example
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import Invalid


def schema_from(
    *, schema: Path | None, example: Path | None = None, fields: Path | None = None, model: str | None = None
) -> Schema:
    """Exactly one source must be given. The schema is not validated yet."""
    if sum(given is not None for given in (schema, example, fields, model)) != 1:
        raise Invalid("Give either a schema FILE or one of --from-example, --from-fields and --from-model.")
    if example is not None:
        return from_example(_json(example))
    if fields is not None:
        return from_fields(_fields(fields))
    if model is not None:
        return from_model(_model(model))
    assert schema is not None
    found: Schema = _json(schema)
    return found


def read_text(path: Path) -> str:
    """`-` reads stdin."""
    try:
        return sys.stdin.read() if str(path) == "-" else path.read_text("utf-8-sig")
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Invalid(f"{path} is not UTF-8 text.") from error


def _json(path: Path) -> Any:
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{path} is not valid JSON: {error}.") from error


def _fields(path: Path) -> list[Any]:
    """From a CSV file with the columns name, type and description, or a JSON list of such objects."""
    if path.suffix.lower() != ".csv":
        given = _json(path)
        found = given.get("fields") if isinstance(given, dict) else given
        return found if isinstance(found, list) else [found]
    text = read_text(path)
    separator = ";" if ";" in text.partition("\n")[0] else ","
    rows = csv.DictReader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    columns = [(name or "").strip().lower() for name in rows.fieldnames or ()]
    if "name" not in columns:
        raise Invalid(f"The first line of {path} must name its columns: name, type, description.")
    return [
        {column: (value or "").strip() for column, value in zip(columns, row.values(), strict=False)}
        for row in rows
        if any(isinstance(value, str) and value.strip() for value in row.values())
    ]


def _model(said: str) -> type[BaseModel]:
    """`package.module:Class`, which can also be in the current folder."""
    module_name, _, class_name = said.partition(":")
    sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module_name), class_name)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise Invalid(f"{said} cannot be imported: {error}.") from error
    finally:
        sys.path.remove("")
    if not (isinstance(found, type) and issubclass(found, BaseModel)):
        raise Invalid(f"{said} is not a Pydantic model.")
    return found
