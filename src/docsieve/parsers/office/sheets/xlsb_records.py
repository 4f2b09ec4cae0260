"""The records of a part of an xlsb workbook, streamed: a number, a size, a content."""

import struct
from collections.abc import Iterator

from docsieve.parsers.office.package import Readable

Record = tuple[int, bytes]

_CHUNK = 256 * 1024
_MAX_RECORD_BYTES = 16 * 1024**2
_HEADER_BYTES = 6


def records_of(stream: Readable) -> Iterator[Record]:
    """Yield the records of the part up to one of absurd size."""
    buffer = stream.read(_CHUNK)
    place = 0
    while True:
        if len(buffer) - place < _HEADER_BYTES:
            buffer, place = buffer[place:] + stream.read(_CHUNK), 0
        kind, after_kind = _variable(buffer, place, 2)
        size, begin = _variable(buffer, after_kind, 4)
        if begin <= after_kind or size > _MAX_RECORD_BYTES:
            return
        if begin + size > len(buffer):
            buffer = buffer[begin:] + stream.read(max(size, _CHUNK))
            begin = 0
        if begin + size > len(buffer):
            return
        yield kind, buffer[begin : begin + size]
        place = begin + size


def wide_string(content: bytes, place: int = 0) -> tuple[str, int]:
    """Return the string at a position, and the position after it."""
    if place + 4 > len(content):
        return "", len(content)
    count = struct.unpack_from("<I", content, place)[0]
    end = place + 4 if count == 0xFFFF_FFFF else place + 4 + 2 * count
    return content[place + 4 : end].decode("utf-16-le", "replace"), end


def _variable(buffer: bytes, place: int, limit: int) -> tuple[int, int]:
    """Seven bits per byte, the lowest first."""
    value = 0
    for number in range(limit):
        if place + number >= len(buffer):
            return 0, place
        byte = buffer[place + number]
        value |= (byte & 0x7F) << (7 * number)
        if not byte & 0x80:
            return value, place + number + 1
    return value, place + limit
