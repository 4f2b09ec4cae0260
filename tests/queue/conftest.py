"""A job kind that does nothing, and short ways to drive the queue by hand."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import UUID

import pytest

from docsieve.db.connection.session import Database
from docsieve.db.queue import jobs
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.jobs import ClaimedJob, JobArgs, NewJob
from docsieve.domain.scope import Scope
from docsieve.queue.lane import Lane
from docsieve.services.access import tenants
from tests.signals import OwnSignals, own_signals


class Noop(JobArgs):
    job_type = "noop"
    queue = "default"

    number: int = 0


class Driver:
    """The queue's SQL with its fixed arguments filled in, and the signals of workers in this process."""

    def __init__(self, database: Database, scope: Scope, signals: OwnSignals) -> None:
        self.database = database
        self.scope = scope
        self.signals = signals
        self.lane: Callable[..., Lane] = Lane

    async def tenant(self, name: str, weight: float = 1.0) -> Scope:
        async with self.database.system() as connection, connection.transaction():
            return Scope((await tenants.create(connection, name, weight=weight)).id)

    async def enqueue(self, *numbers: int, scope: Scope | None = None, **options: Any) -> list[UUID | None]:
        async with self.database.tenant(scope or self.scope) as session:
            return await enqueue(session, [NewJob(Noop(number=number), **options) for number in numbers])

    async def claim(self, worker: str = "w1", *, limit: int = 100, lease: float = 30.0) -> list[ClaimedJob]:
        async with self.database.system() as connection:
            return await jobs.claim(connection, "default", limit=limit, worker_id=worker, lease_seconds=lease)

    async def complete(self, claimed: Sequence[ClaimedJob]) -> set[UUID]:
        async with self.database.system() as connection:
            return await jobs.complete(connection, claimed, worker_id=claimed[0].worker_id)

    async def rescue(self) -> list[Any]:
        async with self.database.system() as connection:
            return await jobs.rescue(connection)

    async def expire(self, *ids: UUID) -> None:
        """Let leases run out without waiting."""
        await self.database.pool.execute(
            "update jobs set lock_expires_at = clock_timestamp() - interval '1 s' where id = any($1::uuid[])", ids
        )

    async def row(self, job_id: UUID | None) -> Any:
        return await self.database.pool.fetchrow("select * from jobs where id = $1", job_id)


@pytest.fixture
def queue(database: Database, scope: Scope) -> Iterator[Driver]:
    with own_signals() as signals:
        yield Driver(database, scope, signals)
