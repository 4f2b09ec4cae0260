"""One run of a maintenance task: its options, its counts, and the job that reports them."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from docsieve import faults
from docsieve.db.connection.driver import Connection
from docsieve.domain.audit import Actor
from docsieve.domain.pages.page import Progress
from docsieve.domain.scope import Scope
from docsieve.errors import Conflict
from docsieve.logs import get_logger
from docsieve.queue.kinds import Attempt, Result
from docsieve.resources import Resources
from docsieve.services.maintenance.tasks import MaintenanceArgs

log = get_logger()

_SLICE = 5_000
_UNLIMITED = 2**62


@dataclass(slots=True)
class TaskRun:
    """`done` counts against the limit; `counts` is what the job reports."""

    resources: Resources
    attempt: Attempt
    args: MaintenanceArgs
    counts: Counter[str] = field(default_factory=Counter)
    done: int = 0

    @property
    def dry_run(self) -> bool:
        return self.args.dry_run

    def left(self, at_most: int = _UNLIMITED) -> int:
        """How many more may be handled, and at most so many in one slice."""
        return at_most if self.args.limit is None else min(at_most, self.args.limit - self.done)

    def count(self, *, towards_limit: int = 0, **amounts: int) -> None:
        """Count what a slice handled, or would have."""
        self.done += towards_limit
        self.counts.update(amounts)
        self.attempt.report(Progress(", ".join(f"{number} {name}" for name, number in self.counts.items())))
        faults.step("maintenance.slice_done")

    @contextmanager
    def keeping_what_must_be_kept(self) -> Iterator[None]:
        """One thing that must not be deleted, or not now, is counted and does not keep the others."""
        try:
            yield
        except Conflict as conflict:
            log.warning("not_deleted", task=self.args.job_type, code=conflict.code)
            self.counts["kept"] += 1

    def scope(self, tenant_id: UUID) -> Scope:
        """The audit log names the task as what deletes."""
        return Scope(tenant_id, actor=Actor.rule(self.args.job_type))

    def result(self) -> Result:
        return {"dry_run": self.dry_run, "limit_reached": self.left() == 0, **self.counts}

    async def prune(self, name: str, prune: "Slice") -> None:
        """Delete rows in slices, or count them."""
        self.counts[name] += 0
        at_most = _UNLIMITED if self.dry_run else _SLICE
        while (limit := self.left(at_most)) > 0:
            async with self.resources.database.system() as connection:
                handled = await prune(connection, limit)
            if handled:
                self.count(towards_limit=handled, **{name: handled})
            if self.dry_run or handled < limit:
                return


Slice = Callable[[Connection, int], Awaitable[int]]
"""Handles up to a number of rows and returns how many."""

TaskFunction = Callable[[TaskRun], Awaitable[None]]


class TaskHandler:
    """The handler of a task's jobs. Whatever was done before a crash stays done, and the next attempt goes on."""

    def __init__(self, resources: Resources, task: TaskFunction) -> None:
        self._resources = resources
        self._task = task

    async def __call__(self, args: MaintenanceArgs, attempt: Attempt) -> None:
        run = TaskRun(self._resources, attempt, args)
        await self._task(run)
        attempt.result = run.result()
