"""Parquet, read back with DuckDB."""

import io
import json
import threading
import zipfile
from datetime import date
from pathlib import Path

import duckdb
import pytest

from docsieve.domain.schemas.fields import Schema
from docsieve.tables import parquet_file
from docsieve.tables.files import SingleFile, ZippedFiles
from docsieve.tables.parquet_file import ParquetFile
from tests.tables.samples import VALUE, layout, parquet_column, record, written


def test_columns_have_the_types_of_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "bills.parquet"
    path.write_bytes(written(SingleFile(layout(), ParquetFile), [record(), record({}, "2")]))
    described = duckdb.connect().execute(f"describe select * from '{path}'").fetchall()
    types = {name: kind for name, kind, *_ in described}
    assert types["id"] == "VARCHAR"
    assert (types["total"], types["copies"], types["paid"], types["date"]) == ("DOUBLE", "BIGINT", "BOOLEAN", "DATE")
    columns = 'total, date, paid, lines, "seller.name"'
    first, second = duckdb.connect().execute(f"select {columns} from '{path}' order by id").fetchall()
    assert first[:3] == (-1234.5, date(2025, 3, 14), True)
    assert json.loads(first[3]) == VALUE["lines"]
    assert first[4] == 'Bäckerei "Müller", Süd'
    assert second == (None,) * 5


def test_rows_are_written_in_groups_and_none_is_lost(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(parquet_file, "_ROW_GROUP", 100)
    pages = [[record({"copies": page * 70 + number}) for number in range(70)] for page in range(5)]
    path = tmp_path / "bills.parquet"
    path.write_bytes(written(SingleFile(layout(), ParquetFile), *pages))
    (groups,) = duckdb.connect().execute(f"select num_row_groups from parquet_file_metadata('{path}')").fetchall()
    assert groups == (4,)
    assert parquet_column(path.read_bytes(), "copies") == list(range(350))


def test_an_empty_table_has_its_columns() -> None:
    assert parquet_column(written(SingleFile(layout(), ParquetFile)), "seller.name") == []


def test_values_without_a_place_in_their_column_are_empty() -> None:
    dated = {"type": "string", "format": "date"}
    schema: Schema = {"type": "object", "properties": {"n": {"type": "integer"}, "d": dated}}
    content = written(SingleFile(layout([schema]), ParquetFile), [record({"n": 2**70, "d": "May"}), record({"n": 5})])
    assert parquet_column(content, "n") == [None, 5]
    assert parquet_column(content, "d") == [None, None]


def test_lists_are_further_files_of_a_zip() -> None:
    file = ZippedFiles(layout(lists="sheets"), ParquetFile, title="bills")
    with zipfile.ZipFile(io.BytesIO(written(file, [record()]))) as archive:
        assert archive.namelist() == ["bills.parquet", "lines.parquet", "notes.parquet"]
        lines = archive.read("lines.parquet")
    assert parquet_column(lines, "row") == [1, 2]
    assert parquet_column(lines, "price") == [3.5, None]
    assert parquet_column(lines, "id") == ["1", "1"]


def test_a_file_that_is_given_up_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_file, "_ROW_GROUP", 1)
    before = threading.active_count()
    file = SingleFile(layout(), ParquetFile)
    file.write([record()])
    assert threading.active_count() == before + 1
    file.close()
    assert threading.active_count() == before
