"""An application for each test, with one tenant and the admin of that tenant."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from docsieve.db.tenants import Tenant
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
