"""Unpacks a slice of an archive into a folder, with a verdict for every entry.

Limits are counted while bytes come out of the decompressor. What a header says about sizes is never used for one.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

from docsieve.archives.names import is_litter, normalize, shown
from docsieve.archives.port import MAX_LISTED, ArchiveEnds, Entry, EntryRefused, Reader, Refusal, Skipped
from docsieve.domain.documents import ARCHIVE_TYPES

PACK = "pack"
SLICE_FILES = 1_000
SLICE_BYTES = 1024**3
# Each slice of a sequential archive begins with decompressing those before it, so there should be few.
SEQUENTIAL_SLICE_FILES = 10_000
SEQUENTIAL_SLICE_BYTES = 4 * SLICE_BYTES
_SLICE_ENTRIES = 10_000

# Documents compress to a hundredth at best; below the floor, a small file of one repeated character is harmless.
_MAX_RATIO = 200
_ENTRY_FLOOR, _ARCHIVE_FLOOR = 64 * 1024**2, 256 * 1024**2

_HEAD_BYTES = 8 * 1024
MAX_PACKED_BYTES = 1024 * 1024
_PACK_BUFFER_BYTES = 1024 * 1024

Verdict = Literal["unpacked", "skipped", "unsupported_type", "refused"]
Detect = Callable[[bytes], str | None]


@dataclass(frozen=True, slots=True)
class Budget:
    """The rest for this archive, whose `packed_bytes` became `unpacked_bytes` in earlier slices.

    `nested` is whether archives inside it may be unpacked. The times keep a slow archive from ending in a timeout.
    """

    bytes: int
    entries: int
    entry_bytes: int
    packed_bytes: int
    unpacked_bytes: int = 0
    nested: bool = True
    slice_seconds: float = 30.0
    entry_seconds: float = 200.0


@dataclass(frozen=True, slots=True)
class EntryVerdict:
    """What became of an entry.

    The content of an `unpacked` one is `size` bytes from `place` on of the file PACK in the folder, or without a place
    the file that is named by its number. Creating a file costs more than unpacking a small entry.
    """

    number: int
    path: str
    verdict: Verdict
    code: Refusal | Skipped | None = None
    size: int | None = None
    media_type: str | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Slice:
    """`ended` after the last entry; `incomplete` says why there may be entries that are not listed."""

    entries: list[EntryVerdict] = field(default_factory=list)
    bytes: int = 0
    ended: bool = True
    incomplete: Refusal | None = None

    @property
    def files(self) -> int:
        return sum(entry.verdict == "unpacked" for entry in self.entries)


class Unpacking:
    """One slice: entries from a number on, until the slice is full or the archive ends."""

    def __init__(self, folder: Path, detect: Detect, budget: Budget) -> None:
        self._folder = folder
        self._pack: BinaryIO
        self._packed_bytes = 0
        self._detect = detect
        self._budget = budget
        self._found: list[EntryVerdict] = []
        self._bytes = 0
        self._files = 0
        self._exhausted: Refusal | None = None
        self._began: float | None = None

    def run(self, reader: Reader, start: int, *, on_entry: Callable[[int], None]) -> Slice:
        with (self._folder / PACK).open("wb", buffering=_PACK_BUFFER_BYTES) as self._pack:
            return self._run(reader, start, on_entry)

    def _run(self, reader: Reader, start: int, on_entry: Callable[[int], None]) -> Slice:
        number = start
        try:
            for number, entry in enumerate(reader.entries(start), start):
                self._began = self._began or time.monotonic()
                if number >= MAX_LISTED:
                    return self._slice(ended=True, incomplete=Refusal.too_many_entries)
                # Here and not after an entry: a slice that is full ends the archive if nothing follows.
                if self._is_full(sequential=reader.sequential):
                    return self._slice(ended=False)
                self._found.append(self._judge(number, entry, sequential=reader.sequential))
                on_entry(number + 1)
                if self._exhausted is not None and not reader.listable:
                    return self._slice(ended=True, incomplete=self._exhausted)
        except ArchiveEnds as end:
            return self._slice(ended=True, incomplete=end.code)
        return self._slice(ended=True)

    def _slice(self, *, ended: bool, incomplete: Refusal | None = None) -> Slice:
        return Slice(self._found, self._bytes, ended, incomplete)

    def _is_full(self, *, sequential: bool) -> bool:
        assert self._began is not None
        return (
            self._files >= (SEQUENTIAL_SLICE_FILES if sequential else SLICE_FILES)
            or self._bytes >= (SEQUENTIAL_SLICE_BYTES if sequential else SLICE_BYTES)
            or len(self._found) >= _SLICE_ENTRIES
            or (bool(self._found) and time.monotonic() - self._began > self._budget.slice_seconds)
        )

    def _judge(self, number: int, entry: Entry, *, sequential: bool) -> EntryVerdict:
        chunks = self._limited(entry)
        try:
            found = self._verdict(number, entry, chunks)
            if sequential and self._exhausted is None:
                # Counted: the next entry cannot be reached without decompressing this one.
                for _ in chunks:
                    pass
        except EntryRefused as refused:
            (self._folder / str(number)).unlink(missing_ok=True)
            return EntryVerdict(number, _path(entry), "refused", refused.code)
        self._files += found.verdict == "unpacked"
        return found

    def _verdict(self, number: int, entry: Entry, chunks: Iterator[bytes]) -> EntryVerdict:
        try:
            path = normalize(entry.path)
        except EntryRefused as refused:
            return EntryVerdict(number, shown(entry.path), "refused", refused.code)
        if entry.is_directory:
            return EntryVerdict(number, path, "skipped", Skipped.directory)
        if is_litter(path):
            return EntryVerdict(number, path, "skipped", Skipped.litter)
        if self._files >= self._budget.entries:
            self._exhausted = Refusal.too_many_entries
        refusal = self._exhausted or entry.refusal
        if refusal is not None:
            return EntryVerdict(number, path, "refused", refusal)
        return self._unpack(number, path, chunks)

    def _unpack(self, number: int, path: str, chunks: Iterator[bytes]) -> EntryVerdict:
        head = b""
        for chunk in chunks:
            head = head + chunk if head else chunk
            if len(head) >= _HEAD_BYTES:
                break
        if not head:
            return EntryVerdict(number, path, "skipped", Skipped.empty, 0)
        media_type = self._detect(head[:_HEAD_BYTES])
        if media_type is None:
            return EntryVerdict(number, path, "unsupported_type")
        if media_type in ARCHIVE_TYPES and not self._budget.nested:
            return EntryVerdict(number, path, "refused", Refusal.nested_too_deep)
        for chunk in chunks:
            head += chunk
            if len(head) > MAX_PACKED_BYTES:
                return self._to_file(number, path, media_type, head, chunks)
        place = self._packed_bytes
        self._pack.write(head)
        self._packed_bytes += len(head)
        return EntryVerdict(number, path, "unpacked", None, len(head), media_type, place)

    def _to_file(self, number: int, path: str, media_type: str, head: bytes, chunks: Iterator[bytes]) -> EntryVerdict:
        size = len(head)
        with (self._folder / str(number)).open("wb", buffering=0) as output:
            output.write(head)
            for chunk in chunks:
                output.write(chunk)
                size += len(chunk)
        return EntryVerdict(number, path, "unpacked", None, size, media_type)

    def _limited(self, entry: Entry) -> Iterator[bytes]:
        """The chunks of an entry, counted."""
        size = 0
        deadline = time.monotonic() + self._budget.entry_seconds
        for chunk in entry.chunks():
            size += len(chunk)
            self._bytes += len(chunk)
            if size > self._budget.entry_bytes:
                raise EntryRefused(Refusal.entry_too_large)
            if self._bytes > self._budget.bytes:
                self._exhausted = Refusal.archive_too_large
                raise EntryRefused(Refusal.archive_too_large)
            if size > _ENTRY_FLOOR and size > _MAX_RATIO * max(1, entry.consumed()):
                raise EntryRefused(Refusal.ratio_exceeded)
            total = self._budget.unpacked_bytes + self._bytes
            if total > _ARCHIVE_FLOOR and total > _MAX_RATIO * self._budget.packed_bytes:
                self._exhausted = Refusal.ratio_exceeded
                raise EntryRefused(Refusal.ratio_exceeded)
            if time.monotonic() > deadline:
                raise EntryRefused(Refusal.timeout)
            yield chunk


def _path(entry: Entry) -> str:
    try:
        return normalize(entry.path)
    except EntryRefused:
        return shown(entry.path)
