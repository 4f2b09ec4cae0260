import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from tests.api.running import Running


@pytest.fixture
async def client(api: Running, acme: Tenant) -> httpx.AsyncClient:
    return await api.client(await api.key(acme, "write"))
