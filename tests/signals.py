"""Waiting for what `docsieve.faults` reports: by this process, or by the processes of a service."""

import asyncio
import os
import select
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from docsieve import faults

FINAL = frozenset({"completed", "failed", "cancelled"})


@dataclass(frozen=True)
class Signal:
    """`pid` is the process that reported it; `subject` is what it was about, for example a job."""

    name: str
    pid: int
    subject: str


Wanted = Callable[[Signal], bool]
T = TypeVar("T")

PROCESS_ENDED = "process.ended"
"""Reported by the test itself for each process that it watches: the kernel says so."""


def named(name: faults.Step | faults.Signal, subject: object = None, *, pid: int | None = None) -> Wanted:
    """Signals of this name; of one subject and one process where those are given."""
    return lambda each: (
        each.name == name and (subject is None or each.subject == str(subject)) and (pid is None or each.pid == pid)
    )


def ended(pid: int) -> Wanted:
    """The process has ended, however it did."""
    return lambda each: each.name == PROCESS_ENDED and each.pid == pid


def either(*wanted: Wanted) -> Wanted:
    return lambda each: any(one(each) for one in wanted)


def job_ended(job_id: object) -> Wanted:
    """The last attempt of the job, once its end is in the database."""
    ends = {f"{job_id} {outcome}" for outcome in FINAL}
    return lambda each: each.name == "attempt.ended" and each.subject in ends


class OwnSignals:
    """Those of this process, awaited in its event loop."""

    def __init__(self) -> None:
        self.seen: list[Signal] = []
        self._more = asyncio.Event()

    def __call__(self, name: str, subject: str) -> None:
        self.seen.append(Signal(name, os.getpid(), subject))
        self._more.set()

    async def until(self, wanted: Wanted, *, times: int = 1, seconds: float = 30.0) -> None:
        """Return once so many have been seen since the beginning."""
        async with asyncio.timeout(seconds):
            while sum(map(wanted, self.seen)) < times:
                self._more.clear()
                await self._more.wait()


@contextmanager
def own_signals() -> Iterator[OwnSignals]:
    signals = OwnSignals()
    with faults.observed(signals):
        yield signals


class PipeSignals:
    """Those of other processes, read from a named pipe by a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen: list[Signal] = []
        self._changed = threading.Condition()
        os.mkfifo(path)
        # Writable too, so that the pipe does not end when the last process of the service does.
        self._pipe = os.fdopen(os.open(path, os.O_RDWR | os.O_CLOEXEC), "rb", buffering=0)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def until(self, wanted: Wanted, *, times: int = 1, seconds: float = 90.0) -> None:
        """Return once so many have been seen since the beginning."""
        with self._changed:
            found = self._changed.wait_for(lambda: sum(map(wanted, self.seen)) >= times, seconds)
        assert found, f"not within {seconds} s; seen: {self.seen[-20:]}"

    def has(self, wanted: Wanted) -> bool:
        return self.count(wanted) > 0

    def count(self, wanted: Wanted) -> int:
        return sum(map(wanted, list(self.seen)))

    def until_true(self, condition: Callable[[], T | None], *, seconds: float = 90.0, what: str = "") -> T:
        """Look at each signal whether the condition holds, and return its value once it does."""
        deadline = time.monotonic() + seconds
        while True:
            known = len(self.seen)
            if value := condition():
                return value
            with self._changed:
                more = self._changed.wait_for(partial(self._has_more, known), deadline - time.monotonic())
            assert more, f"not within {seconds} s: {what or condition}; seen: {self.seen[-20:]}"

    def _has_more(self, known: int) -> bool:
        return len(self.seen) > known

    def watch(self, pid: int) -> None:
        """Report the end of a process as a signal, like those that it writes itself."""
        try:
            process = os.pidfd_open(pid)
        except ProcessLookupError:
            self._announce_end(pid)
        else:
            threading.Thread(target=self._follow, args=(process, pid), daemon=True).start()

    def _follow(self, process: int, pid: int) -> None:
        _await_end(process, None)
        os.close(process)
        self._announce_end(pid)

    def _announce_end(self, pid: int) -> None:
        with self._changed:
            self.seen.append(Signal(PROCESS_ENDED, pid, ""))
            self._changed.notify_all()

    def close(self) -> None:
        if self._pipe.closed:
            return
        os.write(self._pipe.fileno(), b"\n")
        self._reader.join()
        self._pipe.close()
        self.path.unlink(missing_ok=True)

    def _read(self) -> None:
        rest = b""
        while True:
            *lines, rest = (rest + self._pipe.read(65536)).split(b"\n")
            read = [Signal(name, int(pid), subject) for name, pid, subject in map(_parts, filter(None, lines))]
            with self._changed:
                self.seen += read
                self._changed.notify_all()
            if b"" in lines:
                return


def wait_for_end(pids: Iterable[int], *, seconds: float = 90.0) -> None:
    """Return once all of these processes have ended, also those of other parents. The kernel reports it: no polling."""
    deadline = time.monotonic() + seconds
    for pid in pids:
        try:
            process = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            assert _await_end(process, max(deadline - time.monotonic(), 0)), f"{pid} still runs after {seconds} s"
        finally:
            os.close(process)


def _await_end(process: int, seconds: float | None) -> bool:
    waiting = select.poll()
    waiting.register(process, select.POLLIN)
    return bool(waiting.poll(None if seconds is None else seconds * 1000))


def _parts(line: bytes) -> tuple[str, str, str]:
    name, pid, subject = line.decode().split(" ", 2)
    return name, pid, subject
