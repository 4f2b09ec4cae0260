"""The hand-written ceiling: as fast as Python goes on PostgreSQL while every job stays durable and fenced.

It has none of what makes a queue useful (retries, leases, schedules, fairness, cancel): it shows what those cost.
Claims of 500 and completions run on two connections at once, one asyncio task a job; the completer writes whatever
gathered during its previous commit, with no timer.
"""

import asyncio
import os
from dataclasses import dataclass, field

import asyncpg

from benchmarks.queues.port import Gate, Job

BATCH = 500
WINDOW = 2_000
BELL_SECONDS = 0.005
POLL_SECONDS = 1.0

SCHEMA = """
create table jobs (
    id bigint generated always as identity primary key,
    priority smallint not null default 0,
    status text not null default 'pending',
    attempts integer not null default 0,
    worker_id integer,
    args bytea not null,
    created_at timestamptz not null default clock_timestamp(),
    started_at timestamptz,
    lock_expires_at timestamptz,
    completed_at timestamptz
);
create index jobs_ready on jobs (priority desc, id) where status = 'pending';
"""
INSERT = "insert into jobs (args) values ($1) returning id"
INSERT_MANY = "insert into jobs (args) select unnest($1::bytea[]) returning id"
RING = "select pg_notify('jobs', '')"
CLAIM = """
update jobs
set status = 'processing', attempts = attempts + 1, worker_id = $2, started_at = clock_timestamp(),
    lock_expires_at = clock_timestamp() + interval '30 seconds'
where id = any(array(
    select id from jobs where status = 'pending' order by priority desc, id limit $1 for update skip locked))
returning id, attempts, args
"""
COMPLETE = """
update jobs set status = 'completed', completed_at = clock_timestamp(), worker_id = null
from unnest($1::bigint[], $2::int[]) as done (id, attempt)
where jobs.id = done.id and jobs.attempts = done.attempt and jobs.worker_id = $3
"""


class CeilingClient:
    """Notifies after the commit, on a connection of its own, at most once in 5 ms."""

    def __init__(self, connection: asyncpg.Connection, bell: asyncpg.Connection) -> None:
        self._connection = connection
        self._bell = bell
        self._news = asyncio.Event()
        self._ringing = asyncio.create_task(self._ring())

    async def enqueue(self) -> None:
        await self._connection.fetchval(INSERT, b"")
        self._news.set()

    async def enqueue_bulk(self, count: int) -> None:
        await self._connection.fetch(INSERT_MANY, [b""] * count)
        self._news.set()

    async def close(self) -> None:
        self._ringing.cancel()
        await asyncio.wait([self._ringing])
        await self._connection.close()
        await self._bell.close()

    async def _ring(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            await self._bell.execute(RING)
            await asyncio.sleep(BELL_SECONDS)


@dataclass
class CeilingWorker:
    """A claimer that keeps the window full and a completer that follows it."""

    claims: asyncpg.Connection
    completions: asyncpg.Connection
    job: Job
    worker_id: int = field(default_factory=os.getpid)
    in_flight: int = 0
    done: list[tuple[int, int]] = field(default_factory=list)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def listen(self) -> None:
        await self.claims.add_listener("jobs", lambda *_: self.wake.set())

    async def claim_once(self) -> bool:
        """True when a full batch was there, so that more may wait."""
        room = min(BATCH, WINDOW - self.in_flight)
        rows = await self.claims.fetch(CLAIM, room, self.worker_id) if room else []
        self.in_flight += len(rows)
        for row in rows:
            task = asyncio.create_task(self._run(row["id"], row["attempts"], row["args"]))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        return len(rows) == room > 0

    async def claim(self) -> None:
        while True:
            self.wake.clear()
            if not await self.claim_once():
                try:
                    await asyncio.wait_for(self.wake.wait(), POLL_SECONDS)
                except TimeoutError:
                    continue

    async def complete(self) -> None:
        while True:
            await self.finished.wait()
            self.finished.clear()
            batch, self.done = self.done, []
            ids, attempts = zip(*batch, strict=True)
            await self.completions.execute(COMPLETE, ids, attempts, self.worker_id)
            if self.in_flight == WINDOW:
                self.wake.set()
            self.in_flight -= len(batch)

    async def _run(self, job_id: int, attempt: int, args: bytes) -> None:
        await self._handle(args)
        self.done.append((job_id, attempt))
        self.finished.set()

    async def _handle(self, args: bytes) -> None:
        self.job()


@dataclass(frozen=True)
class Ceiling:
    name: str = "ceiling"
    settings: str = f"asyncpg, uvloop, claims of {BATCH}, window {WINDOW}, finished jobs kept"
    drained_jobs: int = 20_000
    unfinished: str = "select exists (select from jobs where status <> 'completed')"

    async def setup(self, dsn: str) -> None:
        connection = await asyncpg.connect(dsn)
        await connection.execute(SCHEMA)
        await connection.close()

    async def connect(self, dsn: str) -> CeilingClient:
        return CeilingClient(await asyncpg.connect(dsn), await asyncpg.connect(dsn))

    async def work(self, dsn: str, gate: Gate, job: Job) -> None:
        worker = CeilingWorker(await asyncpg.connect(dsn), await asyncpg.connect(dsn), job)
        await worker.listen()
        await worker.claim_once()
        await gate()
        async with asyncio.TaskGroup() as group:
            group.create_task(worker.claim())
            group.create_task(worker.complete())


contender = Ceiling()
