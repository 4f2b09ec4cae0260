"""The loop of the process that runs tasks: one request, some progress, one answer."""

import errno
import gc
import socket
import time
from dataclasses import asdict
from typing import Any

from docsieve.domain.pages import Progress
from docsieve.domain.text import clean
from docsieve.errors import DocsieveError, OutOfMemory, OutputTooLarge, ParserCrashed
from docsieve.sandbox import frames, isolation
from docsieve.sandbox.handover import empty_folder
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.tasks import TASKS

_PROGRESS_SECONDS = 0.1
_MAX_DETAIL = 500

# Pages are trees of thousands of small objects without cycles: looking for those as often as Python does by itself
# takes a tenth of the time of reading.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000

# Most documents leave a few free megabytes behind, and the next one would have to fetch them again page by page.
_FREE_MB_TO_KEEP = 16


def serve(connection: socket.socket, limits: Limits, isolated: dict[str, Any]) -> None:
    """Answer requests until the pool goes away; the first word to it is how well we are isolated."""
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    kept_mb = isolation.resident_mb()
    connection.sendall(frames.encode({"ready": {**isolated, "rss_mb": kept_mb}}))
    while (request := frames.receive(connection)) is not None:
        # After this, whatever happens is the document's doing and not an accident of an idle process.
        connection.sendall(frames.encode({"started": True}))
        isolation.allow_cpu(limits.cpu_seconds)
        answer = _perform(request, _Reporter(connection))
        # The working directory is the child's own; nothing of one document stays for the next.
        empty_folder(".")
        resident_mb = isolation.resident_mb()
        if resident_mb > kept_mb + _FREE_MB_TO_KEEP:
            isolation.return_free_memory()
            resident_mb = kept_mb = isolation.resident_mb()
        connection.sendall(frames.encode({**answer, "rss_mb": resident_mb, "reserved_mb": isolation.reserved_mb()}))


def _perform(request: dict[str, Any], reporter: "_Reporter") -> dict[str, Any]:
    try:
        return {"result": TASKS[request["task"]](request["arguments"], reporter)}
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

    A first page is always reported, because the next may take long, and so is a new stage, because the worker acts on it.
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
