"""The records of an Excel 5 to 2003 stream, and the strings in them, which may span several records."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

CONTINUE = 0x3C

_WIDE, _PHONETIC, _RICH = 0x01, 0x04, 0x08


@dataclass(frozen=True, slots=True)
class BiffRecord:
    kind: int
    content: bytes
    end: int


def records_from(stream: bytes, place: int) -> Iterator[BiffRecord]:
    """Yield the records from a position to the end of the stream."""
    while place + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, place)
        end = place + 4 + size
        yield BiffRecord(kind, stream[place + 4 : end], end)
        place = end


def continued(stream: bytes, place: int) -> list[bytes]:
    """Return the contents of the records at this position that continue the one before it."""
    segments = []
    for record in records_from(stream, place):
        if record.kind != CONTINUE:
            break
        segments.append(record.content)
    return segments


class SegmentedStrings:
    """Reads strings one after another. One that is split at the end of a record states its width again."""

    def __init__(self, segments: list[bytes], place: int = 0) -> None:
        self._segments = segments
        self._segment = 0
        self._place = place

    def string(self) -> str | None:
        """None at the end."""
        header = self._take(3)
        if len(header) < 3:
            return None
        count, flags = struct.unpack("<HB", header)
        runs = int.from_bytes(self._take(2), "little") if flags & _RICH else 0
        phonetic = int.from_bytes(self._take(4), "little") if flags & _PHONETIC else 0
        text = self.characters(count, wide=bool(flags & _WIDE))
        self._take(4 * runs + phonetic)
        return text

    def characters(self, count: int, *, wide: bool) -> str:
        text = ""
        while count > 0 and self._segment < len(self._segments):
            width = 2 if wide else 1
            segment = self._segments[self._segment]
            piece = segment[self._place : self._place + count * width]
            text += piece.decode("utf-16-le" if wide else "latin-1", "replace")
            self._place += len(piece)
            count -= len(piece) // width
            if count > 0:
                self._segment += 1
                following = self._segments[self._segment] if self._segment < len(self._segments) else b""
                wide = bool(following[:1] and following[0] & _WIDE)
                self._place = 1
        return text

    def _take(self, size: int) -> bytes:
        taken = b""
        while len(taken) < size and self._segment < len(self._segments):
            segment = self._segments[self._segment]
            piece = segment[self._place : self._place + size - len(taken)]
            taken += piece
            self._place += len(piece)
            if len(taken) < size:
                self._segment += 1
                self._place = 0
        return taken
