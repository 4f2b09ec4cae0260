"""How long a tenant with one document waits while another has a hundred thousand in the queue."""

import asyncio
import random
import statistics
import time
from collections.abc import Sequence

import asyncpg

from benchmarks.fairness_worker import HANDLER_SECONDS, SLOTS, Work
from benchmarks.queues.crew import Crew
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from docsieve.db.access import tenants
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.jobs import NewJob
from docsieve.domain.scope import Scope

FLOOD = 100_000
WORKERS = 2
SUBMISSIONS = 12
PAUSE_SECONDS = (0.9, 1.1)
WATCH_SECONDS = 0.0005
SAMPLE_SECONDS = 60.0
COLUMNS = ("median, ms", "max, ms", "times idle")
METHOD = f"""{WORKERS} worker processes with {SLOTS} slots each; a job takes {HANDLER_SECONDS * 1000:.0f} ms (it awaits,
as a job does that waits for a parser or a provider). One tenant submits a job about every second, {SUBMISSIONS} times,
first to idle workers and then, in the same minute and to the same workers, while another tenant has {FLOOD:,} jobs
queued. A wait runs from the clock before the enqueue call to the clock in the handler, both CLOCK_MONOTONIC. The last
row is computed: jobs ahead, divided by the measured drain, is what the same submissions would have waited in a queue
served in order of arrival."""

_WAITING = "select count(*) from jobs where status = 'pending'"


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    async with server.fresh_database("fairness") as dsn:
        await migrate(dsn)
        database = await Database.open(dsn, connections=2)
        watcher = await asyncpg.connect(dsn)
        async with database.system() as connection:
            large, small = [Scope((await tenants.create(connection, name)).id) for name in ("large", "small")]
        async with Crew.waiting_at_gate("benchmarks.fairness_worker", dsn, WORKERS) as crew:
            crew.open_gate()
            idle = await _waits(database, small, crew)
            await _enqueue(database, large, [NewJob(Work())] * FLOOD)
            begun, waiting = time.perf_counter(), await watcher.fetchval(_WAITING)
            flooded = await _waits(database, small, crew)
            seconds, left = time.perf_counter() - begun, await watcher.fetchval(_WAITING)
        await watcher.close()
        await database.close()
    if not left:
        raise RuntimeError("the flood was over before the last submission, so nothing was shown")
    drained = (waiting - left) / seconds
    rows = _rows(idle, flooded, fifo=[1000 * ahead / drained for ahead in (waiting, left)], drained=drained)
    return Section("Fairness between tenants", METHOD, COLUMNS, rows, _targets(rows))


async def _waits(database: Database, scope: Scope, crew: Crew) -> list[float]:
    await _wait(database, scope, crew)  # warms the connection and the handler
    return [await _wait(database, scope, crew) for _ in range(SUBMISSIONS)]


async def _wait(database: Database, scope: Scope, crew: Crew) -> float:
    await asyncio.sleep(random.uniform(*PAUSE_SECONDS))
    before = crew.board.started()
    asked = time.monotonic_ns()
    await _enqueue(database, scope, [NewJob(Work(watched=True))])
    async with asyncio.timeout(SAMPLE_SECONDS):
        while crew.board.started() == before:
            crew.check_alive()
            await asyncio.sleep(WATCH_SECONDS)
    return (crew.board.latest_start_ns() - asked) / 1e6


async def _enqueue(database: Database, scope: Scope, new: Sequence[NewJob]) -> None:
    async with database.tenant(scope) as session:
        await enqueue(session, new)


def _rows(idle: list[float], flooded: list[float], *, fifo: list[float], drained: float) -> list[Row]:
    usual = statistics.median(idle)
    cases = (
        ("idle workers", idle, ""),
        (f"beside {FLOOD:,} jobs of another tenant", flooded, f"{drained:,.0f} jobs/s drained meanwhile"),
        ("the same, first come first served (computed)", fifo, ""),
    )
    return [
        Row(
            name,
            dict(zip(COLUMNS, (statistics.median(waits), max(waits), statistics.median(waits) / usual), strict=True)),
            note,
        )
        for name, waits, note in cases
    ]


def _targets(rows: list[Row]) -> list[Target]:
    return [Target("median wait beside the flood, times the idle one", 2.0, rows[1].figures[COLUMNS[2]], at_most=True)]
