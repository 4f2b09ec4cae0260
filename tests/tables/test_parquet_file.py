"""Parquet, read back with DuckDB and pyarrow."""

import io
import json
import threading
import zipfile
from datetime import date
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from docsieve.domain.schemas.fields import Schema
from docsieve.tables import parquet_file
from docsieve.tables.files import SingleFile, ZippedFiles
from docsieve.tables.parquet_file import ParquetFile
from tests.tables.samples import VALUE, layout, record, written


def test_columns_have_the_types_of_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "bills.parquet"
    path.write_bytes(written(SingleFile(layout(), ParquetFile), [record(), record({}, "2")]))
    described = duckdb.sql(f"describe select * from '{path}'").fetchall()
    types = {name: kind for name, kind, *_ in described}
    assert types["id"] == "VARCHAR"
    assert (types["total"], types["copies"], types["paid"], types["date"]) == ("DOUBLE", "BIGINT", "BOOLEAN", "DATE")
    first, second = duckdb.sql(f"select total, date, paid, lines, \"seller.name\" from '{path}' order by id").fetchall()
    assert first[:3] == (-1234.5, date(2025, 3, 14), True)
    assert json.loads(first[3]) == VALUE["lines"]
    assert first[4] == 'Bäckerei "Müller", Süd'
    assert second == (None,) * 5


def test_rows_are_written_in_groups_and_none_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_file, "_ROW_GROUP", 100)
    pages = [[record({"copies": page * 70 + number}) for number in range(70)] for page in range(5)]
    read = pq.ParquetFile(io.BytesIO(written(SingleFile(layout(), ParquetFile), *pages)))
    assert read.metadata.num_row_groups == 4
    assert read.read(["copies"])["copies"].to_pylist() == list(range(350))


def test_an_empty_table_has_its_columns() -> None:
    read = pq.read_table(io.BytesIO(written(SingleFile(layout(), ParquetFile))))
    assert read.num_rows == 0
    assert "seller.name" in read.column_names


def test_values_without_a_place_in_their_column_are_empty() -> None:
    schema: Schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "d": {"type": "string", "format": "date"}},
    }
    content = written(SingleFile(layout([schema]), ParquetFile), [record({"n": 2**70, "d": "May"}), record({"n": 5})])
    read = pq.read_table(io.BytesIO(content))
    assert (read["n"].to_pylist(), read["d"].to_pylist()) == ([None, 5], [None, None])


def test_lists_are_further_files_of_a_zip() -> None:
    file = ZippedFiles(layout(lists="sheets"), ParquetFile, title="bills")
    with zipfile.ZipFile(io.BytesIO(written(file, [record()]))) as archive:
        assert archive.namelist() == ["bills.parquet", "lines.parquet", "notes.parquet"]
        lines = pq.read_table(io.BytesIO(archive.read("lines.parquet"))).to_pylist()
    assert [(each["id"], each["row"], each["price"]) for each in lines] == [("1", 1, 3.5), ("1", 2, None)]


def test_a_file_that_is_given_up_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_file, "_ROW_GROUP", 1)
    before = threading.active_count()
    file = SingleFile(layout(), ParquetFile)
    file.write([record()])
    assert threading.active_count() == before + 1
    file.close()
    assert threading.active_count() == before
