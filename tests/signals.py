"""Waiting for what `docsieve.faults` reports: by this process, or by the processes of a service."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docsieve import faults

FINAL = frozenset({"completed", "failed", "cancelled"})


@dataclass(frozen=True)
class Signal:
    """`pid` is the process that reported it; `subject` is what it was about, for example a job."""

    name: str
    pid: int
    subject: str


Wanted = Callable[[Signal], bool]


def named(name: faults.Step | faults.Signal, subject: object = None, *, pid: int | None = None) -> Wanted:
    """Signals of this name; of one subject and one process where those are given."""
    return lambda each: (
        each.name == name and (subject is None or each.subject == str(subject)) and (pid is None or each.pid == pid)
    )


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
        self._known = 0
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
        return any(map(wanted, list(self.seen)))

    def pause(self, seconds: float) -> None:
        """Until the next signal, or for a few times as long: no signal reports that a process has died."""
        with self._changed:
            self._changed.wait_for(self._any_new, seconds * 3)
            self._known = len(self.seen)

    def _any_new(self) -> bool:
        return len(self.seen) > self._known

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


def _parts(line: bytes) -> tuple[str, str, str]:
    name, pid, subject = line.decode().split(" ", 2)
    return name, pid, subject
