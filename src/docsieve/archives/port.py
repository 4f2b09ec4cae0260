"""The interface of archive formats: a reader yields entries in order, each with its content as a stream of chunks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

CHUNK_BYTES = 1024 * 1024

MAX_ENTRIES = 50_000
"""Entries of an uploaded archive that become documents, those of archives inside it included."""

MAX_LISTED = 2 * MAX_ENTRIES
"""Entries of one archive that are listed; beyond MAX_ENTRIES, all of them are refused."""


class Refusal(StrEnum):
    """Why an entry did not become a document. Stable codes, listed in the API guide."""

    unsafe_path = "unsafe_path"
    name_too_long = "name_too_long"
    name_invalid = "name_invalid"
    symbolic_link = "symbolic_link"
    hard_link = "hard_link"
    special_file = "special_file"
    overlapping = "overlapping_entries"
    unsupported_method = "unsupported_method"
    checksum_mismatch = "checksum_mismatch"
    size_mismatch = "size_mismatch"
    truncated = "truncated"
    corrupt = "corrupt_entry"
    password_required = "password_required"  # noqa: S105  a code
    password_wrong = "password_wrong"  # noqa: S105  a code
    entry_too_large = "entry_too_large"
    archive_too_large = "archive_too_large"
    ratio_exceeded = "ratio_exceeded"
    too_many_entries = "too_many_entries"
    nested_too_deep = "nested_too_deep"
    split_archive = "split_archive"
    several_archives = "several_archives"
    timeout = "entry_timeout"


class Skipped(StrEnum):
    """Why nothing was to be made of an entry."""

    directory = "directory"
    litter = "litter"
    empty = "empty"
    duplicate = "duplicate"


class EntryRefused(Exception):
    """This entry cannot be unpacked. The others may be."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code)
        self.code = code


class ArchiveEnds(Exception):
    """No entry after this point can be found, and why."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True)
class Entry:
    """`path` is as the archive has it, decoded but not normalized.

    `refusal` is set if the headers alone show that it cannot be unpacked. `chunks` may raise EntryRefused, also after
    the last chunk: a checksum is known only then. `consumed` is how many packed bytes its chunks were made from so far.
    """

    path: str
    chunks: Callable[[], Iterator[bytes]] = field(default=lambda: iter(()))
    consumed: Callable[[], int] = field(default=lambda: 0)
    is_directory: bool = False
    refusal: Refusal | None = None


class Reader(Protocol):
    """An opened archive. Opening raises CorruptDocument, ArchiveTruncated, ArchiveSplit or an error of passwords.

    `listable` means that entries can be listed without decompressing any, `sequential` that the content of one can be
    reached only by decompressing those before it.
    """

    listable: bool
    sequential: bool

    def entries(self, start: int) -> Iterator[Entry]:
        """The entries from number `start` on, counted from 0. Content must be read before the next entry is taken.

        Raises ArchiveEnds if what follows cannot be found.
        """
        ...
