"""One worksheet as XML, written row by row."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import TypeVar
from xml.sax.saxutils import escape

from docsieve.domain.schemas.fields import Scalar
from docsieve.tables.columns import Column, Kind
from docsieve.tables.layout import Row

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_TEXT = 32_767
MAX_BYTES = 1_500_000_000
"""A larger sheet would need ZIP64, which Excel offers to repair."""

# Positions in the list of styles of `workbook.py`.
HEADING, DATE, DATETIME, SHARE = 1, 2, 3, 4

_EPOCH = date(1899, 12, 30)
_FIRST_DATE = date(1900, 3, 1)  # Excel believes that 1900 was a leap year, so that earlier dates are off by one
_EXACT = 10**15  # Excel keeps 15 digits
_NOT_PLAIN = re.compile("[&<>\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff\ud800-\udfff]|_x[0-9A-Fa-f]{4}_")
_ESCAPE_LIKE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_MIN_WIDTH, _MAX_WIDTH = 8, 60
_FILTER_ARROW = 3

Cell = Callable[[str, Scalar], str]
Moment = TypeVar("Moment", date, datetime)


class Sheet:
    """The XML of a sheet, in parts: `open`, any number of `rows`, `close`."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = columns[:MAX_COLUMNS]
        self._letters = [letters(number) for number in range(len(self._columns))]
        self._writers = [_WRITERS.get(each.kind, _plain_cell) for each in self._columns]
        self.row_count = 0
        self.size = 0

    @property
    def room(self) -> int:
        """How many rows still fit."""
        return MAX_ROWS - self.row_count if self.size < MAX_BYTES else 0

    @property
    def range(self) -> str:
        """The cells with the heading and all rows, in A1 notation."""
        return f"A1:{self._letters[-1]}{self.row_count}"

    def open(self, sample: Sequence[Row]) -> bytes:
        """Everything up to the first row of data. The columns are as wide as the sample needs."""
        widths = "".join(
            f'<col min="{number}" max="{number}" width="{width}" customWidth="1"/>'
            for number, width in enumerate(self._widths(sample), 1)
        )
        self.row_count = 1
        titles = zip(self._letters, self._columns, strict=True)
        heading = "".join(_text_cell(f"{letter}1", each.name, HEADING) for letter, each in titles)
        head = (
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>'
            '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
            f'</sheetView></sheetViews><cols>{widths}</cols><sheetData><row r="1">{heading}</row>'
        )
        return head.encode()

    def rows(self, rows: Iterable[Row]) -> bytes:
        parts = []
        columns = list(zip(self._letters, self._writers, strict=True))
        number = self.row_count
        for row in rows:
            number += 1
            cells = zip(columns, row, strict=False)
            text = "".join([write(f"{letter}{number}", each) for (letter, write), each in cells if each is not None])
            parts.append(f'<row r="{number}">{text}</row>')
        self.row_count = number
        written = "".join(parts).encode()
        self.size += len(written)
        return written

    def close(self) -> bytes:
        return f'</sheetData><autoFilter ref="{self.range}"/></worksheet>'.encode()

    def _widths(self, sample: Sequence[Row]) -> list[int]:
        longest = [len(each.name) + _FILTER_ARROW for each in self._columns]
        for row in sample:
            longest = [
                before if each is None else max(before, len(str(each)) + 1)
                for before, each in zip(longest, row, strict=False)
            ]
        return [min(max(each, _MIN_WIDTH), _MAX_WIDTH) for each in longest]


def letters(number: int) -> str:
    """The name of a column, counted from 0: A to Z, AA to ZZ, AAA."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


def fitted(text: str) -> str:
    """Text that Excel accepts in a cell. A cut is announced at its end. Excel counts UTF-16 units."""
    if len(text) <= MAX_TEXT // 2:
        return text
    units = text.encode("utf-16-le", "replace")
    if len(units) <= 2 * MAX_TEXT:
        return text
    note = f" … [truncated: {len(text):,} characters]"
    return units[: 2 * (MAX_TEXT - len(note))].decode("utf-16-le", "ignore") + note


def _plain_cell(place: str, value: Scalar) -> str:
    if type(value) is str:
        return _text_cell(place, value)
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int) and abs(value) >= _EXACT:
        return _text_cell(place, str(value))
    return f'<c r="{place}"><v>{value}</v></c>'


def _share_cell(place: str, value: Scalar) -> str:
    return f'<c r="{place}" s="{SHARE}"><v>{value}</v></c>'


def _date_cell(place: str, value: Scalar) -> str:
    day = _parsed(date, value)
    if day is None or day < _FIRST_DATE:
        return _plain_cell(place, value)
    return f'<c r="{place}" s="{DATE}"><v>{(day - _EPOCH).days}</v></c>'


def _datetime_cell(place: str, value: Scalar) -> str:
    """A time with an offset stays text: Excel knows none, and without it the time would be another one."""
    moment = _parsed(datetime, value)
    if moment is None or moment.tzinfo is not None or moment.date() < _FIRST_DATE:
        return _plain_cell(place, value)
    since = moment - datetime(_EPOCH.year, _EPOCH.month, _EPOCH.day)  # noqa: DTZ001
    return f'<c r="{place}" s="{DATETIME}"><v>{since.days + since.seconds / 86_400!r}</v></c>'


_WRITERS: dict[Kind, Cell] = {"date": _date_cell, "datetime": _datetime_cell, "share": _share_cell}


def _parsed(kind: type[Moment], value: Scalar) -> Moment | None:
    try:
        return kind.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _text_cell(place: str, text: str, style: int = 0) -> str:
    if len(text) > MAX_TEXT // 2:
        text = fitted(text)
    if _NOT_PLAIN.search(text):
        text = escaped(text)
    kept = ' xml:space="preserve"' if text[:1].isspace() or text[-1:].isspace() or "\n" in text else ""
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t{kept}>{text}</t></is></c>'


def escaped(text: str) -> str:
    """Characters that XML cannot hold are dropped. Text that looks like Excel's own escapes is kept as text."""
    return escape(_FORBIDDEN.sub("", _ESCAPE_LIKE.sub("_x005F_", text)), {"\r": "&#13;"})
