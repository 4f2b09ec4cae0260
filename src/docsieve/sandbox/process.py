"""One sandboxed child as seen by the worker: start, perform, kill."""

import asyncio
import json
import os
import signal
import socket
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from docsieve import faults, folders
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.errors import ParserCrashed, ParserTimeout, Unavailable
from docsieve.logs import get_logger
from docsieve.sandbox import frames
from docsieve.sandbox.failures import Ending, error_of_answer, error_of_ending
from docsieve.sandbox.handover import Handover
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.messages import decode_result
from docsieve.sandbox.task import Task, TaskModule

R = TypeVar("R")

log = get_logger()

_START_SECONDS = 60.0
_MAX_SECONDS = 24 * 3600.0
_ENVIRONMENT = frozenset({"PATH", "LANG", "TZ", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", faults.VARIABLE})
# There are many children: libraries that start a thread per core would only compete with each other.
_TUNING = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "MALLOC_ARENA_MAX": "2",
}


class ChildWasGone(Exception):
    """The child died before it started the task, so the task is not to blame. Says what the child could not do."""


@dataclass(slots=True)
class _Launch:
    """`control` takes commands; the launcher answers on its standard output.

    `trouble` is what failed last in the child outside of its tasks, and the kind of error.
    """

    process: Process
    control: socket.socket
    folder: Path
    trouble: str = ""

    @property
    def said(self) -> asyncio.StreamReader:
        assert self.process.stdout is not None
        return self.process.stdout

    async def hear(self) -> dict[str, Any]:
        """The next message; raises ValueError when the launcher has gone."""
        while True:
            message: dict[str, Any] = json.loads(await self.said.readline())
            if "failed" not in message:
                return message
            failed = message["failed"]
            self.trouble = f" ({failed['step']}: {failed['kind']})"
            log.error("sandbox_step_failed", **failed)

    async def clear_away(self) -> None:
        self.control.close()
        await self.process.wait()
        if not await asyncio.to_thread(folders.remove, self.folder):
            log.warning("folder_not_removed", folder=str(self.folder))


class Child:
    """`missing` names what the kernel did not isolate: `network`, `processes`, `user`, `files`, `calls`.

    `models` names the models that were loaded before the first task, `loaded` those that the last task used.
    """

    def __init__(
        self, launch: _Launch, limits: Limits, *, group: int, missing: list[str], uid: int | None, models: str | None
    ) -> None:
        self._launch = launch
        self._handover = Handover(launch.folder, uid=uid)
        self._limits = limits
        self._retired = False
        self._group = group
        self.models = models
        self.loaded: str | None = None
        self.missing = missing

    @classmethod
    async def start(cls, tasks: TaskModule, limits: Limits, folder: Path | None, models: str | None) -> "Child":
        launch = await _launch(tasks, limits, folder, models)
        try:
            async with asyncio.timeout(_START_SECONDS):
                group = (await launch.hear())["group"]
                ready = (await launch.hear())["ready"]
        except (TimeoutError, ValueError, KeyError) as error:
            _kill_group(launch.process.pid)
            await launch.clear_away()
            raise Unavailable(f"A sandboxed process could not be started{launch.trouble}.") from error
        faults.signal("child.started", group)
        return cls(launch, limits, group=group, models=models, **ready)

    @property
    def usable(self) -> bool:
        return not self._retired and self._launch.process.returncode is None and not self._launch.said.at_eof()

    async def perform(self, task: Task[R], on_progress: OnProgress | None) -> R:
        """Run one task. When this returns or raises, no process that the task started is left.

        After a timeout or a cancellation, the child is dead too.
        """
        finished = False
        try:
            payload = await asyncio.to_thread(self._handover.give, task)
            request = frames.encode({"task": type(task).__name__, "payload": payload})
            seconds = self._limits.wall_seconds
            async with asyncio.timeout(seconds) as limit:
                heard = _renewing(limit, seconds, on_progress) if task.limited_by_page else on_progress
                conversation, ending = await self._converse(" ".join(task.kinds), request, heard)
            finished = True
        except TimeoutError as error:
            of = " for one page" if task.limited_by_page else ""
            raise ParserTimeout(f"Processing took longer than {self._limits.wall_seconds:g} s{of}.") from error
        finally:
            # Also when cancelled: the group is dead before the cancellation goes on.
            if not finished:
                self.kill()
        return await asyncio.to_thread(self._end, type(task), conversation, ending)

    async def _converse(
        self, kinds: str, request: bytes, on_progress: OnProgress | None
    ) -> "tuple[_Conversation, Ending | None]":
        """Until the task has ended, with everything that it started."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._launch.control, [kinds.encode()], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise ChildWasGone(self._launch.trouble) from error
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        try:
            writer.write(request)
            conversation = _Conversation(on_progress)
            await conversation.follow(reader)
            return conversation, await self._ending()
        finally:
            writer.close()

    async def _ending(self) -> Ending | None:
        """How the task's process ended; None if the whole child did."""
        try:
            return Ending(**(await self._launch.hear())["ended"])
        except (ValueError, KeyError, TypeError):
            return None

    def _end(self, kind: type[Task[R]], conversation: "_Conversation", ending: Ending | None) -> R:
        try:
            return self._accept(kind, conversation, ending)
        finally:
            if not self._handover.clear():
                log.warning("folder_not_removed", folder=str(self._launch.folder))
                self._retired = True

    def _accept(self, kind: type[Task[R]], conversation: "_Conversation", ending: Ending | None) -> R:
        if not conversation.started:
            self._retired = True
            raise ChildWasGone(self._launch.trouble)
        answer = conversation.answer
        if answer is None or ending is None or not ending.is_clean:
            raise error_of_ending(ending, self._limits)
        self.loaded = loaded if isinstance(loaded := answer.get("models"), str) else None
        if "result" not in answer:
            raise error_of_answer(answer.get("error"))
        payload = answer["result"]
        given = payload.encode(errors="surrogatepass") if isinstance(payload, str) else self._handover.result()
        result = decode_result(kind, given)
        self._handover.take()
        return result

    def kill(self) -> None:
        """Kill the whole group at once; `clear_away` collects it."""
        self._retired = True
        if self._launch.process.returncode is None and not _kill_group(self._group):
            _kill_group(self._launch.process.pid)

    async def clear_away(self) -> None:
        await self._launch.clear_away()


def _renewing(limit: asyncio.Timeout, seconds: float, report: OnProgress | None) -> OnProgress:
    """Starts the time limit again with each new page, but not for ever: pages are what the process claims."""
    now = asyncio.get_running_loop().time
    last, reached = now() + _MAX_SECONDS, 0

    def heard(progress: Progress) -> None:
        nonlocal reached
        if (progress.page or 0) > reached and not limit.expired():
            reached = progress.page or 0
            limit.reschedule(min(now() + seconds, last))
        if report is not None:
            report(progress)

    return heard


class _Conversation:
    """What a task's process says. It may be anything: a parser may have taken the process over."""

    def __init__(self, on_progress: OnProgress | None) -> None:
        self._on_progress = on_progress
        self.started = False
        self.answer: dict[str, Any] | None = None

    async def follow(self, reader: asyncio.StreamReader) -> None:
        """Until it has answered or is gone; raises ParserCrashed if it breaks the protocol."""
        try:
            while self.answer is None:
                message = await frames.read(reader)
                self.started = True
                if "progress" in message:
                    progress = _progress(message["progress"])
                    if self._on_progress:
                        self._on_progress(progress)
                elif "started" not in message:
                    self.answer = message
        except frames.BadFrame as error:
            raise ParserCrashed("The sandboxed process sent an invalid message.") from error
        except (asyncio.IncompleteReadError, ConnectionError):
            return


async def _launch(tasks: TaskModule, limits: Limits, below: Path | None, models: str | None) -> _Launch:
    folder = Path(tempfile.mkdtemp(prefix="docsieve-sandbox-", dir=below))
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    settings = {
        "parent": os.getpid(),
        "limits": asdict(limits),
        "folder": str(folder),
        "tasks": tasks.__name__,
        "models": models,
    }
    try:
        with theirs:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "docsieve.sandbox.launcher", json.dumps(settings)),
                stdin=theirs.fileno(),
                stdout=PIPE,
                stderr=DEVNULL,
                cwd=folder,
                env=_environment(folder / "work"),
                start_new_session=True,
            )
    except OSError as error:
        ours.close()
        folders.remove(folder)
        raise Unavailable("A sandboxed process could not be started.") from error
    return _Launch(process, ours, folder)


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in _ENVIRONMENT or name.startswith("LC_")}
    return {**kept, **_TUNING, "HOME": str(home), "TMPDIR": str(home)}


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
