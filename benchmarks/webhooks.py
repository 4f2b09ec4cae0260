"""How fast webhooks are delivered, next to a bare loop, and how much dead receivers slow others down."""

import asyncio
import os
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import httpx

from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from benchmarks.uploads.serving import free_port
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database
from docsieve.domain.scope import Scope
from docsieve.services.access import tenants
from docsieve.services.webhooks import endpoints
from docsieve.services.webhooks.endpoints import EndpointSettings
from docsieve.settings import Settings
from docsieve.wiring import open_resources

MESSAGES = 5_000
ROUNDS = 3
TENANTS, ENDPOINTS, EVENTS = 10, 100, 10
DEAD = 100
WANTED_SHARE = 0.5
WANTED_SHARE_NEXT_TO_DEAD = 0.8
PATIENCE_SECONDS = 300.0
COLUMNS = ("messages", "seconds", "messages/s", "share")
METHOD = f"""A receiver in a separate process answers 200 at once. One worker process with the lane `webhook` finds
{MESSAGES:,} deliveries waiting; the time runs from the first request at the receiver to the last, so that no start
counts, and each message is looked up, signed, sent, and recorded durably with its attempt. Bare loop: httpx posts as
many signed messages of the same size, as many at a time as the worker sends to one receiver, and records nothing.
Median of {ROUNDS} interleaved rounds. Then {TENANTS * ENDPOINTS:,} endpoints, each at its own loopback address, get
{EVENTS} messages each: first all answer, then {DEAD} of them are dead, half of which accept a connection and never
answer, half of which refuse it; the time is that of the messages to the {TENANTS * ENDPOINTS - DEAD} that live."""

_EMIT = """
select emit_event($1, null, 'budget.exceeded', null, null, null, jsonb_build_object('number', number))
from generate_series(1, $2::int) as number
"""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    ours, bare = [], []
    for _round in range(ROUNDS):
        bare.append(await _bare())
        ours.append(await _one_endpoint(server))
    living, next_to_dead = await _many_endpoints(server, dead=0), await _many_endpoints(server, dead=DEAD)
    alone = TENANTS * ENDPOINTS * EVENTS
    fast, slow = statistics.median(bare), statistics.median(ours)
    rows = [
        _row("bare httpx loop", MESSAGES, fast, 1.0),
        _row("one endpoint", MESSAGES, slow, fast / slow),
        _row(f"{TENANTS * ENDPOINTS:,} endpoints", alone, living, 1.0),
        _row(
            f"the same, {DEAD} of them dead", alone - DEAD * EVENTS, next_to_dead,
            (alone - DEAD * EVENTS) / next_to_dead / (alone / living),
        ),
    ]  # fmt: skip
    targets = [
        Target("deliveries/s, share of the bare loop", WANTED_SHARE, rows[1].figures["share"]),
        Target("deliveries/s next to dead receivers, share", WANTED_SHARE_NEXT_TO_DEAD, rows[3].figures["share"]),
    ]
    return Section("Webhooks", METHOD, COLUMNS, rows, targets)


def _row(name: str, messages: int, seconds: float, share: float) -> Row:
    return Row(name, dict(zip(COLUMNS, (messages, seconds, messages / seconds, share), strict=True)))


async def _bare() -> float:
    async with _receiver() as port:
        process = await _python("benchmarks.webhook_parts.bare", f"http://127.0.0.1:{port}/ok", str(MESSAGES))
        assert await process.wait() == 0
        return await _answered(port, MESSAGES)


async def _one_endpoint(server: BenchServer) -> float:
    async with _receiver() as port, _waiting(server, [[f"http://127.0.0.1:{port}/ok"]], MESSAGES) as dsn, _worker(dsn):
        return await _answered(port, MESSAGES)


async def _many_endpoints(server: BenchServer, *, dead: int) -> float:
    async with _receiver() as port:
        refusing = free_port()
        total = TENANTS * ENDPOINTS
        urls = [f"http://127.1.{number // 200}.{number % 200 + 1}:{port}/ok" for number in range(total)]
        for place in range(dead):
            number = place * (total // dead)
            host = urls[number].rpartition(":")[0]
            urls[number] = f"{host}:{port}/hang" if place % 2 else f"{host}:{refusing}/ok"
        shared = [urls[first : first + ENDPOINTS] for first in range(0, total, ENDPOINTS)]
        async with _waiting(server, shared, EVENTS) as dsn, _worker(dsn):
            return await _answered(port, (total - dead) * EVENTS)


async def _answered(port: int, count: int) -> float:
    """Seconds from the first to the last message, once so many were answered."""
    async with asyncio.timeout(PATIENCE_SECONDS), httpx.AsyncClient() as client:
        while True:
            counts = (await client.get(f"http://127.0.0.1:{port}/report")).json()
            if counts["answered"] >= count:
                return float(counts["last"] - counts["first"])
            await asyncio.sleep(0.2)


@asynccontextmanager
async def _waiting(server: BenchServer, urls: list[list[str]], events: int) -> AsyncIterator[str]:
    """A database with a tenant per list of URLs, whose endpoints have so many messages waiting each."""
    async with server.fresh_database("webhooks") as dsn:
        await migrate(dsn)
        with tempfile.TemporaryDirectory(prefix="bench-webhooks-") as folder:
            settings = Settings(data_dir=Path(folder), secret_key=_SECRET_KEY, outbound_allow=_ALLOWED)
            async with open_resources(settings, dsn, renders=False) as resources:
                for number, of_tenant in enumerate(urls):
                    async with resources.database.system() as connection, connection.transaction():
                        tenant_id = (await tenants.create(connection, f"tenant-{number}")).id
                    async with resources.database.tenant(Scope(tenant_id)) as session:
                        for url in of_tenant:
                            await endpoints.create(session, resources, EndpointSettings(url), project=None)
                    await _emit(resources.database, tenant_id, events)
        yield dsn


async def _emit(database: Database, tenant_id: UUID, events: int) -> None:
    async with database.system() as connection:
        await connection.execute(_EMIT, tenant_id, events, timeout=PATIENCE_SECONDS)
        await connection.execute("vacuum analyze jobs, webhook_deliveries")


_SECRET_KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
_ALLOWED = "127.0.0.0/8"


@asynccontextmanager
async def _worker(dsn: str) -> AsyncIterator[None]:
    with tempfile.TemporaryDirectory(prefix="bench-webhooks-") as folder:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("DOCSIEVE_")},
            "DOCSIEVE_DATABASE_URL": dsn,
            "DOCSIEVE_DATA_DIR": folder,
            "DOCSIEVE_SECRET_KEY": _SECRET_KEY,
            "DOCSIEVE_OUTBOUND_ALLOW": _ALLOWED,
            "DOCSIEVE_LOG_LEVEL": "warning",
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "docsieve", "worker", "--queue=webhook=512", env=environment
        )
        try:
            yield
        finally:
            process.kill()
            await process.wait()


@asynccontextmanager
async def _receiver() -> AsyncIterator[int]:
    port = free_port()
    process = await _python("benchmarks.webhook_parts.receiver", str(port))
    try:
        async with asyncio.timeout(30):
            while not await _listens(port):
                await asyncio.sleep(0.05)
        yield port
    finally:
        process.kill()
        await process.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def _python(module: str, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-m", module, *arguments)
