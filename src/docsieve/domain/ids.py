"""Time-ordered ids, so that new rows are adjacent in every index."""

import os
import random
import struct
import time
from uuid import UUID

_LAST_HALF = struct.Struct(">Q")

# Ids must be unique but are not secret, and asking the kernel for randomness would take most of the time.
_noise = random.Random(os.urandom(32))
os.register_at_fork(after_in_child=lambda: _noise.seed(os.urandom(32)))


def new_id() -> UUID:
    """A UUID version 7: 48 bits of milliseconds, then randomness."""
    return id_at(time.time_ns() // 1_000_000, _noise.getrandbits(80))


def new_short_id() -> str:
    """16 random hexadecimal digits."""
    return f"{_noise.getrandbits(64):016x}"


def new_ids(count: int) -> list[UUID]:
    """New ids in ascending order, so that rows inserted in this order are appended to every index."""
    return [UUID(bytes=raw) for raw in new_raw_ids(count)]


def new_raw_ids(count: int) -> list[bytes]:
    """The same as bytes, for a driver that makes ids of them faster than Python does.

    They count up from a random id whose last 62 bits have room for that.
    """
    first = id_at(time.time_ns() // 1_000_000, _noise.getrandbits(80) & ~(1 << 61)).bytes
    prefix, start = first[:8], int.from_bytes(first[8:])
    return [prefix + end for end in map(_LAST_HALF.pack, range(start, start + count))]


def id_at(milliseconds: int, noise: int) -> UUID:
    """The id for a time. The same noise, of which 74 bits are used, gives the same id."""
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80 | noise & 0xFFFF_FFFF_FFFF_FFFF_FFFF
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)
