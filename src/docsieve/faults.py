"""Named steps of the real processes: tests wait until one is reached, or kill the process there.

A promise such as "an accepted document is never lost" can only be shown by killing a process between any two writes,
and a test that polls rows or sleeps is slow and sometimes wrong. Each such place calls `step(...)` or `signal(...)`.
Without an observer and without `DOCSIEVE_FAULT` or `DOCSIEVE_SIGNALS` in the environment, that costs two comparisons.
"""

import ctypes
import mmap
import os
import signal as signals
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, get_args

Step = Literal[
    "upload.received",
    "upload.blob_stored",
    "upload.committed",
    "job.claimed",
    "download.staged",
    "download.recorded",
    "download.copied",
    "job.blob_fetched",
    "job.read",
    "job.pages_stored",
    "unpack.begun",
    "unpack.slice_unpacked",
    "unpack.slice_stored",
    "unpack.slice_written",
    "unpack.slice_committed",
    "split.detected",
    "split.parts_stored",
    "answer.received",
    "answer.kept",
    "extract.answered",
    "extract.finished",
    "batch.deferred",
    "batch.planned",
    "batch.extractions_written",
    "batch.jobs_written",
    "batch.committed",
    "schedule.enqueued",
    "schedule.committed",
    "maintenance.slice_done",
    "webhook.prepared",
    "webhook.answered",
    "webhook.recorded",
    "job.results_written",
    "job.committed",
    "retention.slice_deleted",
    "tenant.slice_deleted",
    "tenant.blobs_deleted",
    "export.page_written",
    "export.rows_written",
    "backup.part_stored",
    "backup.database_stored",
    "restore.file_stored",
    "restore.files_stored",
    "restore.database_loaded",
]
"""A process may be killed here: `DOCSIEVE_FAULT=<step>`, or `<step>:<n>` when it is there for the n-th time."""

Signal = Literal[
    "api.ready",
    "request.ended",
    "worker.started",
    "worker.draining",
    "lane.idle",
    "lane.full",
    "lane.serving",
    "lane.without_redis",
    "messages.sent",
    "message.unclaimed",
    "leases.renewed",
    "progress.written",
    "pages.shown",
    "schedule.fired",
    "attempt.ended",
    "lease.lost",
    "job.rescued",
    "data_key.dropped",
    "queue.head_moved",
    "child.started",
    "pages.cached",
    "metrics.published",
    "reserve.taken",
    "reserve.released",
    "database.started",
    "database.not_started",
]
"""Reported once the fact that it names is true, and written down where it is to be written."""

STEPS: tuple[Step, ...] = get_args(Step)

VARIABLE = "DOCSIEVE_FAULT"
PIPE_VARIABLE = "DOCSIEVE_SIGNALS"
"""The path of a named pipe: each step and signal becomes one line, `<name> <process id> <subject>`."""

OCR_STEP = "ocr.first_backend"
"""Armed, no process can load the OCR models with the first backend of the ladder."""

Observer = Callable[[str, str], None]

# `ud2` and `udf #0`: both are reserved as undefined.
_UNDEFINED = {"x86_64": b"\x0f\x0b", "aarch64": b"\x00\x00\x00\x00"}


def step(name: Step) -> None:
    """Report that this step is reached, and die of SIGKILL if it is the armed one."""
    global _passes
    if _observer is not None:
        _observer(name, "")
    if _armed == name:
        _passes -= 1
        if _passes <= 0:
            os.kill(os.getpid(), signals.SIGKILL)


def signal(name: Signal, *subject: object) -> None:
    """Report that this point is reached; the subject says by what, for example a job's ID and outcome."""
    if _observer is not None:
        _observer(name, " ".join(map(str, subject)))


def illegal_instruction(name: str) -> None:
    """Die here of SIGILL, by an instruction that no CPU has, if this step is the armed one."""
    if _armed == name:
        code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(_UNDEFINED[os.uname().machine])
        ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


@contextmanager
def observed(observer: Observer) -> Iterator[None]:
    """Pass the steps and signals of this process to `observer` while the block runs."""
    global _observer
    before, _observer = _observer, observer
    try:
        yield
    finally:
        _observer = before


def _pipe_writer(path: str) -> Observer:
    pipe = os.open(path, os.O_WRONLY | os.O_CLOEXEC)

    def write(name: str, subject: str) -> None:
        try:
            os.write(pipe, f"{name} {os.getpid()} {subject}\n".encode())  # shorter than PIPE_BUF, so never interleaved
        except BrokenPipeError:
            pass  # the test that listened has ended

    return write


def _parse(armed: str) -> tuple[str, int]:
    name, _, passes = armed.partition(":")
    return name, int(passes or 1)


_armed, _passes = _parse(os.environ.get(VARIABLE, ""))
_observer: Observer | None = _pipe_writer(os.environ[PIPE_VARIABLE]) if PIPE_VARIABLE in os.environ else None
