"""Token buckets and counters in memory that all API processes of a machine share.

A bucket is one number, the time at which it is full again (the generic cell rate algorithm). A slot whose time has
passed is a full bucket like any other, so it is free for a different name, and nothing has to be cleaned up.
"""

import fcntl
import hashlib
import mmap
import os
import struct
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache

from docsieve.limits import Rate

MAX_PROCESSES = 256
_BUCKETS = 65_536
_COUNTERS = 1_024  # per process
_PROBES = 16
_BUCKET = struct.Struct("=Qd")  # name, time at which it is full again
_COUNTER = struct.Struct("=Qq")  # name, number
_COUNTERS_AT = _BUCKETS * _BUCKET.size
_SIZE = _COUNTERS_AT + MAX_PROCESSES * _COUNTERS * _COUNTER.size


def new_memory() -> int:
    """A file descriptor for `SharedBuckets`, to be passed on to the processes that share them.

    It is in no folder, takes memory only where it is written, and ends with the last process that has it.
    """
    memory = os.memfd_create("docsieve-limits")
    os.ftruncate(memory, _SIZE)
    return memory


class SharedBuckets:
    """`process` is this process's place among `processes`: what it counted before it died is forgotten."""

    def __init__(
        self,
        memory: int | None = None,
        *,
        process: int = 0,
        processes: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file = new_memory() if memory is None else memory
        self._memory = mmap.mmap(self._file, _SIZE)
        self._processes = processes
        self._own = self._region(process)
        self._clock = clock  # the same for all processes of a machine
        # a process that shares with no other uses it from one thread only
        self._lock: AbstractContextManager[None] = _RecordLock(self._file) if processes > 1 else nullcontext()
        with self._lock:
            size = _COUNTERS * _COUNTER.size
            self._memory[self._own : self._own + size] = bytes(size)

    def close(self) -> None:
        self._memory.close()
        os.close(self._file)

    def take(self, name: str, amount: float, rate: Rate, *, force: bool = False) -> float:
        """Take an amount; returns 0, or the seconds to wait because there is not enough. `force` may leave a debt."""
        key, now = _key(name), self._clock()
        with self._lock:
            at, full_at = self._find(key, now)
            full_at = max(full_at, now) + amount * rate.seconds / rate.amount
            wait = full_at - now - rate.seconds
            if wait > 1e-9 and not force:
                return wait
            _BUCKET.pack_into(self._memory, at, key, full_at)
        return 0.0

    def enter(self, name: str, limit: int) -> bool:
        """Count one more, unless there are as many as allowed. `leave` must follow if there are not."""
        key = _key(name)
        with self._lock:
            if sum(self._count(self._region(each), key)[1] for each in range(self._processes)) >= limit:
                return False
            at, number = self._count(self._own, key)
            _COUNTER.pack_into(self._memory, at, key, number + 1)
        return True

    def leave(self, name: str) -> None:
        key = _key(name)
        with self._lock:
            at, number = self._count(self._own, key)
            _COUNTER.pack_into(self._memory, at, key, max(0, number - 1))

    def _find(self, key: int, now: float) -> tuple[int, float]:
        """Where the bucket is or may be, and when it is full. If all places are taken, the fullest one is replaced."""
        fullest = (0, float("inf"))
        for probe in range(_PROBES):
            at = (key + probe) % _BUCKETS * _BUCKET.size
            found, full_at = _BUCKET.unpack_from(self._memory, at)
            if found == key:
                return at, full_at
            if full_at < fullest[1]:
                fullest = (at, full_at)
        return fullest[0], now

    def _count(self, region: int, key: int) -> tuple[int, int]:
        """Where the counter is or may be, and its number. If all places are taken, they share the last one."""
        free = None
        for probe in range(_PROBES):
            at = region + (key + probe) % _COUNTERS * _COUNTER.size
            found, number = _COUNTER.unpack_from(self._memory, at)
            if found == key:
                return at, number
            if number == 0 and free is None:
                free = at
        return (free, 0) if free is not None else (at, number)

    def _region(self, process: int) -> int:
        return _COUNTERS_AT + process * _COUNTERS * _COUNTER.size


class _RecordLock(AbstractContextManager[None]):
    """Held for microseconds. The kernel releases the lock of a process that dies."""

    def __init__(self, file: int) -> None:
        self._file = file

    def __enter__(self) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN)


@lru_cache(maxsize=10_000)
def _key(name: str) -> int:
    """The same in all processes, and never 0, which marks an unused place."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) or 1
