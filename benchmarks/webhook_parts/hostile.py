"""How many documents of one tenant are read while the webhook receivers of another misbehave."""

import asyncio
import statistics
import tempfile
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx

from benchmarks.server import BenchServer
from benchmarks.uploads.serving import KEY, docsieve_api
from benchmarks.webhook_parts.setup import EMIT, receiver, subscribe, worker

DOCUMENTS = 400
ROUNDS = 3
EVENTS_PER_SECOND = 10
WANTED_SHARE = 0.95
HOSTILE = ("drip", "hang", "500", "302", "410", "endless", "close")
_WARM_UP = DOCUMENTS // 10
_PATIENCE_SECONDS = 120.0
METHOD = f"""Other work: one worker process with all lanes reads {DOCUMENTS} text files of one tenant, while another
tenant has {len(HOSTILE)} endpoints and {EVENTS_PER_SECOND} events per second that go to each: none at all, or all
answer at once, or one each drips a byte per half second, never answers, answers 500, redirects to a metadata address,
answers 410, sends a body without end, and closes the connection. The time runs from the {_WARM_UP}th document to the
last. Medians of {ROUNDS} interleaved rounds; the share of the last row is that of the row before it."""

_SECONDS = f"""
select count(*), extract(epoch from max(completed_at) - min(completed_at))::float8 from (
    select completed_at from jobs where job_type = 'process_document' and status = 'completed'
    order by completed_at offset {_WARM_UP}) as measured
"""

Measured = tuple[str, int, float, float]


async def measure(server: BenchServer) -> list[Measured]:
    """Name, documents, seconds and share of each case."""
    cases: dict[str, tuple[str, ...]] = {
        "no webhooks": (),
        "healthy receivers": ("ok",) * len(HOSTILE),
        "hostile receivers": HOSTILE,
    }
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(ROUNDS):
        for name, answers in cases.items():
            seconds[name].append(await _read(server, answers))
    count = DOCUMENTS - _WARM_UP
    without, healthy, hostile = (statistics.median(each) for each in seconds.values())
    shares = (1.0, without / healthy, healthy / hostile)
    times = (without, healthy, hostile)
    return [(name, count, took, share) for name, took, share in zip(cases, times, shares, strict=True)]


async def _read(server: BenchServer, answers: tuple[str, ...]) -> float:
    with tempfile.TemporaryDirectory(prefix="bench-hostile-") as name:
        folder = Path(name)
        async with server.fresh_database("hostile") as dsn, receiver() as port:
            async with docsieve_api(dsn, folder) as api:
                await _upload(f"http://127.0.0.1:{api.port}{api.path}")
            tenant_id = await subscribe(dsn, folder, "noisy", [f"http://127.0.0.1:{port}/{each}" for each in answers])
            async with worker(dsn, folder):
                return await _watch(dsn, tenant_id)


async def _upload(url: str) -> None:
    async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=60) as client:
        for number in range(DOCUMENTS):
            content = f"Note {number}: rain in the morning.\n".encode()
            (await client.post(url, files={"file": (f"{number}.txt", content)})).raise_for_status()


async def _watch(dsn: str, tenant_id: UUID) -> float:
    """Emit events at a steady rate until all documents were read; the seconds that took."""
    connection = await asyncpg.connect(dsn)
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                await connection.execute(EMIT, tenant_id, 1)
                [(count, seconds)] = await connection.fetch(_SECONDS)
                if count == DOCUMENTS - _WARM_UP:
                    return float(seconds)
                await asyncio.sleep(1 / EVENTS_PER_SECOND)
    finally:
        await connection.close()
