"""What the benchmarks of webhooks start: a database with endpoints, a worker, a receiver."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import asyncpg

from benchmarks.server import BenchServer
from benchmarks.uploads.serving import free_port
from docsieve.db.connection.migrate import migrate
from docsieve.domain.scope import Scope
from docsieve.services.access import tenants
from docsieve.services.webhooks import endpoints
from docsieve.services.webhooks.endpoints import EndpointSettings
from docsieve.settings import Settings
from docsieve.wiring import open_resources

SECRET_KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
ALLOWED = "127.0.0.0/8"
_EMIT_SECONDS = 300.0

EMIT = """
select emit_event($1, null, 'budget.exceeded', null, null, null, jsonb_build_object('number', number))
from generate_series(1, $2::int) as number
"""


@asynccontextmanager
async def waiting(server: BenchServer, urls: list[list[str]], events: int) -> AsyncIterator[str]:
    """A database with a tenant per list of URLs, whose endpoints have so many messages waiting each."""
    async with server.fresh_database("webhooks") as dsn:
        await migrate(dsn)
        with tempfile.TemporaryDirectory(prefix="bench-webhooks-") as folder:
            for number, of_tenant in enumerate(urls):
                tenant_id = await subscribe(dsn, Path(folder), f"tenant-{number}", of_tenant)
                await _emit(dsn, tenant_id, events)
        yield dsn


async def subscribe(dsn: str, folder: Path, tenant: str, urls: Sequence[str]) -> UUID:
    """Create a tenant with an endpoint per URL."""
    settings = Settings(data_dir=folder, secret_key=SECRET_KEY, outbound_allow=ALLOWED)
    async with open_resources(settings, dsn, renders=False) as resources:
        async with resources.database.system() as connection, connection.transaction():
            tenant_id = (await tenants.create(connection, tenant)).id
        async with resources.database.tenant(Scope(tenant_id)) as session:
            for url in urls:
                await endpoints.create(session, resources, EndpointSettings(url), project=None)
    return tenant_id


async def _emit(dsn: str, tenant_id: UUID, events: int) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(EMIT, tenant_id, events, timeout=_EMIT_SECONDS)
        await connection.execute("vacuum analyze jobs, webhook_deliveries")
    finally:
        await connection.close()


@asynccontextmanager
async def worker(dsn: str, folder: Path, *options: str) -> AsyncIterator[int]:
    """Yields the id of the process."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("DOCSIEVE_")},
        "DOCSIEVE_DATABASE_URL": dsn,
        "DOCSIEVE_DATA_DIR": str(folder),
        "DOCSIEVE_SECRET_KEY": SECRET_KEY,
        "DOCSIEVE_OUTBOUND_ALLOW": ALLOWED,
        "DOCSIEVE_LOG_LEVEL": "error",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "docsieve", "worker", *options, env=environment
    )
    try:
        yield process.pid
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def receiver() -> AsyncIterator[int]:
    port = free_port()
    process = await python("benchmarks.webhook_parts.receiver", str(port))
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


async def python(module: str, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-m", module, *arguments)
