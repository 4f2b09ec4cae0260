"""What a project does with its documents unless told otherwise."""

from typing import Any

import httpx
import pytest

from docsieve.db.access import projects
from docsieve.db.access.tenants import Tenant
from docsieve.domain.scope import Scope
from tests.api.running import Running, assert_problem

DEFAULTS = {
    "schema": "invoice",
    "engine": "local",
    "model": "openai:gpt-4o-mini",
    "prompt": "terse@1",
    "threshold": 0.75,
    "budget_usd": 12.5,
}
NONE: dict[str, Any] = dict.fromkeys(DEFAULTS)


def _defaults(project: dict[str, Any]) -> dict[str, Any]:
    return {name: project[name] for name in DEFAULTS}


@pytest.fixture
async def prompt(client: httpx.AsyncClient) -> None:
    await client.post("/prompts", json={"name": "terse", "template": "Be terse."})


@pytest.mark.usefixtures("prompt")
async def test_defaults_are_set_one_by_one_and_taken_back_by_null(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    assert _defaults((await client.get("/projects/default")).json()) == NONE
    changed = await client.patch("/projects/default", json=DEFAULTS)
    assert changed.status_code == 200, changed.text
    assert _defaults(changed.json()) == DEFAULTS
    less = (await client.patch("/projects/default", json={"threshold": None, "engine": None})).json()
    assert _defaults(less) == {**DEFAULTS, "threshold": None, "engine": None}
    assert _defaults((await client.patch("/projects/default", json={})).json()) == _defaults(less)
    assert (await client.get("/projects")).json()["projects"][0]["schema"] == "invoice"
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        (project,) = await projects.list_all(session)
        assert await projects.find_by_id(session, project.id) == project


async def test_a_project_can_be_made_with_its_defaults(client: httpx.AsyncClient) -> None:
    made = await client.post("/projects", json={"name": "bills", "schema": "invoice@0", "budget_usd": 0})
    assert made.status_code == 201
    assert _defaults(made.json()) == {**NONE, "schema": "invoice@0", "budget_usd": 0}
    refused = await client.post("/projects", json={"name": "other", "schema": "no-such"})
    assert_problem(refused, 422, "unknown_schema")
    assert_problem(await client.get("/projects/other"), 404, "not_found")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"schema": "no-such"}, "unknown_schema"),
        ({"schema": "invoice@7"}, "unknown_schema"),
        ({"schema": "Not A Name"}, "unknown_schema"),
        ({"prompt": "no-such"}, "unknown_prompt"),
        ({"engine": "no-such"}, "unknown_engine"),
        ({"threshold": 1.1}, "invalid_request"),
        ({"budget_usd": -1}, "invalid_request"),
        ({"model": ""}, "invalid_request"),
        ({"name": "other"}, "invalid_request"),
    ],
)
async def test_what_cannot_be_a_default_is_refused(client: httpx.AsyncClient, body: dict[str, Any], code: str) -> None:
    assert_problem(await client.patch("/projects/default", json=body), 422, code)
    assert _defaults((await client.get("/projects/default")).json()) == NONE


async def test_a_schema_that_a_project_names_cannot_be_deleted(client: httpx.AsyncClient) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    await client.post("/schemas", json={"name": "order", "schema": schema})
    await client.patch("/projects/default", json={"schema": "order"})
    refused = await client.delete("/schemas/order")
    assert "Project default" in assert_problem(refused, 409, "still_in_use")["detail"]
    await client.patch("/projects/default", json={"schema": "order@1"})
    assert (await client.delete("/schemas/order")).status_code == 204
    assert (await client.patch("/projects/default", json={"schema": "order@1"})).status_code == 200


async def test_the_admin_of_one_project_sets_its_defaults_but_not_its_budget(api: Running, acme: Tenant) -> None:
    inner = await api.client(await api.key(acme, "admin", project_id=await api.project(acme, "inner")))
    assert (await inner.patch("/projects/inner", json={"schema": "receipt"})).json()["schema"] == "receipt"
    assert_problem(await inner.patch("/projects/inner", json={"budget_usd": 1000}), 403, "forbidden")
    assert_problem(await inner.patch("/projects/default", json={"schema": "receipt"}), 404, "not_found")


@pytest.mark.usefixtures("walls")
async def test_another_tenant_s_project_is_not_changed(api: Running, client: httpx.AsyncClient) -> None:
    other = await api.admin(await api.tenant("globex"))
    await client.post("/projects", json={"name": "bills"})
    assert_problem(await other.patch("/projects/bills", json={"threshold": 0.1}), 404, "not_found")
    assert (await client.get("/projects/bills")).json()["threshold"] is None
