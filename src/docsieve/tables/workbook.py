"""An Excel workbook, written as a stream: the main table as its rows arrive, the sheets of lists after it."""

import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from docsieve.tables import workbook_parts
from docsieve.tables.layout import Layout, Record, Row, Table
from docsieve.tables.sheet import Sheet
from docsieve.tables.sink import Sink
from docsieve.tables.spool import Spool

_LEVEL = 1  # of compression: half the time of level 6, for files a quarter larger
_MAX_NAME = 31
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\'\x00-\x1f]")
_RESERVED = "history"  # by Excel
_SAMPLE = 1_000


class Workbook:
    """A table that outgrows a sheet continues on the next one."""

    def __init__(self, layout: Layout, *, title: str) -> None:
        self._layout = layout
        self._title = title
        self._sink = Sink()
        self._archive = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)
        self._names: list[str] = []
        self._ranges: list[str] = []
        self._spools: dict[str, list[Spool]] = {each.name: [] for each in layout.lists}
        self._main = _Series(layout.main, lambda: self._archive.open(self._next_entry(), "w"))
        self._lists = [_Series(each, self._spooling(self._spools[each.name])) for each in layout.lists]

    def write(self, records: Sequence[Record]) -> bytes:
        self._main.write(self._layout.main.rows(records))
        for table, series in zip(self._layout.lists, self._lists, strict=True):
            series.write(table.rows(records))
        return self._sink.take()

    def finish(self) -> Iterator[bytes]:
        self._main.end()
        self._add_names(self._title, self._main)
        yield self._sink.take()
        for table, series in zip(self._layout.lists, self._lists, strict=True):
            series.end()
            for spool in self._spools[table.name]:
                yield from self._copy(spool)
            self._add_names(table.name, series)
        parts = {
            "xl/styles.xml": workbook_parts.STYLES,
            "xl/workbook.xml": workbook_parts.workbook(self._names, self._ranges),
            "xl/_rels/workbook.xml.rels": workbook_parts.relations(len(self._names)),
            "_rels/.rels": workbook_parts.ROOT_RELATIONS,
            "[Content_Types].xml": workbook_parts.content_types(len(self._names)),
        }
        for name, text in parts.items():
            self._archive.writestr(zipfile.ZipInfo(name), text)
        self._archive.close()
        yield self._sink.take()

    def close(self) -> None:
        self._main.close()
        self._archive.close()
        for spool in (each for spools in self._spools.values() for each in spools):
            spool.discard()

    def _copy(self, spool: Spool) -> Iterator[bytes]:
        with self._archive.open(self._next_entry(), "w") as entry:
            for piece in spool.read():
                entry.write(piece)
                yield self._sink.take()

    def _next_entry(self) -> str:
        return f"xl/worksheets/sheet{len(self._archive.infolist()) + 1}.xml"

    def _add_names(self, title: str, series: "_Series") -> None:
        for number, sheet in enumerate(series.sheets, 1):
            self._names.append(self._free_name(title if number == 1 else f"{title} {number}"))
            self._ranges.append(sheet.range)

    def _free_name(self, wanted: str) -> str:
        taken = {_RESERVED, *(each.casefold() for each in self._names)}
        base = _NOT_IN_NAMES.sub("_", wanted)[:_MAX_NAME] or "list"
        number, free = 1, base
        while free.casefold() in taken:
            number += 1
            free = f"{base[: _MAX_NAME - 5]} ({number})"
        return free

    def _spooling(self, spools: list[Spool]) -> Callable[[], Spool]:
        def begin() -> Spool:
            spools.append(Spool())
            return spools[-1]

        return begin


class _Target(Protocol):
    def write(self, data: bytes, /) -> object: ...
    def close(self) -> None: ...


class _Series:
    """A table on as many sheets as it needs. `begin` returns where the next sheet is written."""

    def __init__(self, table: Table, begin: Callable[[], _Target]) -> None:
        self.sheets: list[Sheet] = []
        self._columns = table.columns
        self._begin = begin
        self._target: _Target | None = None

    def write(self, rows: Sequence[Row]) -> None:
        while rows:
            if self._target is None or not self.sheets[-1].room:
                self._next(rows)
            sheet, target = self.sheets[-1], self._target
            assert target is not None
            fitting, rows = rows[: sheet.room], rows[sheet.room :]
            target.write(sheet.rows(fitting))

    def end(self) -> None:
        """A table without rows is a sheet with a heading."""
        if self._target is None:
            self._next(())
        self._end_sheet()

    def close(self) -> None:
        if self._target is not None:
            self._target.close()

    def _next(self, sample: Sequence[Row]) -> None:
        self._end_sheet()
        self.sheets.append(Sheet(self._columns))
        self._target = self._begin()
        self._target.write(self.sheets[-1].open(sample[:_SAMPLE]))

    def _end_sheet(self) -> None:
        if self._target is not None:
            self._target.write(self.sheets[-1].close())
            self._target.close()
