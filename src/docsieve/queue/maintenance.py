"""What every worker does for all: promote delayed jobs, rescue lost ones, and fire the ticks of schedules.

Each is guarded by locks that others skip, so any number of workers may do it at once.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Sequence

from docsieve import faults, metrics
from docsieve.db.connection.session import Database
from docsieve.db.queue import jobs as queue_sql
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger
from docsieve.queue.scheduler import Scheduled, Scheduler

log = get_logger()

_PROMOTE_SECONDS = 0.5
_SCHEDULE_SECONDS = 1.0


class Maintenance:
    def __init__(
        self,
        database: Database,
        *,
        lease_seconds: float,
        scheduled: Sequence[Scheduled],
        wake: Callable[[Collection[str]], None],
    ) -> None:
        self._database = database
        self._rescue_seconds = min(lease_seconds / 6, 2.0)
        self._scheduler = Scheduler(database, scheduled, wake=wake)
        self._wake = wake

    async def run(self) -> None:
        duties = (
            (self.promote, _PROMOTE_SECONDS),
            (self.rescue, self._rescue_seconds),
            (self._scheduler.fire, _SCHEDULE_SECONDS),
        )
        try:
            async with asyncio.TaskGroup() as group:
                for duty, seconds in duties:
                    group.create_task(self._repeat(duty, seconds))
        except BaseExceptionGroup as crashes:
            # The first to fail has cancelled the others; an invalid setting is reported in one line.
            raise crashes.exceptions[0] from crashes

    async def _repeat(self, duty: Callable[[], Awaitable[None]], seconds: float) -> None:
        while True:
            try:
                await duty()
            except DatabaseUnavailable as error:
                log.warning("maintenance_failed", duty=getattr(duty, "__name__", ""), error=error.reason)
            await asyncio.sleep(seconds * random.uniform(0.75, 1.25))

    async def promote(self) -> None:
        async with self._database.system() as connection:
            self._wake(await queue_sql.promote(connection))

    async def rescue(self) -> None:
        async with self._database.system() as connection:
            rescued = await queue_sql.rescue(connection)
        for row in rescued:
            metrics.jobs_rescued.inc()
            log.warning("job_rescued", job_id=str(row["id"]), queue=row["queue"], status=row["status"])
            faults.signal("job.rescued", row["id"], row["status"])
        self._wake({row["queue"] for row in rescued})
