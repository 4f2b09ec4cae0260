"""What the process of one task does: one request, some progress, one answer."""

import errno
import math
import socket
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docsieve.domain.pages.page import Progress
from docsieve.domain.text import clean
from docsieve.errors import DocsieveError, OutOfMemory, OutputTooLarge, ParserCrashed
from docsieve.sandbox import frames
from docsieve.sandbox.kernel import isolation
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.messages import (
    MAX_INLINE_BYTES,
    RESULT_FILE,
    TASK_FILE,
    adapter,
    decode_task,
    encode_result,
    result_type,
)
from docsieve.sandbox.task import Task, TaskModule

_PROGRESS_SECONDS = 0.1
_MAX_DETAIL = 500


class Runner:
    """Created once, before the forks; `run` is called in the process of one task, whose files are in `folder`."""

    def __init__(self, tasks: TaskModule, limits: Limits, folder: Path) -> None:
        self._tasks = tasks
        self._kinds = {kind.__name__: kind for kind in tasks.TASKS}
        self._limits = limits
        self._folder = folder
        for kind in tasks.TASKS:
            # Built here once, so that no task spends time on it.
            adapter(kind), adapter(result_type(kind))

    def run(self, connection: socket.socket) -> None:
        """Answer the one request of this process; none comes if the pool is gone."""
        request = frames.receive(connection)
        if request is None:
            return
        # From here on a failure is the task's, not an accident of a process that was being started.
        connection.sendall(frames.encode({"started": True}))
        isolation.allow_cpu(self._limits.cpu_seconds)
        kind = self._kinds.get(request["task"])
        if kind is None:
            answer = _failure(ParserCrashed("The sandboxed process does not know this task."))
        else:
            seconds = self._limits.cpu_seconds if kind.limited_by_page else None
            answer = self._answer(kind, request["payload"], _Reporter(connection, seconds))
            answer["models"] = self._tasks.loaded_models(kind)
        connection.sendall(frames.encode(answer))

    def _answer(self, kind: type[Task[Any]], payload: str | None, reporter: "_Reporter") -> dict[str, Any]:
        try:
            return {"result": self._perform(kind, payload, reporter)}
        except DocsieveError as error:
            return _failure(error)
        except MemoryError:
            return _failure(OutOfMemory())
        except OSError as error:
            return _failure(_explain(error))
        except Exception as error:  # noqa: BLE001  a plugin may raise anything; its message may contain document text
            return _failure(ParserCrashed(f"Processing failed with {type(error).__name__}."))

    def _perform(self, kind: type[Task[Any]], payload: str | None, reporter: "_Reporter") -> str | None:
        """The result as JSON, or None if it is in a file. No `payload` means that the task is in one."""
        given = payload.encode() if payload is not None else (self._folder / "in" / TASK_FILE).read_bytes()
        result = decode_task(kind, given).perform(reporter)
        encoded = encode_result(kind, result)
        if len(encoded) <= MAX_INLINE_BYTES:
            return encoded.decode()
        (self._folder / "out" / RESULT_FILE).write_bytes(encoded)
        return None


def _failure(error: DocsieveError) -> dict[str, Any]:
    return {"error": {"code": error.code, "detail": clean(error.detail)[:_MAX_DETAIL]}}


def _explain(error: OSError) -> DocsieveError:
    if error.errno == errno.EFBIG:
        return OutputTooLarge()
    if error.errno == errno.ENOMEM:
        return OutOfMemory()
    return ParserCrashed(f"Processing failed with {type(error).__name__}.")


class _Reporter:
    """Sends progress, but not more often than anyone would look.

    The first page is always reported, because the next one may take long, and so is a new stage, because the worker
    acts on it. Each new page gets `cpu_seconds`, if given.
    """

    def __init__(self, connection: socket.socket, cpu_seconds: int | None) -> None:
        self._connection = connection
        self._cpu_seconds = cpu_seconds
        self._page = 0
        self._next = 0.0
        self._stage: str | None = None

    def __call__(self, progress: Progress) -> None:
        if self._cpu_seconds is not None and (progress.page or 0) > self._page:
            self._page = progress.page or 0
            isolation.allow_cpu(math.ceil(time.process_time()) + self._cpu_seconds)
        now = time.monotonic()
        if now >= self._next or progress.page in (1, progress.pages) or progress.stage != self._stage:
            self._next, self._stage = now + _PROGRESS_SECONDS, progress.stage
            self._connection.sendall(frames.encode({"progress": asdict(progress)}))
