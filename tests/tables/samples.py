"""A schema with every kind of field, a value of it, and files written whole."""

import tempfile
from collections.abc import Iterable
from typing import Any

import duckdb

from docsieve.domain.schemas.fields import Schema
from docsieve.tables.columns import Column
from docsieve.tables.files import TablesFile
from docsieve.tables.layout import Layout, Lists, Record

ABOUT = (Column("id"), Column("file"), Column("status"), Column("confidence", "share"))

BILL: Schema = {
    "type": "object",
    "properties": {
        "number": {"type": "string"},
        "date": {"type": "string", "format": "date"},
        "printed": {"type": "string", "format": "date-time"},
        "total": {"type": "number"},
        "copies": {"type": "integer"},
        "paid": {"type": "boolean"},
        "seller": {"type": "object", "properties": {"name": {"type": "string"}, "city": {"type": "string"}}},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "price": {"type": "number"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
        "notes": {"type": "array", "items": {"type": "string"}},
    },
}
VALUE: dict[str, Any] = {
    "number": "2025-001",
    "date": "2025-03-14",
    "printed": "2025-03-14T18:30:00",
    "total": -1234.5,
    "copies": 3,
    "paid": True,
    "seller": {"name": 'Bäckerei "Müller", Süd', "city": None},
    "lines": [{"text": "Brot", "price": 3.5, "tags": ["a", "b"]}, {"text": "Käse\nalt", "price": None, "tags": []}],
    "notes": ["first", "second"],
}


def layout(schemas: Iterable[Schema] = (BILL,), *, lists: Lists = "json", evidence: bool = False) -> Layout:
    return Layout.of(schemas, about=ABOUT, keys=2, lists=lists, evidence=evidence)


def record(value: Any = VALUE, name: str = "1", **more: Any) -> Record:
    return Record([name, f"{name}.pdf", "completed", 0.875], value, **more)


def parquet_column(content: bytes, name: str) -> list[Any]:
    """The values of one column, as DuckDB reads them."""
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        file.write(content)
        file.flush()
        return [row[0] for row in duckdb.connect().execute(f"select \"{name}\" from '{file.name}'").fetchall()]


def written(file: TablesFile, *pages: list[Record]) -> bytes:
    parts = [file.write(each) for each in pages]
    parts += file.finish()
    file.close()
    return b"".join(parts)
