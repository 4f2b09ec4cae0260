"""What events, deliveries, legal holds and the audit log add to the statements that documents go through."""

import statistics
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from uuid import UUID

import asyncpg

from benchmarks.queues.docsieve_queue import Noop
from benchmarks.report import Row, Section
from benchmarks.server import BenchServer
from docsieve.db.access import projects, tenants
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database
from docsieve.db.queue import jobs
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.audit import Action
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import NewJob
from docsieve.domain.scope import Scope

BATCH = 100
REPETITIONS = 60
WARM_UP = 10
DROPPED = (
    "announce_batch",
    "announce_correction",
    "announce_document",
    "announce_extraction",
    "delete_deliveries_about",
    "delivery_attempt_lost",
    "delivery_follows_job",
    "dispatch_event",
    "refuse_held",
    "refuse_held_original",
)
COLUMNS = ("with, µs", "without, µs", "ratio")
METHOD = f"""Two databases on one server, one as it is, one without the triggers that write events, dispatch them to
webhooks, follow deliveries and refuse to delete what is held. A slice is {BATCH} rows in one statement or transaction:
documents are inserted, marked as ready, deleted; no-op jobs are enqueued, claimed and completed. A setting is changed
in a transaction of one row, with and without its entry in the audit log. There are no webhooks and no holds. The
databases take turns, slice by slice; medians of {REPETITIONS} after {WARM_UP} to warm up."""

_INSERT = """
insert into documents (id, tenant_id, project_id, status, filename, media_type, size, sha256)
select id, $1, $2, 'processing', 'a.txt', 'text/plain', 1, md5(id::text) from unnest($3::uuid[]) as new (id)
"""
_READY = "update documents set status = 'ready', page_count = 1 where id = any($1::uuid[])"
_DELETE = "delete from documents where id = any($1::uuid[])"
_TRIGGERS = """
select tgname, tgrelid::regclass::text from pg_trigger where not tgisinternal and tgname = any($1::text[])
"""


@dataclass
class Side:
    """One of the databases, and the seconds of each slice by what it did."""

    database: Database
    scope: Scope
    project_id: UUID
    is_recorded: bool
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    async def time(self, what: str, work: Callable[[], Awaitable[object]], rows: int) -> None:
        started = time.perf_counter()
        await work()
        self.seconds[what].append((time.perf_counter() - started) / rows)

    async def slice(self) -> None:
        ids = [new_id() for _ in range(BATCH)]
        async with self.database.system() as connection:
            insert = (_INSERT, self.scope.tenant_id, self.project_id, ids)
            await self.time("a document is inserted", lambda: connection.execute(*insert), BATCH)
            await self.time("it is marked as ready", lambda: connection.execute(_READY, ids), BATCH)
            await self.time("it is deleted", lambda: connection.execute(_DELETE, ids), BATCH)
        await self.time("a job is enqueued, claimed and completed", self._jobs, BATCH)
        await self.time("a setting is changed", self._change, 1)

    async def _jobs(self) -> None:
        async with self.database.tenant(self.scope) as session:
            await enqueue(session, [NewJob(Noop())] * BATCH)
        async with self.database.system() as connection:
            claimed = await jobs.claim(connection, Noop.queue, limit=BATCH, worker_id="w", lease_seconds=30)
            await jobs.complete(connection, claimed, worker_id="w")

    async def _change(self) -> None:
        async with self.database.tenant(self.scope) as session:
            await projects.set_defaults(session, "default", {"threshold": 0.5})
            if self.is_recorded:
                session.audit(Action.project_changed, "project", self.project_id, {"threshold": 0.5})


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    async with AsyncExitStack() as stack:
        sides = [await _side(stack, server, is_whole=is_whole) for is_whole in (True, False)]
        for _round in range(WARM_UP + REPETITIONS):
            for side in sides:
                await side.slice()
    rows = []
    for what in sides[0].seconds:
        whole, bare = (1e6 * statistics.median(side.seconds[what][WARM_UP:]) for side in sides)
        rows.append(Row(what, dict(zip(COLUMNS, (whole, bare, whole / bare), strict=True))))
    return Section("Cost of triggers and of the audit log", METHOD, COLUMNS, rows)


async def _side(stack: AsyncExitStack, server: BenchServer, *, is_whole: bool) -> Side:
    dsn = await stack.enter_async_context(server.fresh_database("triggers"))
    await migrate(dsn)
    if not is_whole:
        await _drop(dsn)
    database = await Database.open(dsn, connections=2)
    stack.push_async_callback(database.close)
    async with database.system() as connection, connection.transaction():
        tenant = await tenants.create(connection, "bench")
        project = await projects.create(connection, tenant.id, "default")
    return Side(database, Scope(tenant.id), project.id, is_whole)


async def _drop(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        found = await connection.fetch(_TRIGGERS, list(DROPPED))
        assert {name for name, _ in found} == {*DROPPED}
        for name, table in found:
            await connection.execute(f"drop trigger {name} on {table}")
    finally:
        await connection.close()
