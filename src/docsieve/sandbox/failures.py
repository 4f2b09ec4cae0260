"""Failures of a child as errors of ours. A child's answer is checked: a parser may have taken the child over."""

import signal
from dataclasses import dataclass
from typing import Any

from docsieve.errors import AttemptError, DocsieveError, OutOfMemory, OutputTooLarge, ParserCrashed, ParserTimeout
from docsieve.sandbox.limits import Limits


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


def error_of_answer(failure: Any) -> DocsieveError:
    """The error that a child reported, as the same class; an unknown code is a crash."""
    match failure:
        case {"code": str(code), "detail": str(detail)}:
            for kind in _all_kinds(DocsieveError):
                if kind.code == code:
                    return kind(detail)
    return ParserCrashed("The parser process answered with an unknown error.")


def _all_kinds(root: type[DocsieveError]) -> list[type[DocsieveError]]:
    return [root, *(kind for child in root.__subclasses__() for kind in _all_kinds(child))]


def error_of_ending(ending: Ending | None, limits: Limits) -> AttemptError:
    if ending is None:
        return ParserCrashed("The parser process vanished.")
    if ending.signal == signal.SIGXCPU:
        return ParserTimeout(f"The parser used more than {limits.cpu_seconds} s of CPU time.")
    if ending.out_of_output:
        return OutputTooLarge()
    # Native code that is refused memory may die by any signal, and the kernel's OOM killer uses SIGKILL.
    near_limit = ending.peak_mb * 4 > limits.memory_mb * 3
    if ending.out_of_memory or (ending.signal is not None and near_limit):
        return OutOfMemory(f"The parser needed more than {limits.memory_mb} MB of memory.")
    if ending.signal is not None:
        return ParserCrashed(f"The parser process died by signal {ending.signal}.", signal=ending.signal)
    return ParserCrashed(f"The parser process ended with status {ending.exit}.")
