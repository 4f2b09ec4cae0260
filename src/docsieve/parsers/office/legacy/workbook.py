"""Workbooks of Excel 5 to 2003 (xls). Formulas are shown by their last results."""

import struct
from collections.abc import Iterator

from docsieve.errors import CorruptDocument, TooLarge
from docsieve.parsers.flow.blocks import Block, Heading, NewPage, Paragraph
from docsieve.parsers.office.legacy.biff_cells import BiffCells, is_chart, merges_in, sheet_texts
from docsieve.parsers.office.legacy.biff_records import SegmentedStrings, continued, records_from
from docsieve.parsers.office.legacy.compound import Compound
from docsieve.parsers.office.sheets.grids import grids_of
from docsieve.parsers.office.sheets.number_formats import BUILT_IN

_BEGIN, _END = 0x0809, 0x0A
_SHEET, _STRINGS, _FORMAT, _STYLE, _DATE_MODE, _CODE_PAGE = 0x85, 0xFC, 0x41E, 0xE0, 0x22, 0x42
_MAX_SHEETS = 4096
_MAX_STRINGS = 5_000_000
_UNICODE_VERSION = 0x0600


def legacy_workbook_blocks(compound: Compound) -> Iterator[Block]:
    """Raises CorruptDocument if there is no workbook."""
    stream = compound.read("Workbook") or compound.read("Book")
    first = next(records_from(stream, 0), None)
    if first is None or first.kind != _BEGIN or len(first.content) < 2:
        raise CorruptDocument("The workbook is damaged and cannot be opened.")
    workbook = _Workbook(stream, is_unicode=struct.unpack_from("<H", first.content)[0] >= _UNICODE_VERSION)
    for name, place in workbook.sheets:
        yield NewPage()
        yield Heading(name)
        if not is_chart(stream, place):
            yield from grids_of(workbook.cells.rows(stream, place), merges_in(stream, place))
        yield from map(Paragraph, sheet_texts(stream, place))


class _Workbook:
    def __init__(self, stream: bytes, *, is_unicode: bool) -> None:
        self.sheets: list[tuple[str, int]] = []
        self.cells = BiffCells(is_unicode=is_unicode)
        self._codes: dict[int, str] = dict(BUILT_IN)
        self._styles: list[int] = []
        self._learn(stream)
        self.cells.formats = [self._codes.get(number) for number in self._styles]

    def _learn(self, stream: bytes) -> None:
        for record in records_from(stream, 0):
            content = record.content
            if record.kind == _END:
                break
            if record.kind == _SHEET and len(content) > 7:
                if len(self.sheets) >= _MAX_SHEETS:
                    raise TooLarge(f"The workbook has more than {_MAX_SHEETS} sheets.")
                place = struct.unpack_from("<I", content)[0]
                self.sheets.append((self.cells.short_string(content[6:]), place))
            elif record.kind == _STRINGS:
                self.cells.strings = _shared_strings([content, *continued(stream, record.end)])
            elif record.kind == _FORMAT and len(content) > 2:
                code = (
                    self.cells.long_string(content[2:])
                    if self.cells.is_unicode
                    else self.cells.short_string(content[2:])
                )
                self._codes[struct.unpack_from("<H", content)[0]] = code
            elif record.kind == _STYLE and len(content) >= 4:
                self._styles.append(struct.unpack_from("<H", content, 2)[0])
            elif record.kind == _DATE_MODE and len(content) >= 2:
                self.cells.since_1904 = content[0] == 1
            elif record.kind == _CODE_PAGE and len(content) >= 2:
                self.cells.set_code_page(struct.unpack_from("<H", content)[0])


def _shared_strings(segments: list[bytes]) -> list[str]:
    reader = SegmentedStrings(segments, place=8)
    strings: list[str] = []
    while (text := reader.string()) is not None:
        if len(strings) >= _MAX_STRINGS:
            raise TooLarge(f"The workbook has more than {_MAX_STRINGS} strings.")
        strings.append(text)
    return strings
