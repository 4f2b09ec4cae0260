"""Sheets of Excel 2 to 4: a stream without a container, whose records become those of Excel 5."""

import struct
from collections.abc import Iterator

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.blocks import Block, Heading, NewPage
from docsieve.parsers.office.legacy.biff_cells import BiffCells, sheet_records
from docsieve.parsers.office.legacy.biff_records import BiffRecord, records_from
from docsieve.parsers.office.legacy.types import EXCEL_BEGINNINGS
from docsieve.parsers.office.sheets.grids import grids_of

_SHEET_KIND = 0x10
_BEGIN, _FORMULA = 0x0809, 0x06
_BEGINNINGS = frozenset({0x0009, 0x0209, 0x0409, _BEGIN})
_EARLY_FORMULAS = frozenset({0x0206, 0x0406})
_FORMATS, _STYLES = {0x001E: 0, 0x041E: 2}, frozenset({0x0243, 0x0443})
_DATE_MODE, _CODE_PAGE, _SHEET_NAME = 0x22, 0x42, 0x8F
# The cell records of Excel 2, and those of Excel 5.
_INTEGER, _LABEL, _RESULT = 0x02, 0x04, 0x07
_CELLS_OF_2 = {_INTEGER: 0x0203, 0x03: 0x0203, _LABEL: 0x0204, 0x05: 0x0205, _FORMULA: _FORMULA}


def early_workbook_blocks(stream: bytes) -> Iterator[Block]:
    """Raises CorruptDocument if there is no sheet."""
    version = EXCEL_BEGINNINGS.get(stream[:4])
    if version is None:
        raise CorruptDocument("The workbook is damaged and cannot be opened.")
    modern = b"".join(_packed(*_as_in_excel_5(record, version)) for record in records_from(stream, 0))
    name, found = "", False
    for place, record in _placed(modern):
        if record.kind == _SHEET_NAME and len(record.content) > 5:
            name = record.content[5 : 5 + record.content[4]].decode("cp1252", "replace")
        if record.kind != _BEGIN or struct.unpack_from("<H", record.content, 2)[0] != _SHEET_KIND:
            continue
        found = True
        yield NewPage()
        if name:
            yield Heading(name)
        yield from grids_of(_cells(modern, place, version).rows(modern, place), {})
    if not found:
        raise CorruptDocument("The workbook has no sheet.")


def _cells(stream: bytes, place: int, version: int) -> BiffCells:
    cells = BiffCells(is_unicode=False)
    codes: list[str] = []
    styles: list[int] = []
    for record in sheet_records(stream, place):
        content = record.content
        if record.kind in _FORMATS and len(content) > _FORMATS[record.kind]:
            codes.append(cells.short_string(content[_FORMATS[record.kind] :]))
        elif record.kind in _STYLES and len(content) > 1:
            styles.append(content[1])
        elif record.kind == _DATE_MODE and content:
            cells.since_1904 = content[0] == 1
        elif record.kind == _CODE_PAGE and len(content) >= 2:
            cells.set_code_page(struct.unpack_from("<H", content)[0])
    # A cell of Excel 2 names its format, a later one a style that does.
    numbers = range(len(codes)) if version == 2 else styles
    cells.formats = [codes[number] if number < len(codes) else None for number in numbers]
    return cells


def _as_in_excel_5(record: BiffRecord, version: int) -> tuple[int, bytes]:
    kind, content = record.kind, record.content
    if kind in _BEGINNINGS:
        return _BEGIN, content.ljust(4, b"\0")
    if kind in _EARLY_FORMULAS:
        return _FORMULA, content
    if version != 2:
        return kind, content
    if kind == _RESULT and content:
        return 0x0207, struct.pack("<H", content[0]) + content[1:]
    if kind not in _CELLS_OF_2 or len(content) < 8:
        return kind, content
    row, column, _, look = struct.unpack_from("<HHBB", content)
    value = content[7:]
    if kind == _INTEGER:
        value = struct.pack("<d", int.from_bytes(value[:2], "little"))
    elif kind == _LABEL:
        value = struct.pack("<H", value[0]) + value[1:]
    return _CELLS_OF_2[kind], struct.pack("<HHH", row, column, look & 0x3F) + value


def _packed(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _placed(stream: bytes) -> Iterator[tuple[int, BiffRecord]]:
    place = 0
    for record in records_from(stream, place):
        yield place, record
        place = record.end
