"""What every worker does for all: promote delayed jobs, rescue lost ones, and start the periodic jobs.

Each is one guarded statement that skips locked rows, so any number of workers may do it at once.
"""

import asyncio
import hashlib
import random
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve import faults, metrics
from docsieve.db.connection.session import Database
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.ids import id_at
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.scope import SYSTEM_TENANT
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger

log = get_logger()

_PROMOTE_SECONDS = 0.5
_PERIODIC_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Periodic:
    args: JobArgs
    every_seconds: float


class Maintenance:
    def __init__(
        self,
        database: Database,
        *,
        lease_seconds: float,
        periodic: Sequence[Periodic],
        wake: Callable[[Collection[str]], None],
    ) -> None:
        self._database = database
        self._rescue_seconds = min(lease_seconds / 6, 2.0)
        self._periodic = periodic
        self._wake = wake

    async def run(self) -> None:
        duties = (
            (self.promote, _PROMOTE_SECONDS),
            (self.rescue, self._rescue_seconds),
            (self.start_periodic, _PERIODIC_SECONDS),
        )
        async with asyncio.TaskGroup() as group:
            for duty, seconds in duties:
                group.create_task(self._repeat(duty, seconds))

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

    async def start_periodic(self) -> None:
        """Once in each period among all workers: the job's id is made from its type and the period's beginning."""
        jobs = [NewJob(each.args, max_attempts=1, id=_id_of_period(each)) for each in self._periodic]
        if jobs:
            await queue_sql.enqueue_alone(self._database, SYSTEM_TENANT, jobs)


def _id_of_period(periodic: Periodic) -> UUID:
    begun = int(time.time() // periodic.every_seconds * periodic.every_seconds * 1000)
    return id_at(begun, int.from_bytes(hashlib.sha256(periodic.args.job_type.encode()).digest()[:10]))
