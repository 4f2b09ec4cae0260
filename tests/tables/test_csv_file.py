"""CSV, read back with the standard library."""

import csv
import io
import json
import zipfile

from docsieve.tables.csv_file import CsvFile
from docsieve.tables.files import SingleFile, ZippedFiles
from tests.tables.samples import BILL, VALUE, layout, record, written


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))


def test_a_row_has_one_column_per_field_and_lists_as_json() -> None:
    content = written(SingleFile(layout(), lambda columns: CsvFile(columns, bom=True)), [record()], [record(name="2")])
    first, second = rows(content)
    assert list(first)[:4] == ["id", "file", "status", "confidence"]
    assert first["total"] == "-1234.5"
    assert (first["date"], first["paid"], first["copies"]) == ("2025-03-14", "true", "3")
    assert (first["seller.name"], first["seller.city"]) == ('Bäckerei "Müller", Süd', "")
    assert json.loads(first["lines"]) == VALUE["lines"]
    assert (second["id"], second["file"]) == ("2", "2.pdf")


def test_lines_end_as_rfc_4180_wants_and_excel_is_told_the_encoding() -> None:
    content = written(SingleFile(layout(), lambda columns: CsvFile(columns, bom=True)), [record({"number": "a"})])
    assert content.startswith(b"\xef\xbb\xbfid,file,")
    assert content.endswith(b"\r\n")
    bare = written(SingleFile(layout(), lambda columns: CsvFile(columns, bom=False)), [])
    assert bare.startswith(b"id,file,")
    assert bare.count(b"\r\n") == 1


def test_formulas_are_defused_in_cells_and_headings() -> None:
    schema = {"type": "object", "properties": {"=SUM(1)": {"type": "string"}, "n": {"type": "number"}}}
    file = SingleFile(layout([schema]), lambda columns: CsvFile(columns, bom=False))
    (row,) = rows(written(file, [record({"=SUM(1)": "@cmd", "n": -2})]))
    assert row["'=SUM(1)"] == "'@cmd"
    assert row["n"] == "-2"


def test_lists_are_further_files_of_a_zip_that_name_their_record() -> None:
    file = ZippedFiles(layout([BILL], lists="sheets"), lambda columns: CsvFile(columns, bom=True), title="bills")
    content = written(file, [record()], [record(name="2")])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["bills.csv", "lines.csv", "notes.csv"]
        assert "lines" not in rows(archive.read("bills.csv"))[0]
        lines = rows(archive.read("lines.csv"))
        notes = rows(archive.read("notes.csv"))
    assert [(each["id"], each["row"], each["text"], each["price"]) for each in lines] == [
        ("1", "1", "Brot", "3.5"),
        ("1", "2", "Käse\nalt", ""),
        ("2", "1", "Brot", "3.5"),
        ("2", "2", "Käse\nalt", ""),
    ]
    assert json.loads(lines[0]["tags"]) == ["a", "b"]
    assert [each["value"] for each in notes][:2] == ["first", "second"]
