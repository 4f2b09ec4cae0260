"""Which object of a repository is which stored file. On disk, because there may be millions."""

import sqlite3
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import NamedTuple, Self


class Entry(NamedTuple):
    """A stored file as it was when it was backed up. `modified` is in microseconds since 1970."""

    key: str
    object: str
    size: int
    sha256: str
    modified: int


class EntryIndex:
    """Entries by key, in a temporary database that ends with the process. A later entry replaces an earlier one."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")  # a nameless file, which SQLite deletes
        self._database.executescript(
            "create table entries (key text primary key, object text, size int, sha256 text, modified int)"
            " without rowid; create table objects (name text primary key) without rowid;"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._database.close()

    def add(self, entries: Iterable[Entry]) -> None:
        self._database.executemany("insert or replace into entries values (?, ?, ?, ?, ?)", entries)

    def find(self, key: str) -> Entry | None:
        row = self._database.execute("select * from entries where key = ?", (key,)).fetchone()
        return Entry(*row) if row is not None else None

    def all(self) -> Iterator[Entry]:
        return map(Entry._make, self._database.execute("select * from entries"))

    def total(self) -> tuple[int, int]:
        """How many files there are, and how many bytes."""
        files, size = self._database.execute("select count(*), coalesce(sum(size), 0) from entries").fetchone()
        return files, size

    def add_objects(self, others: "EntryIndex") -> None:
        """Remember the objects that the entries of another index refer to."""
        self._database.executemany(
            "insert or ignore into objects values (?)", ((entry.object,) for entry in others.all())
        )

    def has_object(self, name: str) -> bool:
        return self._database.execute("select 1 from objects where name = ?", (name,)).fetchone() is not None
