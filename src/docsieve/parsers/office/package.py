"""A ZIP container, read with limits: the sizes in its directory are never trusted."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from docsieve.errors import CorruptDocument, TooLarge
from docsieve.parsers.office.package_entries import Entry, salvage
from docsieve.parsers.office.zip_head import LOCAL_HEADER, LOCAL_SIGNATURE

PART_BYTES = 64 * 1024**2
"""The most of one part that is held in memory."""

_STREAM_BYTES = 512 * 1024**2
_TOTAL_BYTES = 1024**3
_RATIO = 200
_RATIO_FROM = 32 * 1024**2
_MAX_ENTRIES = 50_000
_CHUNK = 64 * 1024
_FARTHEST = 1 << 62

_DIRECTORY_FAILURES = (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError, struct.error)


class Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class Package:
    """Parts are looked up by name, ignoring case as Office does. Of duplicate parts, the later one counts."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self._unpacked = 0
        self.entries = {entry.name.lower(): entry for entry in _entries(file)}

    def __contains__(self, name: str) -> bool:
        return name.lower() in self.entries

    def read(self, name: str, limit: int = PART_BYTES) -> bytes:
        """Return the bytes of a part as far as they can be unpacked; none if there is no such part. Raises TooLarge."""
        content = self.stream(name).read(limit + 1)
        if len(content) > limit:
            raise TooLarge(f"A part of the document unpacks to more than {limit // 1024**2} MB.")
        return content

    def stream(self, name: str) -> Readable:
        entry = self.entries.get(name.lower())
        return _Part(self, entry, self.file) if entry else _Nothing()

    def count(self, size: int) -> None:
        """Count unpacked bytes; a part that is read twice counts twice."""
        self._unpacked += size
        if self._unpacked > _TOTAL_BYTES:
            raise TooLarge(f"The document unpacks to more than {_TOTAL_BYTES // 1024**2} MB.")


class _Nothing:
    def read(self, size: int = -1, /) -> bytes:
        return b""


class _Part:
    """One part, unpacked as it is read. It ends early where its data is damaged."""

    def __init__(self, package: Package, entry: Entry, file: BinaryIO) -> None:
        self._package = package
        self._entry = entry
        self._file = file
        self._position = _data_offset(file, entry)
        self._left = entry.packed_size
        self._inflater = zlib.decompressobj(-15) if entry.method == zipfile.ZIP_DEFLATED else None
        self._packed = b""
        self._taken = 0
        self._given = 0
        readable = entry.method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not entry.encrypted
        self._ended = not readable or self._position is None

    def read(self, size: int = -1, /) -> bytes:
        wanted = size if size >= 0 else _STREAM_BYTES + 1
        pieces = []
        while wanted > 0 and (piece := self._piece(min(wanted, _CHUNK))):
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def _piece(self, limit: int) -> bytes:
        while not self._ended:
            if not self._packed:
                self._packed = self._take()
            if self._inflater is None:
                piece, self._packed = self._packed[:limit], self._packed[limit:]
                self._ended = not piece
            else:
                piece = self._inflate(self._inflater, limit)
            if piece:
                self._count(len(piece))
                return piece
        return b""

    def _take(self) -> bytes:
        assert self._position is not None
        self._file.seek(self._position)
        packed = self._file.read(min(_CHUNK, self._left) if self._left is not None else _CHUNK)
        self._position += len(packed)
        self._taken += len(packed)
        if self._left is not None:
            self._left -= len(packed)
        return packed

    def _inflate(self, inflater: "zlib._Decompress", limit: int) -> bytes:
        try:
            piece = inflater.decompress(self._packed, limit)
        except zlib.error:
            self._ended = True
            return b""
        self._ended = inflater.eof or (not piece and not self._packed)
        self._packed = inflater.unconsumed_tail
        return piece

    def _count(self, size: int) -> None:
        self._given += size
        self._package.count(size)
        swollen = self._given > _RATIO_FROM and self._given > _RATIO * max(1, self._taken)
        if swollen or self._given > _STREAM_BYTES:
            raise TooLarge(f"A part of the document unpacks to more than {self._given // 1024**2} MB.")


def _data_offset(file: BinaryIO, entry: Entry) -> int | None:
    if not 0 <= entry.offset < _FARTHEST:
        return None
    file.seek(entry.offset)
    header = file.read(LOCAL_HEADER.size)
    if len(header) < LOCAL_HEADER.size or not header.startswith(LOCAL_SIGNATURE):
        return None
    fields = LOCAL_HEADER.unpack(header)
    return int(entry.offset + LOCAL_HEADER.size + fields[9] + fields[10])


def _entries(file: BinaryIO) -> list[Entry]:
    try:
        with zipfile.ZipFile(file) as directory:
            listed = [Entry.of(info) for info in directory.infolist()]
    except _DIRECTORY_FAILURES:
        listed = []
    if len(listed) > _MAX_ENTRIES:
        raise TooLarge(f"The document has more than {_MAX_ENTRIES} parts.")
    found = [entry for entry in listed if _data_offset(file, entry) is not None]
    if len(found) < len(listed) or not found:
        # The directory is damaged or lost; its valid entries take precedence over those found without it.
        found = salvage(file, _MAX_ENTRIES) + found
    if not found:
        raise CorruptDocument("The document's container is damaged and cannot be opened.")
    return found


@contextmanager
def open_package(source: Path) -> Iterator[Package]:
    with source.open("rb") as file:
        yield Package(file)
