"""pgqueuer 1.6, tables logged (its default `durable`), finished jobs in its log table as it always does.

BATCH, CONSUMERS and the driver were chosen by trying, in its favour.
"""

import asyncio
import os
from dataclasses import dataclass

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job as PgqJob
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode

from benchmarks.queues.port import Gate, Job

BATCH = int(os.environ.get("PGQ_BATCH", "500"))
CONSUMERS = int(os.environ.get("PGQ_CONSUMERS", "1"))
DRIVER = os.environ.get("PGQ_DRIVER", "apg")


class PgqueuerClient:
    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection
        self._queries = Queries(AsyncpgDriver(connection))

    async def enqueue(self) -> None:
        await self._queries.enqueue("noop", b"")

    async def enqueue_bulk(self, count: int) -> None:
        await self._queries.enqueue(["noop"] * count, [b""] * count, [0] * count)

    async def close(self) -> None:
        await self._connection.close()


@dataclass(frozen=True)
class Pgqueuer:
    name: str = "pgqueuer"
    settings: str = f"asyncpg, uvloop, batch_size {BATCH}, {CONSUMERS} consumers a process"
    drained_jobs: int = 20_000
    unfinished: str = "select exists (select from pgqueuer)"

    async def setup(self, dsn: str) -> None:
        connection = await asyncpg.connect(dsn)
        await Queries(AsyncpgDriver(connection)).install()
        await connection.close()

    async def connect(self, dsn: str) -> PgqueuerClient:
        return PgqueuerClient(await asyncpg.connect(dsn))

    async def work(self, dsn: str, gate: Gate, job: Job) -> None:
        drivers = [await self._driver(dsn) for _ in range(CONSUMERS)]
        for driver in drivers:
            await self._consumer(driver, job).run(batch_size=BATCH, mode=QueueExecutionMode.drain)
        await gate()
        await asyncio.gather(*(self._consumer(driver, job).run(batch_size=BATCH) for driver in drivers))

    async def _driver(self, dsn):
        if DRIVER == "apg":
            return AsyncpgDriver(await asyncpg.connect(dsn))
        if DRIVER == "pool":
            from pgqueuer.db import AsyncpgPoolDriver
            return AsyncpgPoolDriver(await asyncpg.create_pool(dsn, min_size=4, max_size=4))
        import psycopg
        from pgqueuer.db import PsycopgDriver
        return PsycopgDriver(await psycopg.AsyncConnection.connect(dsn, autocommit=True))

    def _consumer(self, driver: AsyncpgDriver, job: Job) -> PgQueuer:
        consumer = PgQueuer(driver)

        @consumer.entrypoint("noop")
        async def noop(_: PgqJob) -> None:
            job()

        return consumer


contender = Pgqueuer()
