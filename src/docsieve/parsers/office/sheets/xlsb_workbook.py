"""Workbooks in Excel's binary format inside a package (xlsb)."""

import struct
from collections.abc import Iterator

from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.blocks import Block, Heading, NewPage
from docsieve.parsers.office.legacy.biff_cells import ERRORS, unpacked_rk
from docsieve.parsers.office.ooxml.opc import relations_of, targets
from docsieve.parsers.office.package import Package
from docsieve.parsers.office.sheets.cell_values import shown_number
from docsieve.parsers.office.sheets.grids import Anchors, Merge, Row, grids_of
from docsieve.parsers.office.sheets.number_formats import BUILT_IN, shown_by
from docsieve.parsers.office.sheets.places import LAST_COLUMN, LAST_ROW
from docsieve.parsers.office.sheets.xlsb_records import records_of, wide_string

_ROW, _RK, _ERROR, _BOOLEAN, _REAL, _TEXT, _SHARED = 0, 2, 3, 4, 5, 6, 7
_RESULT_TEXT, _RESULT_NUMBER, _RESULT_BOOLEAN, _RESULT_ERROR = 8, 9, 10, 11
_STRING, _FORMAT, _STYLE, _STYLES_BEGIN, _STYLES_END = 19, 44, 47, 617, 618
_SETTINGS, _SHEET, _MERGE = 153, 156, 176
_SINCE_1904 = 0x01
_MAX_MERGES = 100_000


def binary_workbook_blocks(package: Package, name: str) -> Iterator[Block]:
    """Raises CorruptDocument if there is no sheet."""
    workbook = _BinaryWorkbook(package, name)
    if not workbook.sheets:
        raise CorruptDocument("The workbook is damaged and cannot be opened.")
    for sheet, part in workbook.sheets:
        yield NewPage()
        yield Heading(sheet)
        yield from grids_of(workbook.rows(part), workbook.merges(part))


class _BinaryWorkbook:
    def __init__(self, package: Package, name: str) -> None:
        self._package = package
        relations = relations_of(package, name)
        self.sheets: list[tuple[str, str]] = []
        self._since_1904 = False
        for kind, content in records_of(package.stream(name)):
            if kind == _SETTINGS and content:
                self._since_1904 = bool(content[0] & _SINCE_1904)
            elif kind == _SHEET:
                relation, place = wide_string(content, 8)
                if relation in relations:
                    self.sheets.append((wide_string(content, place)[0], relations[relation].target))
        # Early versions list their sheets differently.
        parts = targets(relations, "worksheet")
        self.sheets = self.sheets or [(f"Sheet {number}", part) for number, part in enumerate(parts, 1)]
        self._strings = [
            wide_string(content, 1)[0]
            for part in targets(relations, "sharedStrings")[:1]
            for kind, content in records_of(package.stream(part))
            if kind == _STRING
        ]
        self._formats = _formats(package, targets(relations, "styles"))

    def rows(self, part: str) -> Iterator[Row]:
        row = -1
        texts: dict[int, str] = {}
        for kind, content in records_of(self._package.stream(part)):
            if kind == _ROW and len(content) >= 4:
                if texts:
                    yield row, texts
                row, texts = struct.unpack_from("<I", content)[0], {}
            elif _RK <= kind <= _RESULT_ERROR and len(content) > 8 and 0 <= row < LAST_ROW:
                column, style = struct.unpack_from("<II", content)
                text = self._text(kind, content[8:], style & 0xFF_FFFF)
                if text and column < LAST_COLUMN:
                    texts[column] = text
        if texts:
            yield row, texts

    def merges(self, part: str) -> Anchors:
        found: Anchors = {}
        for kind, content in records_of(self._package.stream(part)):
            if kind == _MERGE and len(content) >= 16 and len(found) < _MAX_MERGES:
                top, bottom, left, right = struct.unpack_from("<IIII", content)
                if top <= bottom and left <= right:
                    found[top, left] = Merge(top, left, bottom, right)
        return found

    def _text(self, kind: int, value: bytes, style: int) -> str:
        if kind in (_TEXT, _RESULT_TEXT):
            return wide_string(value)[0]
        if kind in (_BOOLEAN, _RESULT_BOOLEAN):
            return "TRUE" if value[0] else "FALSE"
        if kind in (_ERROR, _RESULT_ERROR):
            return ERRORS.get(value[0], "#N/A")
        if kind in (_REAL, _RESULT_NUMBER) and len(value) >= 8:
            return self._number(struct.unpack_from("<d", value)[0], style)
        if len(value) < 4:
            return ""
        number = struct.unpack_from("<I", value)[0]
        if kind == _RK:
            return self._number(unpacked_rk(number), style)
        return self._strings[number] if kind == _SHARED and number < len(self._strings) else ""

    def _number(self, value: float, style: int) -> str:
        code = self._formats[style] if style < len(self._formats) else None
        return shown_by(code, value, since_1904=self._since_1904) if code else shown_number(value)


def _formats(package: Package, parts: list[str]) -> list[str | None]:
    """The number format of each cell style, by its number."""
    codes: dict[int, str] = dict(BUILT_IN)
    formats: list[str | None] = []
    in_cell_styles = False
    for kind, content in records_of(package.stream(parts[0])) if parts else ():
        if kind == _FORMAT and len(content) > 2:
            codes[struct.unpack_from("<H", content)[0]] = wide_string(content, 2)[0]
        elif kind in (_STYLES_BEGIN, _STYLES_END):
            in_cell_styles = kind == _STYLES_BEGIN
        elif kind == _STYLE and in_cell_styles and len(content) >= 4:
            formats.append(codes.get(struct.unpack_from("<H", content, 2)[0]))
    return formats
