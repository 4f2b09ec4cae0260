"""Our own queue as the service runs it: every job a tenant's, fenced, leased, in its fair turn, finished jobs kept.

Only the log level differs from an installation: at `info` each attempt writes a line, which the peers' defaults do
not.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from benchmarks.queues.port import Gate, Job
from docsieve.db.access import tenants
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database
from docsieve.db.queue.new_jobs import enqueue_alone
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.scope import Scope
from docsieve.logs import configure
from docsieve.queue.kinds import Attempt, Kind
from docsieve.queue.worker import Worker
from docsieve.settings import Settings

SLOTS = 500
TENANT = "bench"


class Noop(JobArgs):
    job_type: ClassVar[str] = "noop"


class DocsieveClient:
    def __init__(self, database: Database, scope: Scope) -> None:
        self.database = database
        self.scope = scope

    async def enqueue(self) -> None:
        await self._add([NewJob(Noop())])

    async def enqueue_bulk(self, count: int) -> None:
        await self._add([NewJob(Noop())] * count)

    async def close(self) -> None:
        await self.database.close()

    async def _add(self, new: Sequence[NewJob]) -> None:
        await enqueue_alone(self.database, self.scope.tenant_id, new)


@dataclass(frozen=True)
class Docsieve:
    name: str = "docsieve"
    settings: str = f"asyncpg, uvloop, {SLOTS} slots, log level warning, finished jobs kept"
    drained_jobs: int = 20_000
    unfinished: str = "select exists (select from jobs where status <> 'completed')"

    async def setup(self, dsn: str) -> None:
        await migrate(dsn)
        database = await Database.open(dsn, connections=1)
        async with database.system() as connection:
            await tenants.create(connection, TENANT)
        await database.close()

    async def connect(self, dsn: str) -> DocsieveClient:
        database = await Database.open(dsn, connections=2)
        async with database.system() as connection:
            tenant = await tenants.find(connection, TENANT)
        assert tenant is not None
        return DocsieveClient(database, Scope(tenant.id))

    async def work(self, dsn: str, gate: Gate, job: Job) -> None:
        settings = Settings(log_level="warning")
        configure(settings)

        async def noop(_: Noop, __: Attempt) -> None:
            job()

        database = await Database.open(dsn)
        kinds = {Noop.job_type: Kind(Noop, noop)}
        async with asyncio.timeout(5):
            await _run_once_idle(database, kinds, settings)
        await gate()
        await Worker(database, kinds, {Noop.queue: SLOTS}, settings).run(asyncio.Event())


async def _run_once_idle(database: Database, kinds: dict[str, Kind], settings: Settings) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().call_later(0.2, stopping.set)
    await Worker(database, kinds, {Noop.queue: SLOTS}, settings).run(stopping)


contender = Docsieve()
