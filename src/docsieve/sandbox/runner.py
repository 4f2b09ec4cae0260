"""What the process of one document does: one request, some progress, one answer."""

import errno
import socket
import time
from dataclasses import asdict
from typing import Any

from docsieve.domain.pages import Progress
from docsieve.domain.text import clean, cleaned
from docsieve.errors import DocsieveError, OutOfMemory, OutputTooLarge, ParserCrashed
from docsieve.parsers.ocr import registry
from docsieve.sandbox import frames, isolation
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.tasks import TASKS

_PROGRESS_SECONDS = 0.1
_MAX_DETAIL = 500


def run(connection: socket.socket, limits: Limits) -> None:
    """Answer the one request of this process; none comes where the pool has gone."""
    request = frames.receive(connection)
    if request is None:
        return
    # After this, whatever happens is the document's doing and not an accident of a process that was being made.
    connection.sendall(frames.encode({"started": True}))
    isolation.allow_cpu(limits.cpu_seconds)
    answer = _perform(request, _Reporter(connection))
    # A probe may load what is never used.
    ocr = registry.loaded() if request["task"] == "read_document" else None
    connection.sendall(frames.encode({**answer, "ocr": ocr}))


def _perform(request: dict[str, Any], reporter: "_Reporter") -> dict[str, Any]:
    try:
        return {"result": cleaned(TASKS[request["task"]](request["arguments"], reporter))}
    except DocsieveError as error:
        failure = error
    except MemoryError:
        failure = OutOfMemory()
    except OSError as error:
        failure = _explain(error)
    except Exception as error:  # noqa: BLE001  a foreign parser may raise anything; its message may hold document text
        failure = ParserCrashed(f"The parser failed with {type(error).__name__}.")
    return {"error": {"code": failure.code, "detail": clean(failure.detail)[:_MAX_DETAIL]}}


def _explain(error: OSError) -> DocsieveError:
    if error.errno == errno.EFBIG:
        return OutputTooLarge()
    if error.errno == errno.ENOMEM:
        return OutOfMemory()
    return ParserCrashed(f"The parser failed with {type(error).__name__}.")


class _Reporter:
    """Passes progress on, but not more often than anyone would look.

    A first page is always reported, because the next may take long, and so is a new stage, because the worker acts on
    it.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._next = 0.0
        self._stage: str | None = None

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now >= self._next or progress.page in (1, progress.pages) or progress.stage != self._stage:
            self._next, self._stage = now + _PROGRESS_SECONDS, progress.stage
            self._connection.sendall(frames.encode({"progress": asdict(progress)}))
