"""Named steps at which tests kill the real process.

A promise such as "what was answered is never lost" can only be shown by killing a process between any two writes. Each
such place calls `step(...)`, which costs one comparison unless `DOCSIEVE_FAULT=<step>` names a step to die at.
"""

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

_armed = os.environ.get("DOCSIEVE_FAULT")


def step(name: str) -> None:
    """Die here by SIGKILL if this step is the armed one."""
    if _armed == name:
        os.kill(os.getpid(), signal.SIGKILL)
