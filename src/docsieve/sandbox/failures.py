"""Failures of a child as errors of ours. A child's answer is checked: a parser may have taken the child over."""

import signal
from dataclasses import dataclass
from typing import Any

from docsieve.errors import AttemptError, DocsieveError, OutOfMemory, OutputTooLarge, ParserCrashed, ParserTimeout
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.task import Task


@dataclass(frozen=True, slots=True)
class Ending:
    """How the process that ran the task ended, as seen by its parent."""

    signal: int | None
    exit: int | None
    peak_mb: int
    out_of_memory: bool
    out_of_output: bool

    @property
    def is_clean(self) -> bool:
        return self.exit == 0 and not self.out_of_output


_DETAIL_ONLY = (DocsieveError.__init__, ParserCrashed.__init__)


def error_of_answer(failure: Any) -> DocsieveError:
    """The error that a child reported, as the same class; an unknown code is a crash.

    So is the code of an error that carries more than a detail: no task raises one.
    """
    match failure:
        case {"code": str(code), "detail": str(detail)}:
            for kind in _all_kinds(DocsieveError):
                if kind.code == code and kind.__init__ in _DETAIL_ONLY:
                    return kind(detail)
    return ParserCrashed("The sandboxed process reported an unknown error.")


def _all_kinds(root: type[DocsieveError]) -> list[type[DocsieveError]]:
    return [root, *(kind for child in root.__subclasses__() for kind in _all_kinds(child))]


def error_of_ending(ending: Ending | None, limits: Limits) -> AttemptError:
    if ending is None:
        return ParserCrashed("The sandboxed process disappeared.")
    if ending.signal == signal.SIGXCPU:
        return ParserTimeout(f"Processing took more than {limits.cpu_seconds} s of CPU time.")
    if ending.out_of_output:
        return OutputTooLarge()
    # Native code that is refused memory may die by any signal, and the kernel's OOM killer uses SIGKILL.
    near_limit = ending.peak_mb * 4 > limits.memory_mb * 3
    if ending.out_of_memory or (ending.signal is not None and near_limit):
        return OutOfMemory(f"Processing needed more than {limits.memory_mb} MB of memory.")
    if ending.signal is not None:
        return ParserCrashed(f"The sandboxed process was killed by signal {ending.signal}.", signal=ending.signal)
    return ParserCrashed(f"The sandboxed process exited with status {ending.exit}.")


def error_of_task(task: Task[Any], error: AttemptError) -> AttemptError:
    """A crash or a timeout as the task's own class: a child does not only run parsers."""
    if isinstance(error, ParserCrashed) and task.crash is not ParserCrashed:
        return task.crash(error.detail)
    if isinstance(error, ParserTimeout):
        return task.timeout(error.detail)
    return error
