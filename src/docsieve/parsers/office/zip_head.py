"""The entries in the first bytes of a ZIP container, from their local headers."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

LOCAL_HEADER = struct.Struct("<4sHHHHHIIIHH")
LOCAL_SIGNATURE = b"PK\x03\x04"

_SIZES_FOLLOW = 0x08
_MAX_INFLATED = 64 * 1024


@dataclass(frozen=True, slots=True)
class HeadEntry:
    """`packed` is cut where the head ends."""

    name: str
    method: int
    packed: bytes

    @property
    def content(self) -> bytes:
        if self.method == 0:
            return self.packed
        try:
            return zlib.decompressobj(-15).decompress(self.packed, _MAX_INFLATED)
        except zlib.error:
            return b""


def entries_in(head: bytes) -> Iterator[HeadEntry]:
    start = 0 if head.startswith(LOCAL_SIGNATURE) else -1
    while 0 <= start <= len(head) - LOCAL_HEADER.size:
        fields = LOCAL_HEADER.unpack_from(head, start)
        flags, method, packed_size, name_size, extra_size = fields[2], fields[3], fields[7], fields[9], fields[10]
        begin = start + LOCAL_HEADER.size
        data = begin + name_size + extra_size
        sizes_follow = bool(flags & _SIZES_FOLLOW) and packed_size == 0
        following = head.find(LOCAL_SIGNATURE, data) if sizes_follow else data + packed_size
        end = len(head) if following < 0 else following
        yield HeadEntry(head[begin : begin + name_size].decode("utf-8", "replace"), method, head[data:end])
        # A wrong size leads nowhere; then the next header is searched for.
        if 0 <= following < len(head) and not head.startswith(LOCAL_SIGNATURE, following):
            following = head.find(LOCAL_SIGNATURE, data)
        start = following
