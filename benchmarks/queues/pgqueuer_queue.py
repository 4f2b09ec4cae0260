"""pgqueuer 1.6, tables logged (its default `durable`), finished jobs in its log table as it always does.

BATCH, one asyncpg connection and one consumer a process come from short trials on a busy machine (batches of 10 to
1,000, one and two consumers, connection, pool and psycopg); batches of 500 and 1,000 could not be told apart.
"""

from dataclasses import dataclass

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job as PgqJob
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode

from benchmarks.queues.port import Gate, Job

BATCH = 1_000


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
    settings: str = f"asyncpg, uvloop, one connection a process, batch_size {BATCH}"
    drained_jobs: int = 20_000
    unfinished: str = "select exists (select from pgqueuer)"

    async def setup(self, dsn: str) -> None:
        connection = await asyncpg.connect(dsn)
        await Queries(AsyncpgDriver(connection)).install()
        await connection.close()

    async def connect(self, dsn: str) -> PgqueuerClient:
        return PgqueuerClient(await asyncpg.connect(dsn))

    async def work(self, dsn: str, gate: Gate, job: Job) -> None:
        driver = AsyncpgDriver(await asyncpg.connect(dsn))
        await self._consumer(driver, job).run(batch_size=BATCH, mode=QueueExecutionMode.drain)
        await gate()
        await self._consumer(driver, job).run(batch_size=BATCH)

    def _consumer(self, driver: AsyncpgDriver, job: Job) -> PgQueuer:
        consumer = PgQueuer(driver)

        @consumer.entrypoint("noop")
        async def noop(_: PgqJob) -> None:
            job()

        return consumer


contender = Pgqueuer()
