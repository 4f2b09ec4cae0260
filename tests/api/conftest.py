"""An application for each test, with one tenant and the admin of that tenant."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from tests.api.running import Running, running


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[Running]:
    async with running(database_url, tmp_path) as started:
        yield started


@pytest.fixture
async def acme(api: Running) -> Tenant:
    return await api.tenant("acme")


@pytest.fixture
async def client(api: Running, acme: Tenant) -> httpx.AsyncClient:
    """Speaks as an admin of tenant acme."""
    return await api.admin(acme)


@pytest.fixture(params=["behind the walls", "by the queries alone"])
async def walls(request: pytest.FixtureRequest, api: Running) -> None:
    """Queries filter by tenant, and row-level security is a second barrier. Each must work without the other."""
    if request.param == "behind the walls":
        return
    async with api.resources.database.system() as connection:
        isolated = "select tablename from pg_policies where policyname = 'tenant_isolation'"
        for (table,) in await connection.fetch(isolated):
            await connection.execute(f"alter policy tenant_isolation on {table} using (true)")
