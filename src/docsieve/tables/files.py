"""Whole files made of tables."""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Protocol

from docsieve.tables.columns import Column
from docsieve.tables.layout import Layout, Record, Row
from docsieve.tables.sink import Sink
from docsieve.tables.spool import Spool

_LEVEL = 1


class TablesFile(Protocol):
    """A file that is handed out while it is written: `write` any number of times, then `finish`; `close` in any case.

    The methods may be called from any thread, one after the other.
    """

    def write(self, records: Sequence[Record]) -> bytes: ...

    def finish(self) -> Iterator[bytes]:
        """The rest of the file, in pieces."""

    def close(self) -> None: ...


class TableFile(Protocol):
    """A file with one table."""

    extension: str

    def write(self, rows: Iterable[Row]) -> bytes: ...
    def finish(self) -> bytes: ...
    def close(self) -> None: ...


MakeFile = Callable[[Sequence[Column]], TableFile]


class SingleFile:
    """The main table alone."""

    def __init__(self, layout: Layout, make: MakeFile) -> None:
        self._table = layout.main
        self._file = make(layout.main.columns)

    def write(self, records: Sequence[Record]) -> bytes:
        return self._file.write(self._table.rows(records))

    def finish(self) -> Iterator[bytes]:
        yield self._file.finish()

    def close(self) -> None:
        self._file.close()


class ZippedFiles:
    """A ZIP with one file per table. The main table is sent as its rows arrive, the lists after it."""

    def __init__(self, layout: Layout, make: MakeFile, *, title: str) -> None:
        self._layout = layout
        self._sink = Sink()
        self._archive = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)
        self._main = make(layout.main.columns)
        self._entry = self._open(title)
        self._lists = [(make(each.columns), Spool()) for each in layout.lists]

    def write(self, records: Sequence[Record]) -> bytes:
        self._entry.write(self._main.write(self._layout.main.rows(records)))
        for table, (file, spool) in zip(self._layout.lists, self._lists, strict=True):
            spool.write(file.write(table.rows(records)))
        return self._sink.take()

    def finish(self) -> Iterator[bytes]:
        self._entry.write(self._main.finish())
        self._entry.close()
        yield self._sink.take()
        for table, (file, spool) in zip(self._layout.lists, self._lists, strict=True):
            spool.write(file.finish())
            spool.close()
            with self._open(table.name) as entry:
                for piece in spool.read():
                    entry.write(piece)
                    yield self._sink.take()
        self._archive.close()
        yield self._sink.take()

    def close(self) -> None:
        self._main.close()
        self._entry.close()
        self._archive.close()
        for file, spool in self._lists:
            file.close()
            spool.discard()

    def _open(self, title: str) -> IO[bytes]:
        name = "".join(each if each.isalnum() or each in "._- " else "_" for each in title)
        taken = {each.filename.casefold() for each in self._archive.infolist()}
        number, free = 1, f"{name}.{self._main.extension}"
        while free.casefold() in taken:
            number += 1
            free = f"{name} ({number}).{self._main.extension}"
        return self._archive.open(free, "w", force_zip64=True)
