"""How many documents of one tenant are read while the webhook receivers of another misbehave."""

import asyncio
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx

from benchmarks.processes import cpu_seconds
from benchmarks.server import BenchServer, postmaster
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
last. Medians of {ROUNDS} interleaved rounds. Share: of the rate without webhooks, although the deliveries are work too.
CPU: of worker, sandboxes and PostgreSQL per document, which a busy machine changes less."""

_SECONDS = f"""
select count(*), extract(epoch from max(completed_at) - min(completed_at))::float8 from (
    select completed_at from jobs where job_type = 'process_document' and status = 'completed'
    order by completed_at offset {_WARM_UP}) as measured
"""


@dataclass(frozen=True)
class Measured:
    """`share` is that of the rate without webhooks, `cpu_ms` per document, `delivery_ms` what an attempt adds to it."""

    name: str
    documents: int
    seconds: float
    share: float
    cpu_ms: float
    attempts: int
    delivery_ms: float


async def measure(server: BenchServer) -> list[Measured]:
    cases: dict[str, tuple[str, ...]] = {
        "no webhooks": (),
        "healthy receivers": ("ok",) * len(HOSTILE),
        "hostile receivers": HOSTILE,
    }
    runs: dict[str, list[_Run]] = {name: [] for name in cases}
    for _ in range(ROUNDS):
        for name, answers in cases.items():
            runs[name].append(await _read(server, answers))
    count = DOCUMENTS - _WARM_UP
    without = statistics.median(each.seconds for each in runs["no webhooks"])
    measured: list[Measured] = []
    for name, those in runs.items():
        seconds = statistics.median(each.seconds for each in those)
        cpu_ms = statistics.median(each.cpu_seconds for each in those) / DOCUMENTS * 1000
        attempts = round(statistics.median(each.attempts for each in those))
        added_ms = (cpu_ms - measured[0].cpu_ms) * DOCUMENTS / max(attempts, 1) if measured else 0.0
        measured.append(Measured(name, count, seconds, without / seconds, cpu_ms, attempts, added_ms))
    return measured


@dataclass(frozen=True)
class _Run:
    seconds: float
    cpu_seconds: float
    attempts: int


async def _read(server: BenchServer, answers: tuple[str, ...]) -> _Run:
    with tempfile.TemporaryDirectory(prefix="bench-hostile-") as name:
        folder = Path(name)
        async with server.fresh_database("hostile") as dsn, receiver() as port:
            async with docsieve_api(dsn, folder) as api:
                await _upload(f"http://127.0.0.1:{api.port}{api.path}")
            tenant_id = await subscribe(dsn, folder, "noisy", [f"http://127.0.0.1:{port}/{each}" for each in answers])
            server_pid = await postmaster(dsn)
            before = cpu_seconds([server_pid])
            async with worker(dsn, folder) as pid:
                seconds, attempts = await _watch(dsn, tenant_id)
                used = cpu_seconds([pid]) + cpu_seconds([server_pid]) - before
    return _Run(seconds, used, attempts)


async def _upload(url: str) -> None:
    async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=60) as client:
        for number in range(DOCUMENTS):
            content = f"Note {number}: rain in the morning.\n".encode()
            (await client.post(url, files={"file": (f"{number}.txt", content)})).raise_for_status()


async def _watch(dsn: str, tenant_id: UUID) -> tuple[float, int]:
    """Emit events at a steady rate until all documents were read; the seconds that took, and attempts meanwhile."""
    connection = await asyncpg.connect(dsn)
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                await connection.execute(EMIT, tenant_id, 1)
                [(count, seconds)] = await connection.fetch(_SECONDS)
                if count == DOCUMENTS - _WARM_UP:
                    return float(seconds), await connection.fetchval("select count(*) from webhook_attempts")
                await asyncio.sleep(1 / EVENTS_PER_SECOND)
    finally:
        await connection.close()
