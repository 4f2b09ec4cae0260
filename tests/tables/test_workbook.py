"""Workbooks, opened again with openpyxl as a bookkeeper would open them with Excel."""

import io
import random
from datetime import datetime

import pytest
from openpyxl import Workbook as Opened
from openpyxl import load_workbook

from docsieve.domain.schemas.fields import Schema
from docsieve.tables import sheet
from docsieve.tables.layout import Layout, Record
from docsieve.tables.sheet import fitted, letters
from docsieve.tables.workbook import Workbook
from tests.tables.samples import BILL, VALUE, layout, record, written


def opened(shape: Layout, *pages: list[Record]) -> Opened:
    return load_workbook(io.BytesIO(written(Workbook(shape, title="bills"), *pages)))


def text_schema(*names: str) -> Schema:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


def test_dates_are_dates_amounts_are_numbers_and_yes_is_true() -> None:
    book = opened(layout(lists="sheets"), [record()])
    titles, cells = ([each.value for each in row] for row in book["bills"].iter_rows())
    row = dict(zip(titles, cells, strict=True))
    assert row["date"] == datetime.fromisoformat("2025-03-14")
    assert row["printed"] == datetime.fromisoformat("2025-03-14T18:30:00")
    assert (row["total"], row["copies"], row["paid"]) == (-1234.5, 3, True)
    assert row["number"] == "2025-001"
    assert row["confidence"] == 0.875
    assert row["seller.name"] == 'Bäckerei "Müller", Süd'
    by_title = dict(zip(titles, book["bills"][2], strict=True))
    assert by_title["date"].number_format == r"yyyy\-mm\-dd"
    assert by_title["total"].data_type == "n"
    assert by_title["paid"].data_type == "b"


def test_the_heading_is_frozen_and_filtered_and_columns_fit_their_content() -> None:
    page = opened(layout(), [record()])["bills"]
    assert page.freeze_panes == "A2"
    assert page.auto_filter.ref == "A1:N2"
    assert all(each.font.b for each in page[1])
    widths = {page[1][number].value: page.column_dimensions[letters(number)].width for number in range(14)}
    assert widths["lines"] == 60
    assert widths["paid"] == 8
    assert widths["seller.name"] > len('Bäckerei "Müller", Süd')


def test_lists_are_sheets_that_name_their_record() -> None:
    book = opened(layout(lists="sheets"), [record()], [record({**VALUE, "lines": []}, "2")])
    assert book.sheetnames == ["bills", "lines", "notes"]
    assert [[each.value for each in row] for row in book["lines"].iter_rows()] == [
        ["id", "file", "row", "text", "price", "tags"],
        ["1", "1.pdf", 1, "Brot", 3.5, '["a","b"]'],
        ["1", "1.pdf", 2, "Käse\nalt", None, "[]"],
    ]
    assert [row[0].value for row in book["notes"].iter_rows(min_row=2)] == ["1", "1", "2", "2"]


@pytest.mark.parametrize("text", ["=1+1", "=HYPERLINK(1)", "+1", "-1", "@x", "1234", "TRUE", "2025-01-01", "#N/A"])
def test_text_stays_text_whatever_it_looks_like(text: str) -> None:
    cell = opened(layout([text_schema("text")]), [record({"text": text})])["bills"]["E2"]
    assert (cell.value, cell.data_type) == (text, "s") or (cell.value, cell.data_type) == (text, "inlineStr")


def test_signs_of_xml_and_characters_that_it_cannot_hold_do_no_harm() -> None:
    text = ' <a href="x">&amp; ]]> \x00\x0b\ufffe\ud800 end\n'
    cell = opened(layout([text_schema("text")]), [record({"text": text})])["bills"]["E2"]
    assert cell.value == ' <a href="x">&amp; ]]>  end\n'


def test_long_text_is_cut_at_what_excel_takes_and_says_so() -> None:
    assert fitted("x" * 32_767) == "x" * 32_767
    cut = fitted("x" * 40_000)
    assert len(cut) == 32_767
    assert cut.endswith("x … [truncated: 40,000 characters]")
    emoji = fitted("😀" * 20_000)
    assert len(emoji.encode("utf-16-le")) // 2 <= 32_767
    assert "truncated: 20,000" in emoji
    cell = opened(layout([text_schema("text")]), [record({"text": "y" * 50_000})])["bills"]["E2"]
    assert len(cell.value) == 32_767


def test_values_that_excel_would_change_stay_text() -> None:
    schema: Schema = {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "old": {"type": "string", "format": "date"},
            "time": {"type": "string", "format": "date-time"},
            "bad": {"type": "string", "format": "date"},
        },
    }
    value = {"id": 12345678901234567890, "old": "1899-12-31", "time": "2025-01-01T10:00:00+02:00", "bad": "March"}
    cells = opened(layout([schema]), [record(value)])["bills"][2][4:]
    assert [each.value for each in cells] == [
        "12345678901234567890",
        "1899-12-31",
        "2025-01-01T10:00:00+02:00",
        "March",
    ]


def test_a_table_that_outgrows_a_sheet_continues_on_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet, "MAX_ROWS", 5)
    book = opened(layout([BILL], lists="sheets"), *[[record(name=str(number))] for number in range(9)])
    assert book.sheetnames[:3] == ["bills", "bills 2", "bills 3"]
    names = [row[0].value for name in book.sheetnames[:3] for row in book[name].iter_rows(min_row=2)]
    assert names == [str(number) for number in range(9)]
    assert book["bills 3"]["A1"].value == "id"
    lines = [each for each in book.sheetnames if each.startswith("lines")]
    assert sum(book[name].max_row - 1 for name in lines) == 18


def test_sheet_names_are_valid_and_unique() -> None:
    long = "a" * 40
    fields = {"type": "array", "items": {"type": "string"}}
    schema: Schema = {
        "type": "object",
        "properties": {"x/y[1]": fields, "History": fields, long: fields, f"{long}b": fields},
    }
    names = opened(layout([schema], lists="sheets"), [record({})]).sheetnames
    assert len({each.casefold() for each in names}) == 5
    assert all(len(each) <= 31 and not set(each) & set("[]:*?/\\'") for each in names)
    assert "History" not in names


def test_random_text_comes_back_as_it_was() -> None:
    chance = random.Random(7)
    letters_used = [chr(code) for code in (*range(0x20, 0x7F), 0xE4, 0x20AC, 0x4E2D, 0x1F600, 0x9, 0xA)]
    texts = ["".join(chance.choices(letters_used, k=chance.randint(1, 40))) for _ in range(500)]
    rows = opened(layout([text_schema("text")]), [record({"text": each}) for each in texts])["bills"]
    assert [row[4].value for row in rows.iter_rows(min_row=2)] == texts


@pytest.mark.parametrize(
    ("number", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16383, "XFD")]
)
def test_columns_are_named_as_excel_does(number: int, name: str) -> None:
    assert letters(number) == name
