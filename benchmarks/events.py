"""What open event streams cost the service, next to as many dashboards that poll."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx

from benchmarks.live.clients import audience, poll_each
from benchmarks.processes import cpu_seconds, status_mb
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer, postmaster
from benchmarks.uploads.serving import KEY, Served, docsieve_api

CLIENTS = 1_000
SECONDS = 30.0
EVENTS_PER_SECOND = 5
CORES, MEMORY, P50, P99 = "cores", "memory, MB", "p50 ms", "p99 ms"
COLUMNS = (CORES, MEMORY, P50, P99)
METHOD = f"""One API process without a worker and {CLIENTS:,} documents that wait in the queue. {CLIENTS:,} clients poll
the status of one document each, as the dashboard does without events; then {CLIENTS:,} clients hold a stream of all
events, at first in silence, then with {EVENTS_PER_SECOND} events per second that all of them get. {SECONDS:.0f} s each.
Cores: of API and PostgreSQL. Memory: what the API process has grown by since it started to answer. Times: of a poll;
of an event, from its row to the client."""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    polled = await _polled(server)
    quiet, busy = await _streamed(server)
    targets = [
        Target(f"cores: {CLIENTS:,} quiet streams, as part of those of as many pollers", 1.0,
               quiet.figures[CORES] / polled.figures[CORES], at_most=True),
        Target(f"cores: {CLIENTS:,} busy streams, as part of those of as many pollers", 1.0,
               busy.figures[CORES] / polled.figures[CORES], at_most=True),
    ]  # fmt: skip
    return Section("Live events", METHOD, COLUMNS, [polled, quiet, busy], targets)


@asynccontextmanager
async def _service(server: BenchServer, label: str) -> AsyncIterator[tuple[Served, str]]:
    async with server.fresh_database(label) as dsn:
        with tempfile.TemporaryDirectory(prefix="bench-events-") as folder:
            async with docsieve_api(dsn, Path(folder)) as api:
                yield api, dsn


async def _polled(server: BenchServer) -> Row:
    async with _service(server, "polled") as (api, dsn):
        ids = await _upload(api)
        before = status_mb(api.pid, "VmRSS")
        async with _measured(api, dsn) as cost:
            took = await poll_each(api.port, ids, SECONDS)
        figures = {
            CORES: cost.cores,
            MEMORY: status_mb(api.pid, "VmRSS") - before,
            **_times([each * 1000 for each in took]),
        }
    return Row(f"{CLIENTS:,} pollers", figures, f"{len(took) / cost.seconds:.0f} requests/s")


async def _upload(api: Served) -> list[str]:
    async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=60) as client:
        url = f"http://127.0.0.1:{api.port}{api.path}"
        sent = [
            await client.post(url, files={"file": (f"{number}.txt", f"Number {number}".encode())})
            for number in range(CLIENTS)
        ]
    return [answer.raise_for_status().json()["id"] for answer in sent]


async def _streamed(server: BenchServer) -> tuple[Row, Row]:
    async with _service(server, "streamed") as (api, dsn):
        await _upload(api)
        before = status_mb(api.pid, "VmRSS")
        async with audience(api.port, CLIENTS) as listening:
            async with _measured(api, dsn) as cost:
                await asyncio.sleep(SECONDS)
            figures = {CORES: cost.cores, MEMORY: status_mb(api.pid, "VmRSS") - before}
            quiet = Row(f"{CLIENTS:,} quiet streams", figures)
            async with _measured(api, dsn) as cost:
                emitted = await _emit(dsn, SECONDS)
                async with asyncio.timeout(SECONDS):
                    await listening.heard_all(emitted)
            figures = {CORES: cost.cores, MEMORY: status_mb(api.pid, "VmRSS") - before, **_times(listening.delays)}
            return quiet, Row(f"{CLIENTS:,} streams, {EVENTS_PER_SECOND} events/s", figures)


@dataclass
class _Cost:
    seconds: float = 0.0
    cores: float = 0.0


@asynccontextmanager
async def _measured(api: Served, dsn: str) -> AsyncIterator[_Cost]:
    """Known at the end of the block: the processor time of API and PostgreSQL during it."""
    pids = [api.pid, await postmaster(dsn)]
    cost, started, cpu = _Cost(), time.perf_counter(), cpu_seconds(pids)
    yield cost
    cost.seconds = time.perf_counter() - started
    cost.cores = (cpu_seconds(pids) - cpu) / cost.seconds


def _times(milliseconds: list[float]) -> dict[str, float]:
    return {P50: statistics.median(milliseconds), P99: statistics.quantiles(milliseconds, n=100)[98]}


async def _emit(dsn: str, seconds: float) -> int:
    """Write events at a steady rate; how many they were."""
    connection = await asyncpg.connect(dsn)
    try:
        tenant_id = await connection.fetchval("select id from tenants where name = 'default'")
        count = int(seconds * EVENTS_PER_SECOND)
        for _ in range(count):
            await connection.execute(
                "select emit_event($1, null, 'webhook.test', null, null, null, '{}'::jsonb)", tenant_id
            )
            await asyncio.sleep(1 / EVENTS_PER_SECOND)
        return count
    finally:
        await connection.close()
