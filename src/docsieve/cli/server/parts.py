"""Child processes of a supervisor: restarted when they die, and stopped with it.

The kernel terminates them if the supervisor itself is killed.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from docsieve import logs
from docsieve.api.limits.buckets import new_memory
from docsieve.cli.server.shared import Shared
from docsieve.settings import Settings

log = logs.get_logger()

_STOPPED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_SECONDS = 0.25
_LONGEST_PAUSE = 30.0
_STEADY_SECONDS = 30.0
_API_STOP_SECONDS = 15.0
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


@dataclass(slots=True)
class Part:
    """A child process that is restarted with increasing pauses when it dies."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    started: float = 0.0
    due: float = 0.0
    environment: dict[str, str] = field(default_factory=dict)
    files: tuple[int, ...] = ()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "docsieve", *self.command],
            env={**os.environ, **self.environment},
            # Ctrl-C in the terminal reaches only the supervisor, which then stops the parts in order
            start_new_session=True,
            pass_fds=self.files,
            preexec_fn=lambda: _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM),
        )
        self.started = time.monotonic()

    def look_after(self) -> None:
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            steady = now - self.started > _STEADY_SECONDS
            self.failures = 1 if steady else self.failures + 1
            seconds = pause(self.failures)
            log.error("part_died", part=self.name, exit_code=self.process.returncode, restart_in=seconds)
            self.process, self.due = None, now + seconds
        if self.process is None and now >= self.due:
            self.start()

    def stop(self, seconds: float) -> None:
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            log.error("part_killed", part=self.name)
            self.process.kill()
            self.process.wait()


def pause(failures: int) -> float:
    return min(0.5 * 2.0 ** min(failures - 1, 10), _LONGEST_PAUSE)


class Stopping(Exception):
    """A signal told the supervisor to stop."""


def _on_signal(*_: object) -> None:
    # further signals, such as SIGHUP after SIGTERM, would interrupt stopping the parts
    ignore_signals()
    raise Stopping


def stop_on_signals() -> None:
    """From now on, a signal to stop raises Stopping."""
    for number in _STOPPED_BY:
        signal.signal(number, _on_signal)


def ignore_signals() -> None:
    for number in _STOPPED_BY:
        signal.signal(number, signal.SIG_IGN)


def api_parts(settings: Settings, sockets: Sequence[int], metrics: Path) -> list[Part]:
    """The API processes. They accept from the same sockets and share the memory of limits."""
    files = (*sockets, new_memory())
    names = ["api"] if settings.api_processes == 1 else [f"api {n + 1}" for n in range(settings.api_processes)]
    parts = []
    for place, name in enumerate(names):
        shared = Shared(files, place, settings.api_processes).written()
        parts.append(Part(name, ["api", "--shared", shared, "--metrics-folder", str(metrics)], files=files))
    return parts


def stop_all(parts: Sequence[Part], seconds: float) -> None:
    """All at once."""
    for part in parts:
        if part.process is not None:
            part.process.terminate()
    for part in parts:
        part.stop(seconds)


def stop_apis(parts: Sequence[Part]) -> None:
    stop_all(parts, _API_STOP_SECONDS)


def supervise_apis(settings: Settings, url: str, sockets: Sequence[int]) -> None:
    """Run the API processes until a signal to stop."""
    stop_on_signals()
    with TemporaryDirectory(prefix="docsieve-metrics-") as metrics:
        parts = api_parts(settings, sockets, Path(metrics))
        try:
            while True:
                for part in parts:
                    part.environment = {"DOCSIEVE_DATABASE_URL": url}
                    part.look_after()
                time.sleep(LOOK_SECONDS)
        except Stopping:
            log.info("stopping")
        finally:
            ignore_signals()
            stop_apis(parts)
