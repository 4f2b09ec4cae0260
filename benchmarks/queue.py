"""Durable no-op jobs a second by 1 and 2 worker processes, and how fast jobs are taken in."""

import asyncio
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence

import asyncpg

from benchmarks.queues import load
from benchmarks.queues.crew import Crew
from benchmarks.queues.port import Client, Contender
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer

ROUNDS = 3
WORKERS = (1, 2)
SINGLES = 1_000
CROWD = 16
CROWD_SINGLES = 3_200
BULKS = 5
WATCH_SECONDS = 0.002
DRAIN_SECONDS = 120.0
WANTED_TIMES = {"pgqueuer": 1.5, "procrastinate": 15.0, "ceiling": 0.5}
COLUMNS = (
    "1 worker, jobs/s",
    "spread %",
    "2 workers, jobs/s",
    "spread % ",
    "1 worker / ceiling",
    "2 workers / ceiling",
    "enqueue one, /s",
    "16 clients, /s",
    "bulk, /s",
)
WANTED_INTAKE = ((COLUMNS[6], "pgqueuer", 1.0), (COLUMNS[8], "ceiling", 0.5))
METHOD = f"""Every drain has a fresh database on the same durable server. Worker processes connect, run once
over the empty queue and wait at a gate; the jobs are enqueued in bulk and the tables analyzed; the clock runs from the
opening of the gate until the database holds no unfinished job. Workers count started jobs in shared memory, so nothing
polls the database before the last job has started. Median of {ROUNDS} rounds, contenders taking turns; spread is
(max - min) / median. One by one: {SINGLES:,} awaited calls of one client, then {CROWD_SINGLES:,} of {CROWD} clients.
Bulk: {BULKS} calls in a row, each with as many jobs as a drain has."""


async def run(server: BenchServer, names: Sequence[str]) -> Section:
    contenders = [load(name) for name in names]
    samples: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(ROUNDS):
        for contender in contenders:
            found = samples[contender.name]
            for workers in WORKERS:
                await _measure_drain(server, contender, workers, found)
            await _measure_singles(server, contender, found)
            await _measure_bulk(server, contender, found)
    rows = [_row(contender, samples[contender.name]) for contender in contenders]
    return Section("Queue throughput", METHOD, COLUMNS, _with_ceiling_shares(rows), _targets(rows))


async def _measure_drain(
    server: BenchServer, contender: Contender, workers: int, found: dict[str, list[float]]
) -> None:
    async with server.fresh_database(contender.name) as dsn:
        await contender.setup(dsn)
        client = await contender.connect(dsn)
        watcher = await asyncpg.connect(dsn)
        async with Crew.waiting_at_gate(contender.name, dsn, workers) as crew:
            await client.enqueue_bulk(contender.drained_jobs)
            await watcher.execute("analyze")
            begun = time.perf_counter()
            crew.open_gate()
            async with asyncio.timeout(DRAIN_SECONDS):
                await _drained(crew, watcher, contender)
            found[f"{workers} workers"].append(contender.drained_jobs / (time.perf_counter() - begun))
        await client.close()
        await watcher.close()


async def _drained(crew: Crew, watcher: asyncpg.Connection, contender: Contender) -> None:
    while crew.board.started() < contender.drained_jobs:
        crew.check_alive()
        await asyncio.sleep(WATCH_SECONDS)
    while await watcher.fetchval(contender.unfinished):
        await asyncio.sleep(WATCH_SECONDS)
    if crew.board.started() != contender.drained_jobs:
        raise RuntimeError(f"{contender.name} started {crew.board.started()} jobs of {contender.drained_jobs}")


async def _measure_singles(server: BenchServer, contender: Contender, found: dict[str, list[float]]) -> None:
    async with server.fresh_database(contender.name) as dsn:
        await contender.setup(dsn)
        clients = [await contender.connect(dsn) for _ in range(CROWD)]
        for client in clients:
            await _enqueue(client, 5)
        begun = time.perf_counter()
        await _enqueue(clients[0], SINGLES)
        found["single"].append(SINGLES / (time.perf_counter() - begun))
        begun = time.perf_counter()
        await asyncio.gather(*(_enqueue(client, CROWD_SINGLES // CROWD) for client in clients))
        found["crowd"].append(CROWD_SINGLES / (time.perf_counter() - begun))
        for client in clients:
            await client.close()


async def _measure_bulk(server: BenchServer, contender: Contender, found: dict[str, list[float]]) -> None:
    async with server.fresh_database(contender.name) as dsn:
        await contender.setup(dsn)
        client = await contender.connect(dsn)
        await client.enqueue_bulk(5)
        for _ in range(BULKS):
            begun = time.perf_counter()
            await client.enqueue_bulk(contender.drained_jobs)
            found["bulk"].append(contender.drained_jobs / (time.perf_counter() - begun))
        await client.close()


async def _enqueue(client: Client, count: int) -> None:
    for _ in range(count):
        await client.enqueue()


def _row(contender: Contender, found: dict[str, list[float]]) -> Row:
    one, two = found["1 workers"], found["2 workers"]
    medians = (
        statistics.median(one),
        _spread(one),
        statistics.median(two),
        _spread(two),
        statistics.median(found["single"]),
        statistics.median(found["crowd"]),
        statistics.median(found["bulk"]),
    )
    columns = COLUMNS[:4] + COLUMNS[6:]
    note = f"{contender.settings}; {contender.drained_jobs:,} jobs a drain"
    return Row(contender.name, dict(zip(columns, medians, strict=True)), note)


def _spread(values: list[float]) -> float:
    return 100 * (max(values) - min(values)) / statistics.median(values)


def _with_ceiling_shares(rows: list[Row]) -> list[Row]:
    ceiling = next((row for row in rows if row.name == "ceiling"), None)
    if ceiling is not None:
        for row in rows:
            row.figures[COLUMNS[4]] = row.figures[COLUMNS[0]] / ceiling.figures[COLUMNS[0]]
            row.figures[COLUMNS[5]] = row.figures[COLUMNS[2]] / ceiling.figures[COLUMNS[2]]
    return rows


def _targets(rows: list[Row]) -> list[Target]:
    figures = {row.name: row.figures for row in rows}
    ours = figures.pop("docsieve", None)
    if ours is None:
        return []
    wanted = [(column, peer, times) for peer, times in WANTED_TIMES.items() for column in (COLUMNS[0], COLUMNS[2])]
    return [
        Target(f"{column}, times {peer}", times, ours[column] / figures[peer][column])
        for column, peer, times in (*wanted, *WANTED_INTAKE)
        if peer in figures
    ]
