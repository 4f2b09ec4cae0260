"""Ids that sort by time, so that new rows land beside each other in every index."""

import os
import time
from uuid import UUID


def new_id() -> UUID:
    """A UUID version 7: 48 bits of milliseconds, then randomness."""
    return id_at(time.time_ns() // 1_000_000, os.urandom(10))


def id_at(milliseconds: int, noise: bytes) -> UUID:
    """The id of a moment; the same ten bytes of noise make the same id."""
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80 | int.from_bytes(noise[:10])
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)
