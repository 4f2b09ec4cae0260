"""How long an idle worker takes to start a job, from before the enqueue call to the handler's first line."""

import asyncio
import random
import statistics
import time
from collections.abc import Sequence

from benchmarks.queues import load
from benchmarks.queues.crew import Crew
from benchmarks.queues.port import Client
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer

SAMPLES = 200
WARM_UP = 10
IDLE_SECONDS = (0.02, 0.06)
WATCH_SECONDS = 0.0005
SAMPLE_SECONDS = 15.0
COLUMNS = ("p50, ms", "p99, ms", "max, ms")
METHOD = f"""One warm worker process waits on an empty queue. A client in another process enqueues {SAMPLES} jobs, one
at a time, each after {IDLE_SECONDS[0] * 1000:.0f} to {IDLE_SECONDS[1] * 1000:.0f} ms of rest (random, so that no
timer is met in step). From the clock before the enqueue call to the clock in the handler, both CLOCK_MONOTONIC."""


async def run(server: BenchServer, names: Sequence[str]) -> Section:
    rows = [await _row(server, name) for name in names]
    return Section("Idle pick-up latency", METHOD, COLUMNS, rows, _targets(rows))


async def _row(server: BenchServer, name: str) -> Row:
    contender = load(name)
    async with server.fresh_database(name) as dsn:
        await contender.setup(dsn)
        client = await contender.connect(dsn)
        async with Crew.waiting_at_gate(name, dsn, workers=1) as crew:
            crew.open_gate()
            latencies = [await sample(client, crew) for _ in range(WARM_UP + SAMPLES)][WARM_UP:]
        await client.close()
    figures = (statistics.median(latencies), statistics.quantiles(latencies, n=100)[98], max(latencies))
    return Row(name, dict(zip(COLUMNS, figures, strict=True)), contender.settings)


async def sample(client: Client, crew: Crew) -> float:
    await asyncio.sleep(random.uniform(*IDLE_SECONDS))
    before = crew.board.started()
    asked = time.monotonic_ns()
    await client.enqueue()
    async with asyncio.timeout(SAMPLE_SECONDS):
        while crew.board.started() == before:
            crew.check_alive()
            await asyncio.sleep(WATCH_SECONDS)
    return (crew.board.latest_start_ns() - asked) / 1e6


def _targets(rows: list[Row]) -> list[Target]:
    figures = {row.name: row.figures for row in rows}
    ours = figures.pop("docsieve", None)
    if ours is None or not figures:
        return []
    best = min(other[COLUMNS[0]] for other in figures.values())
    return [Target(f"{COLUMNS[0]}: no more than the best of the others", best, ours[COLUMNS[0]], at_most=True)]
