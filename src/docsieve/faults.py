"""Named steps at which tests kill the real process.

A promise such as "what was answered is never lost" can only be shown by killing a process between any two writes. Each
such place calls `step(...)`, which costs one comparison unless `DOCSIEVE_FAULT=<step>` names a step to die at.
"""

import ctypes
import mmap
import os
import signal

STEPS = (
    "upload.received",
    "upload.blob_stored",
    "upload.committed",
    "job.claimed",
    "job.blob_fetched",
    "job.read",
    "job.pages_stored",
    "answer.received",
    "answer.kept",
    "extract.answered",
    "extract.finished",
    "job.results_written",
    "job.committed",
)

VARIABLE = "DOCSIEVE_FAULT"

OCR_STEP = "ocr.first_backend"
"""Armed, no process can load the OCR models with the first backend of the ladder."""

# `ud2` and `udf #0`: reserved for ever to be undefined.
_UNDEFINED = {"x86_64": b"\x0f\x0b", "aarch64": b"\x00\x00\x00\x00"}

_armed = os.environ.get(VARIABLE)


def step(name: str) -> None:
    """Die here by SIGKILL if this step is the armed one."""
    if _armed == name:
        os.kill(os.getpid(), signal.SIGKILL)


def illegal_instruction(name: str) -> None:
    """Die here by SIGILL, of an instruction that no CPU has, if this step is the armed one."""
    if _armed == name:
        code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(_UNDEFINED[os.uname().machine])
        ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
