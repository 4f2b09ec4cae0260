"""`GET /usage`: what a key may see of what was spent."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.extraction import Usage
from docsieve.domain.ids import new_id
from docsieve.providers.metered import Response
from docsieve.services.providers.ledger import ProviderLedger
from tests.api.running import Running, assert_problem, running
from tests.services.providers.conftest import set_budget


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[Running]:
    async with running(database_url, tmp_path) as started:
        yield started


async def spend(api: Running, tenant: Tenant, project_id: UUID, cost: float) -> None:
    ledger = ProviderLedger(api.resources.database, tenant.id, project_id, new_id(), [])
    taken = Usage(calls=1, input_tokens=7, cost=cost)
    await ledger.settle("openai:gpt-4o-mini", None, new_id().bytes, Response(b"", taken))


async def read(client: httpx.AsyncClient, query: str = "") -> httpx.Response:
    return await client.get(f"/usage{query}")


async def test_a_tenant_sees_its_own_spending_and_a_project_its_own(api: Running) -> None:
    acme, other = await api.tenant("acme"), await api.tenant("other")
    one, two = await api.project(acme, "one"), await api.project(acme, "two")
    await set_budget(api.resources.database, "tenants", acme.id, 20.0)
    await set_budget(api.resources.database, "projects", one, 10.0)
    await spend(api, acme, one, 1.5)
    await spend(api, acme, two, 2.0)

    whole = (await read(await api.admin(acme))).json()
    assert (whole["cost"], whole["calls"], whole["budget"]) == (3.5, 2, 20.0)
    assert [(each["project"], each["cost"], each["budget"]) for each in whole["projects"]] == [
        ("one", 1.5, 10.0),
        ("two", 2.0, None),
    ]
    assert whole["projects"][0]["models"][0]["input_tokens"] == 7
    limited = (await read(await api.client(await api.key(acme, "read", project_id=two)))).json()
    assert (limited["cost"], limited["budget"], [each["project"] for each in limited["projects"]]) == (
        2.0,
        None,
        ["two"],
    )
    foreign = (await read(await api.admin(other))).json()
    assert (foreign["cost"], foreign["projects"]) == (0, [])


async def test_other_months_can_be_asked_for_and_nonsense_is_refused(api: Running) -> None:
    admin = await api.admin(await api.tenant("acme"))
    assert (await read(admin, "?month=2020-02")).json() == {
        "month": "2020-02",
        "budget": None,
        "cost": 0.0,
        "calls": 0,
        "projects": [],
    }
    for wrong in ("2020-13", "now", "2020-1", "0000-01"):
        assert_problem(await read(admin, f"?month={wrong}"), 422, "invalid_request")


async def test_without_a_key_nothing_is_told(api: Running) -> None:
    assert_problem(await read(await api.client()), 401, "unauthorized")
