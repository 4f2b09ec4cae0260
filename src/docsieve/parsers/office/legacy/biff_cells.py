"""Cells, merged ranges and text boxes of an xls sheet."""

import codecs
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from docsieve.parsers.office.legacy.biff_records import BiffRecord, SegmentedStrings, continued, records_from
from docsieve.parsers.office.sheets.cell_values import shown_number
from docsieve.parsers.office.sheets.grids import Anchors, Merge, Row
from docsieve.parsers.office.sheets.number_formats import shown_by

_BEGIN, _END = 0x0809, 0x0A
_NUMBER, _RK, _MANY_RK, _SHARED, _FORMULA, _RESULT, _BOOLEAN = 0x203, 0x27E, 0xBD, 0xFD, 0x06, 0x207, 0x205
_TEXTS = frozenset({0x204, 0xD6})
_MERGES, _TEXT_OBJECT = 0xE5, 0x1B6
ERRORS = {0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A"}
_CELL = struct.Struct("<HHH")
_RESULT_IS_NO_NUMBER = 0xFFFF
_CHART = b"\x20\x00"

Cell = tuple[int, int, str]


@dataclass(slots=True)
class BiffCells:
    """Excel 97 and later store text as Unicode, earlier versions in the code page of the workbook."""

    is_unicode: bool
    strings: list[str] = field(default_factory=list)
    formats: list[str | None] = field(default_factory=list)
    since_1904: bool = False
    encoding: str = "cp1252"

    def set_code_page(self, number: int) -> None:
        try:
            self.encoding = codecs.lookup("mac-roman" if number in (10000, 32768) else f"cp{number}").name
        except LookupError:
            # Excel's number for Unicode, or one that Python does not know.
            self.encoding = "cp1252"

    def rows(self, stream: bytes, place: int) -> Iterator[Row]:
        current: int | None = None
        texts: dict[int, str] = {}
        for row, column, text in self._cells(stream, place):
            if row != current:
                if current is not None:
                    yield current, texts
                current, texts = row, {}
            texts[column] = text
        if current is not None:
            yield current, texts

    def short_string(self, content: bytes) -> str:
        """With a length of one byte."""
        if self.is_unicode and len(content) > 1:
            return SegmentedStrings([content], 2).characters(content[0], wide=bool(content[1] & 1))
        return content[1 : 1 + content[0]].decode(self.encoding, "replace") if content else ""

    def long_string(self, content: bytes) -> str:
        """With a length of two bytes."""
        if self.is_unicode:
            return SegmentedStrings([content]).string() or ""
        return content[2 : 2 + int.from_bytes(content[:2], "little")].decode(self.encoding, "replace")

    def _cells(self, stream: bytes, place: int) -> Iterator[Cell]:
        waiting: tuple[int, int] | None = None
        for record in sheet_records(stream, place):
            content = record.content
            if record.kind == _RESULT:
                if waiting is not None:
                    yield *waiting, self.long_string(content)
                waiting = None
            elif len(content) >= 8 and record.kind == _MANY_RK:
                yield from self._many(content)
            elif len(content) >= 8:
                row, column, style = _CELL.unpack_from(content)
                if record.kind == _FORMULA and len(content) >= 14:
                    text = self._result(content[6:14], style)
                    waiting = (row, column) if text is None else None
                else:
                    text = self._text(record, style)
                if text:
                    yield row, column, text

    def _text(self, record: BiffRecord, style: int) -> str | None:
        content = record.content
        if record.kind == _NUMBER and len(content) >= 14:
            return self._number(struct.unpack_from("<d", content, 6)[0], style)
        if record.kind == _RK and len(content) >= 10:
            return self._number(unpacked_rk(struct.unpack_from("<I", content, 6)[0]), style)
        if record.kind == _SHARED and len(content) >= 10:
            place = struct.unpack_from("<I", content, 6)[0]
            return self.strings[place] if place < len(self.strings) else None
        if record.kind in _TEXTS:
            return self.long_string(content[6:])
        if record.kind == _BOOLEAN:
            return ERRORS.get(content[6], "#N/A") if content[7] else "TRUE" if content[6] else "FALSE"
        return None

    def _many(self, content: bytes) -> Iterator[Cell]:
        row, first = struct.unpack_from("<HH", content)
        for place in range((len(content) - 6) // 6):
            style, value = struct.unpack_from("<HI", content, 4 + 6 * place)
            yield row, first + place, self._number(unpacked_rk(value), style)

    def _result(self, result: bytes, style: int) -> str | None:
        """Return None if the result is a text, which follows."""
        if struct.unpack_from("<H", result, 6)[0] != _RESULT_IS_NO_NUMBER:
            return self._number(struct.unpack("<d", result)[0], style)
        match result[0]:
            case 0:
                return None
            case 1:
                return "TRUE" if result[2] else "FALSE"
            case 2:
                return ERRORS.get(result[2], "#N/A")
        return ""

    def _number(self, value: float, style: int) -> str:
        code = self.formats[style] if style < len(self.formats) else None
        return shown_by(code, value, since_1904=self.since_1904) if code else shown_number(value)


def merges_in(stream: bytes, place: int) -> Anchors:
    found: Anchors = {}
    for record in sheet_records(stream, place):
        if record.kind == _MERGES:
            for at in range(2, len(record.content) - 7, 8):
                top, bottom, left, right = struct.unpack_from("<HHHH", record.content, at)
                if top <= bottom and left <= right:
                    found[top, left] = Merge(top, left, bottom, right)
    return found


def is_chart(stream: bytes, place: int) -> bool:
    """Whether the sheet is a chart, which only has copies of numbers in other sheets."""
    begin = next(records_from(stream, place), None)
    return begin is not None and begin.kind == _BEGIN and begin.content[2:4] == _CHART


def sheet_texts(stream: bytes, place: int) -> Iterator[str]:
    """Yield the texts of text boxes and comments, which are in the records that continue the one for the box."""
    for record in sheet_records(stream, place):
        if record.kind == _TEXT_OBJECT and len(record.content) >= 12:
            count = struct.unpack_from("<H", record.content, 10)[0]
            segments = continued(stream, record.end)
            if count and segments and segments[0]:
                text = SegmentedStrings(segments, 1).characters(count, wide=bool(segments[0][0] & 1)).strip()
                if text:
                    yield text


def sheet_records(stream: bytes, place: int) -> Iterator[BiffRecord]:
    """Yield the records of a sheet up to its end; charts inside have their own beginnings and ends."""
    depth = 0
    for record in records_from(stream, place):
        if record.kind == _BEGIN:
            depth += 1
        elif record.kind == _END:
            depth -= 1
        elif depth == 1:
            yield record
        if depth <= 0:
            return


def unpacked_rk(packed: int) -> float:
    """A number in 30 bits: an integer or the upper part of a float, perhaps in hundredths."""
    if packed & 2:
        value = float(packed >> 2 if packed < 1 << 31 else (packed >> 2) - (1 << 30))
    else:
        value = float(struct.unpack("<d", struct.pack("<Q", (packed & ~3) << 32))[0])
    return value / 100 if packed & 1 else value
