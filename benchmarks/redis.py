"""Redis next to PostgreSQL as the dispatcher: throughput, pick-up, and what both cost in processor time."""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg

from benchmarks import latency
from benchmarks.processes import cpu_seconds
from benchmarks.queues import load
from benchmarks.queues.crew import Crew
from benchmarks.report import Row, Section
from benchmarks.server import BenchServer, postmaster

CONTENDERS = ("docsieve", "benchmarks.queues.redis_queue")
JOBS = 2_000
PICK_UPS = 100
IDLE_SECONDS = 5.0
WATCH_SECONDS = 0.002
DRAIN_SECONDS = 120.0
COLUMNS = (
    "1 worker, jobs/s",
    "2 workers, jobs/s",
    "PostgreSQL, ms/job",
    "workers, ms/job",
    "Redis, ms/job",
    "pick-up p50, ms",
    "pick-up p99, ms",
    "idle worker, % of a core",
)
METHOD = f"""{JOBS:,} no-op jobs are enqueued in bulk before warm workers may start. Processor time of a drain by one
worker, from the opening of the gate until the database holds no unfinished job, divided by the jobs. Pick-up as in
"Idle pick-up latency", with {PICK_UPS} jobs. Idle: one worker on an empty queue for {IDLE_SECONDS:.0f} s. Redis keeps
nothing on disk."""


async def run(server: BenchServer, names: Sequence[str]) -> Section:
    async with _redis() as pid:
        rows = [await _row(server, name, pid) for name in CONTENDERS]
    return Section("Dispatch by Redis", METHOD, COLUMNS, rows)


@asynccontextmanager
async def _redis() -> AsyncIterator[int]:
    """A Redis on a socket, whose address workers find in their environment."""
    with tempfile.TemporaryDirectory(prefix="bench-redis-") as folder:
        options = ("--port", "0", "--unixsocket", f"{folder}/socket", "--save", "", "--dir", folder)
        process = await asyncio.create_subprocess_exec("redis-server", *options, stdout=asyncio.subprocess.DEVNULL)
        os.environ["DOCSIEVE_REDIS_URL"] = f"unix://{folder}/socket"
        try:
            while not os.path.exists(f"{folder}/socket"):
                await asyncio.sleep(WATCH_SECONDS)
            yield process.pid
        finally:
            del os.environ["DOCSIEVE_REDIS_URL"]
            process.kill()
            await process.wait()


async def _row(server: BenchServer, name: str, redis: int) -> Row:
    contender = load(name)
    one, costs = await _drain(server, name, 1, redis)
    two, _ = await _drain(server, name, 2, redis)
    pick_ups, idle = await _idle(server, name)
    percentile = statistics.quantiles(pick_ups, n=100)[98]
    figures = (one, two, *costs, statistics.median(pick_ups), percentile, idle)
    return Row(contender.name, dict(zip(COLUMNS, figures, strict=True)), contender.settings)


async def _drain(server: BenchServer, name: str, workers: int, redis: int) -> tuple[float, list[float]]:
    """Jobs per second, and milliseconds of processor time per job of PostgreSQL, the workers and Redis."""
    contender = load(name)
    async with server.fresh_database("redis") as dsn:
        await contender.setup(dsn)
        client = await contender.connect(dsn)
        watcher = await asyncpg.connect(dsn)
        async with Crew.waiting_at_gate(name, dsn, workers) as crew:
            await client.enqueue_bulk(JOBS)
            await watcher.execute("analyze")
            groups = ([await postmaster(dsn)], crew.pids, [redis])
            before = [cpu_seconds(pids) for pids in groups]
            begun = time.perf_counter()
            crew.open_gate()
            async with asyncio.timeout(DRAIN_SECONDS):
                while crew.board.started() < JOBS or await watcher.fetchval(contender.unfinished):
                    crew.check_alive()
                    await asyncio.sleep(WATCH_SECONDS)
            took = time.perf_counter() - begun
            costs = [(cpu_seconds(pids) - was) / JOBS * 1000 for pids, was in zip(groups, before, strict=True)]
        await client.close()
        await watcher.close()
    return JOBS / took, costs


async def _idle(server: BenchServer, name: str) -> tuple[list[float], float]:
    contender = load(name)
    async with server.fresh_database("redis") as dsn:
        await contender.setup(dsn)
        client = await contender.connect(dsn)
        async with Crew.waiting_at_gate(name, dsn, workers=1) as crew:
            crew.open_gate()
            samples = [await latency.sample(client, crew) for _ in range(latency.WARM_UP + PICK_UPS)]
            before = cpu_seconds(crew.pids)
            await asyncio.sleep(IDLE_SECONDS)
            idle = (cpu_seconds(crew.pids) - before) / IDLE_SECONDS * 100
        await client.close()
    return samples[latency.WARM_UP :], idle
