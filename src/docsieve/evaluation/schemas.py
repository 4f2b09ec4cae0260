"""The schema that a command was given: one that ships with the product by its name, or a JSON file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.ready import READY
from docsieve.domain.schemas.refs import SchemaRef
from docsieve.domain.schemas.subset import check_schema
from docsieve.errors import Invalid
from docsieve.errors.extractions import UnknownSchema
from docsieve.evaluation.datasets import Sample

_WRAPPERS = ("schema_definition", "schema")


def load_schema(given: str) -> tuple[str, Schema, list[str]]:
    """Its name, the schema, and what of it is ignored. Raises UnknownSchema, SchemaInvalid or Invalid."""
    path = Path(given)
    if path.suffix != ".json" and not path.is_file():
        ref = SchemaRef.parse(given)
        if ref.name not in READY or ref.version not in (None, 0):
            raise UnknownSchema(f"Schema {given} not found. Built-in schemas: {', '.join(READY)}.")
        return ref.name, READY[ref.name], []
    schema = read_schema(path)
    return path.stem, schema, check_schema(schema)


def read_schema(path: Path) -> Schema:
    try:
        schema = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise Invalid(f"{path} not found.") from error
    except (OSError, ValueError, RecursionError) as error:
        raise Invalid(f"{path} is not valid JSON.") from error
    return schema if isinstance(schema, dict) else {}


def schemas_of(samples: Sequence[Sample], given: Schema | None) -> list[Schema]:
    """One for each document: the one given, else its own. Raises Invalid where there is neither."""
    known: dict[Path, Schema] = {}

    def of(sample: Sample) -> Schema:
        if given is not None:
            return given
        if sample.schema is None:
            raise Invalid(f"{sample.name} has no schema. Name one with --schema.")
        if sample.schema not in known:
            known[sample.schema] = _unwrapped(read_schema(sample.schema))
            check_schema(known[sample.schema])
        return known[sample.schema]

    return [of(sample) for sample in samples]


def _unwrapped(schema: dict[str, Any]) -> Schema:
    """Unwraps a schema: benchmarks put a name and a description around it."""
    if "properties" not in schema and "type" not in schema:
        for name in _WRAPPERS:
            if isinstance(schema.get(name), dict):
                return dict(schema[name])
    return schema
