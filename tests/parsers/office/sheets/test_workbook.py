import struct
from pathlib import Path

import pytest

from docsieve.errors import TooManyPages
from tests.parsers.office.reading import lines_of, pages_of, reading_of
from tests.parsers.office.samples import relations, write_package, write_xlsx

_STYLES = (
    '<numFmts><numFmt numFmtId="164" formatCode="0.0%"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs>'
)


def _rows(*rows: str) -> str:
    return f"<sheetData>{''.join(rows)}</sheetData>"


def _text(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def test_cells_are_shown_as_a_person_sees_them(tmp_path: Path) -> None:
    row = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>0.30000000000000004</v></c>'
        '<c r="C1" s="1"><v>45322</v></c>'
        '<c r="D1" s="2"><v>0.125</v></c><c r="E1" t="b"><v>1</v></c><c r="F1" t="e"><v>#DIV/0!</v></c>'
        '<c r="G1"><f>1+1</f><v>2</v></c><c r="H1" t="str"><f>x()</f><v>done</v></c></row>'
    )
    source = write_xlsx(tmp_path / "x", {"S": _rows(row)}, styles=_STYLES, strings=["shared"])

    assert lines_of(source) == ["S", "shared 0.3 2024-01-31 12.5% TRUE #DIV/0! 2 done"]


def test_every_sheet_begins_a_page_and_hidden_ones_are_named_too(tmp_path: Path) -> None:
    sheets = {
        "First": _rows(f'<row r="1">{_text("A1", "a")}</row>'),
        "hidden one": _rows(f"<row>{_text('', 'b')}</row>"),
    }

    assert [page.text for page in pages_of(write_xlsx(tmp_path / "x", sheets))] == ["First\na", "hidden one\nb"]


def test_merged_cells_are_spans_and_blank_borders_are_left_out(tmp_path: Path) -> None:
    rows = _rows(
        f'<row r="5">{_text("C5", "wide")}{_text("E5", "x")}</row>',
        f'<row r="6">{_text("C6", "l")}{_text("D6", "r")}{_text("E6", "y")}</row>',
    )
    source = write_xlsx(tmp_path / "x", {"S": rows + '<mergeCells><mergeCell ref="C5:D5"/></mergeCells>'})

    [table] = pages_of(source)[0].tables

    assert (table.rows, table.columns) == (2, 3)
    assert [(cell.text, cell.column, cell.column_span) for cell in table.cells if cell.row == 0] == [
        ("wide", 0, 2),
        ("x", 2, 1),
    ]


def test_cells_at_the_far_ends_of_a_sheet_cost_no_more_than_others(tmp_path: Path) -> None:
    rows = _rows(f'<row r="1">{_text("A1", "first")}</row>', f'<row r="1048576">{_text("XFD1048576", "last")}</row>')

    reading = reading_of(write_xlsx(tmp_path / "x", {"S": rows}))

    assert reading.page_count == 1
    assert [line.text for page in reading.pages for line in page.lines] == ["S", "first", "last"]


def test_a_blank_row_parts_two_tables_but_not_under_a_merged_cell(tmp_path: Path) -> None:
    rows = _rows(
        f'<row r="1">{_text("A1", "tall")}{_text("B1", "p")}</row>',
        f'<row r="3">{_text("B3", "q")}</row>',
        f'<row r="5">{_text("A5", "u")}{_text("B5", "v")}</row>',
    )
    source = write_xlsx(tmp_path / "x", {"S": rows + '<mergeCells><mergeCell ref="A1:A3"/></mergeCells>'})

    tables = pages_of(source)[0].tables

    assert [(table.rows, table.columns) for table in tables] == [(3, 2), (1, 2)]
    assert tables[0].cells[0].row_span == 3


def test_a_long_sheet_ends_at_the_limit_of_pages_without_being_read_to_its_end(tmp_path: Path) -> None:
    rows = "".join(f'<row r="{number}"><c r="A{number}"><v>{number}</v></c></row>' for number in range(1, 5000))

    with pytest.raises(TooManyPages):
        reading_of(write_xlsx(tmp_path / "x", {"S": _rows(rows)}), max_pages=3)


def _record(kind: int, content: bytes) -> bytes:
    header = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    return header + bytes([len(content)]) + content


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def test_a_binary_workbook_is_read_with_formats_and_spans(tmp_path: Path) -> None:
    cells = (
        _record(0, struct.pack("<I", 0))
        + _record(7, struct.pack("<III", 0, 0, 0))
        + _record(0, struct.pack("<I", 1))
        + _record(5, struct.pack("<IId", 0, 1, 0.125))
        + _record(2, struct.pack("<III", 1, 0, 42 << 2 | 2))
        + _record(176, struct.pack("<IIII", 0, 0, 0, 1))
    )
    styles = _record(617, b"") + _record(47, struct.pack("<HH", 0, 0)) + _record(47, struct.pack("<HH", 0, 10))
    targets = {
        "rId1": ("worksheet", "worksheets/sheet1.bin"),
        "rId2": ("styles", "styles.bin"),
        "rId3": ("sharedStrings", "strings.bin"),
    }
    parts: dict[str, str | bytes] = {
        "xl/workbook.bin": _record(156, struct.pack("<II", 0, 1) + _wide("rId1") + _wide("Data")),
        "xl/_rels/workbook.bin.rels": relations(targets),
        "xl/worksheets/sheet1.bin": cells,
        "xl/styles.bin": styles,
        "xl/strings.bin": _record(19, b"\0" + _wide("Größe")),
    }
    content_type = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
    source = write_package(tmp_path / "b", "xl/workbook.bin", content_type, parts)

    [page] = pages_of(source)

    assert [line.text for line in page.lines] == ["Data", "Größe", "12.50% 42"]
    assert page.tables[0].cells[0].column_span == 2
