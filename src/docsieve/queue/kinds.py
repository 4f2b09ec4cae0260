"""What a job handler is. The queue knows these shapes and nothing of what the handlers do."""

import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.domain.jobs import ClaimedJob, JobArgs
from docsieve.domain.pages.page import Progress
from docsieve.domain.scope import Scope
from docsieve.queue.pace import Pace

Result = dict[str, Any]
"""What a job reports when it is completed, as JSON."""

# Writes a job's results. It runs inside the transaction that ends the job, after the fence held, and may run again if
# the connection broke before the commit was answered: it must only write what it already has in its hands.
Closing = Callable[[Session], Awaitable[None]]


class Ended:
    """Returned by a handler that ended its job itself, in the statement that recorded its results, with many others."""


class LeaseLost(Exception):
    """The fence matched no row: the job was taken over, cancelled or deleted."""


_MAX_STAGES = 32
_LONGEST_STAGE = 40


@dataclass(slots=True)
class Attempt:
    """What a handler may know and say about the attempt it is. The result is stored with the end of the job."""

    job: ClaimedJob
    progress: Progress | None = None
    result: Result | None = None
    clock: Callable[[], float] = time.monotonic
    started: float = field(default_factory=time.monotonic)
    _seconds: dict[str, float] | None = None
    _since: float = 0.0
    _pace: Pace = field(default_factory=Pace)

    @property
    def scope(self) -> Scope:
        return Scope(self.job.tenant_id)

    def report(self, progress: Progress) -> None:
        """Report progress; sent to the database about once a second."""
        self._count_until_now()
        self.progress = progress
        self._pace.add(progress, self.clock())

    def shown(self) -> str | None:
        """The progress as JSON, with the time that is left; null where none was reported."""
        if self.progress is None:
            return None
        left = self._pace.seconds_left(self.clock())
        seconds_left = math.ceil(left) if left is not None else None
        return json.dumps({**asdict(self.progress), "seconds_left": seconds_left})

    def stages(self) -> str | None:
        """How long each stage took until now, in the order in which they began; null where none was reported.

        JSON, `[["starting", 3], ["reading", 812]]` in milliseconds. A stage that came again is counted with its first.
        """
        if self.progress is None:
            return None
        self._count_until_now()
        return json.dumps([[stage, round(seconds * 1000)] for stage, seconds in (self._seconds or {}).items()])

    def _count_until_now(self) -> None:
        """Stage names come from the sandbox, so neither their number nor their length is trusted."""
        now = self.clock()
        if self._seconds is None:
            self._seconds, self._since = {}, self.started
        stage = self.progress.stage[:_LONGEST_STAGE] if self.progress is not None else "starting"
        if stage not in self._seconds and len(self._seconds) >= _MAX_STAGES:
            stage = next(reversed(self._seconds))
        self._seconds[stage] = self._seconds.get(stage, 0.0) + now - self._since
        self._since = now


Handler = Callable[[Any, Attempt], Awaitable[Closing | Ended | None]]


@dataclass(frozen=True, slots=True)
class Kind:
    args: type[JobArgs]
    run: Handler


Kinds = Mapping[str, Kind]


class Snooze(Exception):
    """Raised by a handler that must wait, for example for a provider's rate limit; burns no attempt.

    With `waits_for`, the job is ready as soon as that document is no longer being read, and after `seconds` at last.
    """

    def __init__(self, seconds: float, *, waits_for: UUID | None = None) -> None:
        super().__init__(seconds)
        self.seconds = seconds
        self.waits_for = waits_for
