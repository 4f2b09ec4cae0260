"""The central directory of a ZIP file, read record by record: `zipfile` would hold all of it in memory.

One damaged record does not sink the others, and nothing that the directory claims about sizes is trusted later.
"""

import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from docsieve.errors.archives import ArchiveSplit, ArchiveTruncated

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = struct.Struct("<4sLQL")
_RECORD = struct.Struct("<4s6H3L5H2L")
_NUMBER, _LENGTHS = struct.Struct("<L"), struct.Struct("<3H")
_LOCAL_HEADER_BYTES = 30
_END_SIGNATURE, _END64_SIGNATURE = b"PK\x05\x06", b"PK\x06\x06"
_LOCATOR_SIGNATURE, RECORD_SIGNATURE = b"PK\x06\x07", b"PK\x01\x02"
_SPLIT_SIGNATURE = b"PK\x07\x08"
_LONGEST_COMMENT = 0xFFFF
_UNKNOWN = 0xFFFF_FFFF

ZIP64, UNICODE_PATH, AES = 0x0001, 0x7075, 0x9901
MASKED_BY_STRONG_ENCRYPTION = 0x2000


@dataclass(frozen=True, slots=True)
class Record:
    """What the directory says of an entry. `offset` is None if it does not say where the entry is."""

    name: bytes
    system: int
    flags: int
    method: int
    time: int
    crc: int
    packed_size: int
    size: int
    attributes: int
    offset: int | None
    extras: dict[int, bytes]


@dataclass(frozen=True, slots=True)
class Directory:
    """Where the directory is, and how many records it announces, of which small archives say the last 16 bits only.

    `shift` is added to every offset: a program or another archive may precede this one.
    """

    start: int
    shift: int
    end: int
    announced: int

    @classmethod
    def find(cls, file: BinaryIO) -> "Directory":
        """Raises ArchiveTruncated if there is none, and ArchiveSplit if entries are in other files."""
        total = file.seek(0, os.SEEK_END)
        tail_start = max(0, total - _END.size - _LONGEST_COMMENT)
        tail = _read(file, tail_start, total - tail_start)
        place = _end_record(tail)
        if place < 0:
            if _read(file, 0, 4) == _SPLIT_SIGNATURE:
                raise ArchiveSplit
            raise ArchiveTruncated("The archive has no directory: its end is missing.")
        _, disk, first_disk, _, announced, size, offset, _ = _END.unpack_from(tail, place)
        end = tail_start + place
        larger = _find_end64(file, end)
        if larger is not None:
            end, disk, first_disk, announced, size, offset = larger
        if disk not in (0, 0xFFFF) or first_disk not in (0, 0xFFFF):
            raise ArchiveSplit
        for start in (end - size, offset, _first_record(file)):
            if 0 <= start < end and _read(file, start, 4) == RECORD_SIGNATURE:
                return cls(start, start - offset if start == end - size else 0, end, announced)
        return cls(end, 0, end, announced)

    def records(self, mapped: mmap.mmap, start: int = 0) -> Iterator[Record]:
        """From number `start` on. Those before are skipped without a look at them."""
        for place, lengths in islice(self._places(mapped), start, None):
            name_end = place + _RECORD.size + lengths[0]
            yield self._record(
                _RECORD.unpack_from(mapped, place),
                mapped[place + _RECORD.size : name_end],
                mapped[name_end : name_end + lengths[1]],
            )

    def ranges(self, mapped: mmap.mmap) -> Iterator[tuple[int, int]]:
        """Where each entry begins and at least how long it is: of its header, only the name is known to be there."""
        for place, (name_size, extra_size, _) in self._places(mapped):
            packed_size, offset = _NUMBER.unpack_from(mapped, place + 20)[0], _NUMBER.unpack_from(mapped, place + 42)[0]
            if _UNKNOWN in (packed_size, offset):
                extra = place + _RECORD.size + name_size
                record = self._record(_RECORD.unpack_from(mapped, place), b"", mapped[extra : extra + extra_size])
                packed_size, offset = record.packed_size, (record.offset or self.shift) - self.shift
            yield offset + self.shift, _LOCAL_HEADER_BYTES + name_size + packed_size

    def _places(self, mapped: mmap.mmap) -> Iterator[tuple[int, tuple[int, int, int]]]:
        """Behind a damaged record, the next one is looked for."""
        place = self.start
        last = len(mapped) - _RECORD.size
        while 0 <= place <= last:
            if mapped[place : place + 4] != RECORD_SIGNATURE:
                place = mapped.find(RECORD_SIGNATURE, place, self.end)
                continue
            lengths = _LENGTHS.unpack_from(mapped, place + 28)
            yield place, lengths
            place += _RECORD.size + sum(lengths)

    def _record(self, fields: tuple[int, ...], name: bytes, extra: bytes) -> Record:
        extras = parse_extras(extra)
        large = extras.get(ZIP64, b"")
        numbers = [fields[9], fields[8], fields[16]]  # size, packed size, offset
        place = 0
        for index, number in enumerate(numbers):
            if number == _UNKNOWN and place + 8 <= len(large):
                numbers[index] = int.from_bytes(large[place : place + 8], "little")
                place += 8
        size, packed_size, offset = numbers
        return Record(
            name=name,
            system=fields[1] >> 8,
            flags=fields[3],
            method=fields[4],
            time=fields[5],
            crc=fields[7],
            packed_size=packed_size,
            size=size,
            attributes=fields[15],
            offset=offset + self.shift if offset != _UNKNOWN else None,
            extras=extras,
        )


def parse_extras(extra: bytes) -> dict[int, bytes]:
    """The extra fields by their id. Padding and what does not fit are left out."""
    found: dict[int, bytes] = {}
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, place)
        found.setdefault(kind, extra[place + 4 : place + 4 + length])
        place += 4 + length
    return found


def _end_record(tail: bytes) -> int:
    """Where the end record begins, or -1: the last whose comment reaches to the end, otherwise the last of all.

    A comment may contain the signature, and something else may follow the archive.
    """
    last = place = tail.rfind(_END_SIGNATURE, 0, len(tail) - _END.size + len(_END_SIGNATURE))
    while place >= 0:
        if place + _END.size + int.from_bytes(tail[place + 20 : place + 22], "little") == len(tail):
            return place
        place = tail.rfind(_END_SIGNATURE, 0, place + len(_END_SIGNATURE) - 1)
    return last


def _find_end64(file: BinaryIO, end: int) -> tuple[int, int, int, int, int, int] | None:
    locator = _read(file, end - _LOCATOR.size, _LOCATOR.size) if end >= _LOCATOR.size else b""
    if not locator.startswith(_LOCATOR_SIGNATURE):
        return None
    stated = _LOCATOR.unpack(locator)[2]
    # A program in front of the archive moves the record, but not away from its locator.
    for position in (stated, end - _LOCATOR.size - _END64.size):
        record = _read(file, position, _END64.size) if 0 <= position < end else b""
        if record.startswith(_END64_SIGNATURE):
            *_, disk, first_disk, _, announced, size, offset = _END64.unpack(record)
            return position, disk, first_disk, announced, size, offset
    return None


def _first_record(file: BinaryIO) -> int:
    """Where the directory may begin if everything that points to it is wrong; -1 if nowhere near."""
    window = 1024 * 1024
    total = file.seek(0, os.SEEK_END)
    start = max(0, total - window)
    place = _read(file, start, window).find(RECORD_SIGNATURE)
    return start + place if place >= 0 else -1


def _read(file: BinaryIO, position: int, length: int) -> bytes:
    if position < 0:
        return b""
    file.seek(position)
    return file.read(length)
