"""Queue throughput while another session holds a snapshot open, as a backup or a forgotten transaction does.

Nothing that was deleted or updated since can then be cleaned up, and a queue that reads over it slows down.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg

from benchmarks.queues import load
from benchmarks.queues.board import Board
from benchmarks.queues.crew import Crew
from benchmarks.queues.port import Client, Contender
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer

CONTENDERS = ("docsieve", "pgqueuer", "ceiling")
HELD_SECONDS = float(os.environ.get("SNAPSHOT_SECONDS", "30"))
WARM_UP_SECONDS = 3.0
WINDOW_SECONDS = 10.0
BACKLOG = 20_000
FED_AT_ONCE = 5_000
WATCH_SECONDS = 0.005
WANTED_SHARE = 0.95
COLUMNS = ("before, jobs/s", "held, jobs/s", "held, last jobs/s", "held / before", "last / before", "jobs while held")
METHOD = f"""One worker process runs no-op jobs while a client enqueues in bulk, so that {BACKLOG:,} jobs wait all the
time. After a warm-up, jobs are counted for {WINDOW_SECONDS:.0f} s; then another session opens a transaction with a
snapshot, timeouts off, and holds it for {HELD_SECONDS:.0f} s (`SNAPSHOT_SECONDS`). `held` is the rate over all of that
time, `last` over its last {WINDOW_SECONDS:.0f} s. Autovacuum is on."""


async def run(server: BenchServer, names: Sequence[str]) -> Section:
    rows = [await _measure(server, load(name)) for name in CONTENDERS if name in names]
    targets = [
        Target("last / before, held snapshot", WANTED_SHARE, row.figures[COLUMNS[4]])
        for row in rows
        if row.name == "docsieve"
    ]
    return Section("Queue throughput with a held snapshot", METHOD, COLUMNS, rows, targets)


async def _measure(server: BenchServer, contender: Contender) -> Row:
    async with server.fresh_database(contender.name) as dsn:
        await contender.setup(dsn)
        client = await contender.connect(dsn)
        async with Crew.waiting_at_gate(contender.name, dsn, 1) as crew:
            await client.enqueue_bulk(BACKLOG)
            crew.open_gate()
            feeding = asyncio.create_task(_feed(client, crew.board))
            await asyncio.sleep(WARM_UP_SECONDS)
            before = await _rate(crew, WINDOW_SECONDS)
            async with _snapshot(dsn):
                started, begun = crew.board.started(), time.perf_counter()
                await asyncio.sleep(max(HELD_SECONDS - WINDOW_SECONDS, 0))
                last = await _rate(crew, WINDOW_SECONDS)
                done = crew.board.started() - started
                held = done / (time.perf_counter() - begun)
            feeding.cancel()
            await asyncio.wait([feeding])
        await client.close()
    return Row(
        contender.name, dict(zip(COLUMNS, (before, held, last, held / before, last / before, done), strict=True))
    )


async def _feed(client: Client, board: Board) -> None:
    fed = BACKLOG
    while True:
        while fed - board.started() >= BACKLOG:
            await asyncio.sleep(WATCH_SECONDS)
        await client.enqueue_bulk(FED_AT_ONCE)
        fed += FED_AT_ONCE


async def _rate(crew: Crew, seconds: float) -> float:
    crew.check_alive()
    started, begun = crew.board.started(), time.perf_counter()
    await asyncio.sleep(seconds)
    return (crew.board.started() - started) / (time.perf_counter() - begun)


@asynccontextmanager
async def _snapshot(dsn: str) -> AsyncIterator[None]:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("set idle_in_transaction_session_timeout = 0; set transaction_timeout = 0")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            await connection.fetchval("select count(*) from pg_class")
            yield
    finally:
        await connection.close()
