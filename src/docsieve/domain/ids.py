"""Ids that sort by time, so that new rows land beside each other in every index."""

import os
import time
from uuid import UUID


def new_id() -> UUID:
    """A UUID version 7: 48 bits of milliseconds, then randomness."""
    milliseconds = time.time_ns() // 1_000_000
    noise = int.from_bytes(os.urandom(10))
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80 | noise
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)
