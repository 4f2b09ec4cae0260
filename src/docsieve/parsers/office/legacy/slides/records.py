"""The record tree of a PowerPoint 97 to 2003 stream, with limits."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from docsieve.errors import TooLarge

_HEADER = struct.Struct("<HHI")
_CONTAINER = 0x0F
# Tagged data claims to have no records, but has.
_TAGGED_DATA = 5003
_MAX_DEPTH = 40
_MAX_RECORDS = 2_000_000


@dataclass(frozen=True, slots=True)
class Record:
    """`begin` and `end` are those of its content."""

    kind: int
    instance: int
    is_container: bool
    begin: int
    end: int


class Records:
    def __init__(self, stream: bytes) -> None:
        self.stream = stream
        self._walked = 0

    def at(self, place: int, limit: int | None = None) -> Record | None:
        limit = len(self.stream) if limit is None else limit
        if not 0 <= place <= limit - _HEADER.size:
            return None
        version, kind, size = _HEADER.unpack_from(self.stream, place)
        begin = place + _HEADER.size
        is_container = version & 0x0F == _CONTAINER or kind == _TAGGED_DATA
        return Record(kind, version >> 4, is_container, begin, min(begin + size, limit))

    def children(self, parent: Record) -> Iterator[Record]:
        place = parent.begin
        while (record := self.at(place, parent.end)) is not None:
            self._walked += 1
            if self._walked > _MAX_RECORDS:
                raise TooLarge("The document has too many records.")
            yield record
            place = record.end

    def within(self, parent: Record, depth: int = 0) -> Iterator[Record]:
        """All records below, those of a container after it."""
        for record in self.children(parent):
            yield record
            if record.is_container and depth < _MAX_DEPTH:
                yield from self.within(record, depth + 1)

    def integers(self, record: Record, *offsets: int) -> list[int]:
        """32-bit integers of its content; 0 where it is too short."""
        return [
            struct.unpack_from("<I", self.stream, record.begin + offset)[0]
            if record.begin + offset + 4 <= record.end
            else 0
            for offset in offsets
        ]

    def content(self, record: Record) -> bytes:
        return self.stream[record.begin : record.end]
