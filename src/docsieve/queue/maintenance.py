"""What every worker does for all: promote delayed jobs, rescue lost ones, lift late ones, add up counts, fire ticks.

Each is guarded by locks that others skip, so any number of workers may do it at once.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Collection, Sequence

from docsieve import faults, metrics
from docsieve.db.connection.session import Database
from docsieve.db.queue import heads, job_counts
from docsieve.db.queue import jobs as queue_sql
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger
from docsieve.queue.scheduler import Scheduled, Scheduler

log = get_logger()

_PROMOTE_SECONDS = 0.5
_LIFT_SECONDS = 1.0
_SCHEDULE_SECONDS = 1.0
_ADD_UP_SECONDS = 5.0

# While a snapshot is held, a duty may read over millions of dead rows. It then comes less often.
_MAX_SHARE_OF_TIME = 0.01
_LONGEST_PAUSE_SECONDS = 60.0


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
            (self.lift, _LIFT_SECONDS),
            (self._scheduler.fire, _SCHEDULE_SECONDS),
            (self.add_up, _ADD_UP_SECONDS),
        )
        try:
            async with asyncio.TaskGroup() as group:
                for duty, seconds in duties:
                    group.create_task(self._repeat(duty, seconds))
        except ExceptionGroup as crashed:
            # the first one stopped the others; a setting that is wrong must read like one
            raise crashed.exceptions[0] from None

    async def _repeat(self, duty: Callable[[], Awaitable[None]], seconds: float) -> None:
        previous = took = 0.0
        while True:
            begun = time.monotonic()
            try:
                await duty()
                previous, took = took, time.monotonic() - begun
            except DatabaseUnavailable as error:
                log.warning("maintenance_failed", duty=getattr(duty, "__name__", ""), error=error.reason)
            await asyncio.sleep(pause(seconds, took, previous) * random.uniform(0.75, 1.25))

    async def promote(self) -> None:
        async with self._database.system() as connection:
            self._wake(await queue_sql.promote(connection))

    async def lift(self) -> None:
        async with self._database.system() as connection:
            lifted = await heads.lift(connection)
        self._wake(lifted)

    async def rescue(self) -> None:
        async with self._database.system() as connection:
            rescued = await queue_sql.rescue(connection)
        for row in rescued:
            metrics.jobs_rescued.inc()
            log.warning("job_rescued", job_id=str(row["id"]), queue=row["queue"], status=row["status"])
            faults.signal("job.rescued", row["id"], row["status"])
        self._wake({row["queue"] for row in rescued})

    async def add_up(self) -> None:
        async with self._database.system() as connection:
            await job_counts.add_up(connection)


def pause(seconds: float, *took: float) -> float:
    """How long a duty waits after its last runs took so long. A single slow one may be an outage."""
    return max(seconds, min(min(took) / _MAX_SHARE_OF_TIME, _LONGEST_PAUSE_SECONDS))
