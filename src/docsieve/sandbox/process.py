"""One sandboxed child as the worker sees it: start, perform, kill."""

import asyncio
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from docsieve import faults
from docsieve.domain.pages import Progress
from docsieve.errors import ParserCrashed, ParserTimeout, Unavailable
from docsieve.sandbox import frames
from docsieve.sandbox.failures import Ending, error_of_answer, error_of_ending
from docsieve.sandbox.growth import Growth
from docsieve.sandbox.handover import Handover
from docsieve.sandbox.limits import Limits

OnProgress = Callable[[Progress], None]

_START_SECONDS = 60.0
_ENDING_SECONDS = 5.0
_ENVIRONMENT = frozenset({"PATH", "LANG", "TZ", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", faults.VARIABLE})
# Children are many; libraries that start a thread for each core only get in each other's way.
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


class ChildWasGone(Exception):
    """The child died before it took the task up, so the task is not to blame."""


@dataclass(frozen=True, slots=True)
class _Launch:
    process: Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    folder: Path


class Child:
    """`missing` names what the kernel did not cut off: `network`, `processes`, `user`, `files`, `calls`."""

    def __init__(
        self, launch: _Launch, limits: Limits, *, group: int, missing: list[str], uid: int | None, rss_mb: int
    ) -> None:
        self._process, self._reader, self._writer = launch.process, launch.reader, launch.writer
        self._folder = launch.folder
        self._handover = Handover(launch.folder, strange=uid is not None)
        self._limits = limits
        self._group = group
        self._growth = Growth(limits, rss_mb)
        self._documents = 0
        self._retired = False
        self.missing = missing

    @classmethod
    async def start(cls, limits: Limits, folder: Path | None) -> "Child":
        launch = await _launch(limits, folder)
        try:
            async with asyncio.timeout(_START_SECONDS):
                assert launch.process.stdout is not None
                hello = json.loads(await launch.process.stdout.readline())
                ready = (await frames.read(launch.reader))["ready"]
        except (TimeoutError, ValueError, KeyError, asyncio.IncompleteReadError, ConnectionError) as error:
            _kill_group(launch.process.pid)
            await _clear_away(launch.process, launch.writer, launch.folder)
            raise Unavailable("A sandboxed process could not be started.") from error
        return cls(launch, limits, group=hello["group"], **ready)

    @property
    def usable(self) -> bool:
        return not self._retired and self._process.returncode is None and not self._reader.at_eof()

    async def perform(self, task: str, arguments: dict[str, Any], on_progress: OnProgress | None) -> dict[str, Any]:
        """Run one task; a child that did not answer, for whatever reason, is dead when this returns or raises."""
        finished = False
        try:
            given = await asyncio.to_thread(self._handover.give, arguments)
            request = frames.encode({"task": task, "arguments": given})
            async with asyncio.timeout(self._limits.wall_seconds):
                answer = await self._exchange(request, on_progress)
            await asyncio.to_thread(self._handover.finish, succeeded=isinstance(answer.get("result"), dict))
            finished = True
        except TimeoutError as error:
            raise ParserTimeout(f"The parser took longer than {self._limits.wall_seconds:g} s.") from error
        except frames.BadFrame as error:
            raise ParserCrashed("The parser process broke the protocol.") from error
        finally:
            # Also when cancelled: the group is dead before the cancellation goes on.
            if not finished:
                self.kill()
        return self._accept(answer)

    async def _exchange(self, request: bytes, on_progress: OnProgress | None) -> dict[str, Any]:
        started = False
        try:
            self._writer.write(request)
            await self._writer.drain()
            while True:
                message = await frames.read(self._reader)
                if "progress" not in message and "started" not in message:
                    return message
                started = True
                if on_progress and "progress" in message:
                    on_progress(_progress(message["progress"]))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            if not started:
                raise ChildWasGone from error
            raise error_of_ending(await self._ending(), self._limits) from error

    def _accept(self, answer: dict[str, Any]) -> dict[str, Any]:
        self._documents += 1
        result, failure = answer.get("result"), answer.get("error")
        resident_mb, reserved_mb = answer.get("rss_mb"), answer.get("reserved_mb")
        grown = (
            not isinstance(resident_mb, int)
            or not isinstance(reserved_mb, int)
            or self._growth.is_too_much(resident_mb, reserved_mb)
        )
        if grown or self._documents >= self._limits.documents_per_child:
            self._retired = True
        if isinstance(result, dict):
            return result
        failure = failure if isinstance(failure, dict) else {}
        error = error_of_answer(failure.get("code"), failure.get("detail"))
        # Another attempt may go better in a process that this one has not touched.
        self._retired = self._retired or not error.permanent
        raise error

    async def _ending(self) -> Ending | None:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(_ENDING_SECONDS):
                return Ending(**json.loads(await self._process.stdout.readline()))
        except (TimeoutError, ValueError, TypeError):
            return None

    def kill(self) -> None:
        """Kill the whole group at once; `clear_away` collects it."""
        self._retired = True
        if self._process.returncode is None and not _kill_group(self._group):
            _kill_group(self._process.pid)

    async def clear_away(self) -> None:
        await _clear_away(self._process, self._writer, self._folder)


def _make_folder(below: Path | None) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="docsieve-sandbox-", dir=below))
    for name in ("in", "out", "work"):
        Path(folder, name).mkdir(mode=0o700)
    return folder


async def _launch(limits: Limits, below: Path | None) -> _Launch:
    folder = _make_folder(below)
    ours, theirs = socket.socketpair()
    settings = json.dumps({"parent": os.getpid(), "limits": asdict(limits), "folder": str(folder)})
    try:
        with theirs:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "docsieve.sandbox.child", settings),
                stdin=theirs.fileno(),
                stdout=PIPE,
                stderr=DEVNULL,
                cwd=folder / "work",
                env=_environment(folder / "work"),
                start_new_session=True,
            )
    except OSError as error:
        ours.close()
        shutil.rmtree(folder)
        raise Unavailable("A sandboxed process could not be started.") from error
    reader, writer = await asyncio.open_unix_connection(sock=ours)
    return _Launch(process, reader, writer, folder)


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in _ENVIRONMENT or name.startswith("LC_")}
    return {**kept, **_ONE_THREAD, "HOME": str(home), "TMPDIR": str(home)}


def _progress(message: Any) -> Progress:
    match message:
        case {"stage": str(stage), "page": int() | None as page, "pages": int() | None as pages}:
            return Progress(stage, page, pages)
    raise frames.BadFrame("a progress frame has another shape")


def _kill_group(group: int) -> bool:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


async def _clear_away(process: Process, writer: asyncio.StreamWriter, folder: Path) -> None:
    writer.close()
    await process.wait()
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
