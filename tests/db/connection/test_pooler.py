"""Docsieve behind a real PgBouncer in transaction mode."""

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docsieve.db.connection.session import Database
from docsieve.domain.scope import Scope
from docsieve.services.access import tenants
from tests.pgbouncer import pgbouncer
from tests.service import Service

pytestmark = pytest.mark.process

PAGE = b"Invoice 4711\nTotal: 12.50 EUR\n"


@pytest.fixture
def pooled_url(open_folder: Path, database_url: str) -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    with pgbouncer(folder, database_url) as url:
        yield url


async def test_a_pooler_is_detected_and_nothing_listens_through_it(pooled_url: str, database_url: str) -> None:
    direct = await Database.open(database_url)
    pooled = await Database.open(pooled_url)
    both = await Database.open(pooled_url, direct_url=database_url)
    assert (direct.listen_url, pooled.listen_url, both.listen_url) == (database_url, None, database_url)
    for database in (direct, pooled, both):
        await database.close()


async def test_sessions_that_share_server_connections_share_no_state(pooled_url: str) -> None:
    database = await Database.open(pooled_url, connections=20)
    async with database.system() as connection, connection.transaction():
        scopes = [Scope((await tenants.create(connection, f"tenant-{number}")).id) for number in range(20)]

    async def visible(scope: Scope) -> None:
        for _ in range(10):
            async with database.tenant(scope) as session:
                assert [row[0] for row in await session.connection.fetch("select id from tenants")] == [scope.tenant_id]
                assert await session.connection.fetchval("select current_user") == "docsieve_app"
            async with database.system() as connection:
                assert await connection.fetchval("select count(*) from tenants where id = $1", scope.tenant_id) == 1
                assert await connection.fetchval("select current_user") != "docsieve_app"

    await asyncio.gather(*map(visible, scopes))
    left = await database.pool.fetch(
        "select name from pg_settings where source = 'session' and name not in"
        " ('client_encoding', 'application_name', 'DateStyle', 'TimeZone', 'standard_conforming_strings')"
    )
    locks = await database.pool.fetch("select from pg_locks where locktype = 'advisory'")
    assert (left, locks) == ([], [])
    await database.close()


@pytest.mark.parametrize("direct", [True, False], ids=["listening on the direct URL", "polling"])
def test_a_document_is_read_by_a_service_behind_a_pooler(
    start_service: Callable[..., Service], pooled_url: str, database_url: str, direct: bool
) -> None:
    service = start_service(DOCSIEVE_DATABASE_URL=pooled_url)
    if direct:
        service.environment["DOCSIEVE_DATABASE_DIRECT_URL"] = database_url
    service.api()
    service.worker()
    documents = [service.upload(PAGE + str(number).encode()).json() for number in range(3)]
    assert [service.settled(each["id"])["status"] for each in documents] == ["ready"] * 3
    assert "listener_lost" not in service.logs()
