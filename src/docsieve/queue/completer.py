"""Ends jobs that wrote nothing, many in one commit.

There is no timer: whatever gathered while the last commit was under way goes into the next one, so an idle system
commits at once and a busy one in large batches.
"""

import asyncio

from docsieve.db.connection.outage import retry_through_outages
from docsieve.db.connection.session import Database
from docsieve.db.queue import jobs as queue_sql
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger
from docsieve.queue.attempts import record
from docsieve.queue.leases import Held, Leases

log = get_logger()

_LARGEST_BATCH = 1000


class Completer:
    def __init__(self, database: Database, leases: Leases) -> None:
        self._database = database
        self._leases = leases
        self._waiting: list[Held] = []
        self._added = asyncio.Event()
        self._emptied = asyncio.Event()
        self._emptied.set()

    @property
    def backlog(self) -> int:
        return len(self._waiting)

    def add(self, held: Held) -> None:
        held.task = None
        self._waiting.append(held)
        self._added.set()
        self._emptied.clear()

    async def run(self) -> None:
        while True:
            await self._added.wait()
            batch, self._waiting = self._waiting[:_LARGEST_BATCH], self._waiting[_LARGEST_BATCH:]
            if not self._waiting:
                self._added.clear()
            await self._commit(batch)
            if not self._waiting:
                self._emptied.set()

    async def flush(self) -> None:
        await self._emptied.wait()

    async def _commit(self, batch: list[Held]) -> None:
        jobs = [held.job for held in batch]

        async def write() -> set[object]:
            async with self._database.system() as connection:
                return set(await queue_sql.complete(connection, jobs, worker_id=self._leases.worker_id))

        try:
            done = await retry_through_outages(write, seconds=self._leases.lease_seconds)
        except DatabaseUnavailable as error:
            log.error("completions_not_written", jobs=len(batch), error=error.reason)
            done = set()
        for held in batch:
            self._leases.release(held)
            if held.job.id in done:
                record(held, "completed")
            else:
                self._leases.count_lost(held)
