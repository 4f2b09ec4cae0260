"""`GET /usage`: the spending that a key may see."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.extraction import Usage
from docsieve.domain.ids import new_id
from docsieve.providers.metered import MeteredCalls, Response
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
        "intake": {name: {"used": 0, "quota": None} for name in ("documents", "bytes", "pages")},
        "budget": None,
        "cost": 0.0,
        "saved": 0.0,
        "calls": 0,
        "cache_hits": 0,
        "projects": [],
    }
    for wrong in ("2020-13", "now", "2020-1", "0000-01"):
        assert_problem(await read(admin, f"?month={wrong}"), 422, "invalid_request")


async def test_without_a_key_nothing_is_told(api: Running) -> None:
    assert_problem(await read(await api.client()), 401, "unauthorized")


async def test_savings_of_the_response_cache_are_shown_per_tenant(api: Running) -> None:
    acme, other = await api.tenant("acme"), await api.tenant("other")
    project_id, document_id = await api.project(acme, "one"), new_id()

    async def answer() -> Response:
        asked.append(1)
        return Response(b"answer", Usage(calls=1, cost=0.25))

    async def ask(tenant: Tenant, project: UUID) -> None:
        ledger = ProviderLedger(api.resources.database, tenant.id, project, new_id(), [document_id])
        calls = MeteredCalls("openai:gpt-4o-mini", ledger=ledger)
        assert await calls.send(b"key", answer, expected=Usage(cost=0.25)) == b"answer"

    asked: list[int] = []
    for _ in range(3):
        await ask(acme, project_id)
    await ask(other, await api.project(other, "one"))
    assert len(asked) == 2, "another tenant's response was used, or the own was not"
    usage = (await read(await api.admin(acme))).json()
    assert (usage["calls"], usage["cost"], usage["cache_hits"], usage["saved"]) == (1, 0.25, 2, 0.5)
    assert (usage["projects"][0]["saved"], usage["projects"][0]["models"][0]["cache_hits"]) == (0.5, 2)
    foreign = (await read(await api.admin(other))).json()
    assert (foreign["cost"], foreign["cache_hits"], foreign["saved"]) == (0.25, 0, 0)
