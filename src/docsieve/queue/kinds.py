"""What a job handler is. The queue knows these shapes and nothing of what the handlers do."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from docsieve.db.session import Session
from docsieve.domain.jobs import ClaimedJob, JobArgs
from docsieve.domain.pages import Progress
from docsieve.domain.scope import Scope

# Writes a job's results. It runs inside the transaction that ends the job, after the fence held, and may run again if
# the connection broke before the commit was answered: it must only write what it already has in its hands.
Closing = Callable[[Session], Awaitable[None]]


@dataclass(slots=True)
class Attempt:
    """What a handler may know and say about the attempt it is."""

    job: ClaimedJob
    progress: Progress | None = None

    @property
    def scope(self) -> Scope:
        return Scope(self.job.tenant_id)

    def report(self, progress: Progress) -> None:
        """Show where the work stands; sent to the database about once a second."""
        self.progress = progress


Handler = Callable[[Any, Attempt], Awaitable[Closing | None]]


@dataclass(frozen=True, slots=True)
class Kind:
    args: type[JobArgs]
    run: Handler


Kinds = Mapping[str, Kind]


class Snooze(Exception):
    """Raised by a handler that must wait for somebody else, such as a provider's rate limit; burns no attempt."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds
