"""A page of memory that worker processes write and the benchmark reads, so that watching costs the database nothing."""

import mmap
import time
from pathlib import Path

SLOTS = 8
WORD = 8


class Board:
    """For each worker: how many jobs it has started, and when the latest one did.

    CLOCK_MONOTONIC is one clock for all processes of a Linux machine, so the times can be compared.
    """

    def __init__(self, path: Path) -> None:
        path.touch()
        with path.open("r+b") as file:
            file.truncate(SLOTS * 2 * WORD)
            self._words = memoryview(mmap.mmap(file.fileno(), SLOTS * 2 * WORD)).cast("Q")

    def clear(self) -> None:
        for index in range(len(self._words)):
            self._words[index] = 0

    def started(self) -> int:
        return sum(self._words[::2])

    def latest_start_ns(self) -> int:
        return max(self._words[1::2])

    def note_start(self, slot: int) -> None:
        # The time goes first: a reader that sees the new count must also see its time.
        self._words[slot * 2 + 1] = time.monotonic_ns()
        self._words[slot * 2] += 1
