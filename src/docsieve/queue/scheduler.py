"""Starts scheduled jobs: any number of workers look, and each tick is fired by one of them.

A tick is fired in one transaction that locks its schedule, enqueues its job and moves the schedule on. A worker that
dies in between leaves the tick to the others.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from docsieve import faults
from docsieve.db.connection.session import Database, Session
from docsieve.db.queue import schedules
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.schedules.schedule import Schedule
from docsieve.domain.scope import SYSTEM_TENANT, Scope
from docsieve.logs import get_logger

log = get_logger()


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A kind of job and when it is started. The name of the schedule is the type of the job."""

    args: JobArgs
    schedule: Schedule


class Scheduler:
    def __init__(
        self, database: Database, scheduled: Sequence[Scheduled], *, wake: Callable[[Collection[str]], None]
    ) -> None:
        self._database = database
        self._scheduled = {each.args.job_type: each for each in scheduled}
        self._wake = wake
        self._registered = False

    async def fire(self) -> None:
        """Fire all ticks that are due and that no other worker is firing."""
        if not self._scheduled:
            return
        if not self._registered:
            async with self._database.system() as connection:
                await schedules.register(connection, {name: each.schedule for name, each in self._scheduled.items()})
            self._registered = True
        while await self._fire_next():
            pass

    async def _fire_next(self) -> bool:
        async with self._database.system() as connection, connection.transaction():
            tick = await schedules.lock_due(connection, list(self._scheduled))
            if tick is None:
                return False
            due = self._scheduled[tick.name]
            session = Session(connection, Scope(SYSTEM_TENANT))
            [job_id] = await enqueue(session, [NewJob(due.args, unique_key=due.args.unique_key())])
            faults.step("schedule.enqueued")
            await schedules.advance(connection, tick.name, due.schedule)
        faults.step("schedule.committed")
        self._wake(session.woken)
        # without a job, the one of an earlier tick is unfinished and does the same
        log.info("schedule_fired", schedule=tick.name, tick=tick.due_at.isoformat(), job_id=job_id and str(job_id))
        faults.signal("schedule.fired", tick.name, tick.due_at.isoformat(), job_id or "merged")
        return True
