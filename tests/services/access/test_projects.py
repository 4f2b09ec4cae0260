"""What a project does with its documents unless told otherwise."""

from typing import Any

import httpx
import pytest

from docsieve.db.access import projects
from docsieve.db.access.tenants import Tenant
from docsieve.domain.classes import BUILT_IN_NAMES, BUILT_IN_SCHEMAS
from docsieve.domain.schemas.ready import READY
from docsieve.domain.scope import Scope
from tests.api.running import Running, assert_problem

DEFAULTS = {
    "schema": "invoice",
    "engine": "local",
    "model": "openai:gpt-4o-mini",
    "prompt": "terse@1",
    "fallback_engine": "local",
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


async def test_a_project_begins_with_a_schema_for_each_built_in_class_that_has_one(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    new = (await admin.post("/projects", json={"name": "new"})).json()
    default = (await admin.get("/projects/default")).json()
    assert new["class_schemas"] == default["class_schemas"] == BUILT_IN_SCHEMAS
    for name, schema in BUILT_IN_SCHEMAS.items():
        assert name in BUILT_IN_NAMES
        assert schema in READY


async def test_classes_are_mapped_one_by_one_and_all_are_restored_by_null(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    first = await admin.patch("/projects/default", json={"class_schemas": {"letter": "contract", "resume": None}})
    second = await admin.patch("/projects/default", json={"class_schemas": {"form": "w2@0", "resume": "nda"}})
    assert first.json()["class_schemas"] == {**_without(BUILT_IN_SCHEMAS, "resume"), "letter": "contract"}
    assert second.json()["class_schemas"] == {**BUILT_IN_SCHEMAS, "letter": "contract", "resume": "nda", "form": "w2@0"}
    unchanged = await admin.patch("/projects/default", json={"threshold": 0.5})
    assert unchanged.json()["class_schemas"] == second.json()["class_schemas"]
    restored = await admin.patch("/projects/default", json={"class_schemas": None})
    assert restored.json()["class_schemas"] == BUILT_IN_SCHEMAS


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"no-such-class": "invoice"}, "invalid_request"),
        ({"invoice": "no-such-schema"}, "unknown_schema"),
        ({"invoice": "auto"}, "unknown_schema"),
        ({"invoice": "{}"}, "unknown_schema"),
    ],
)
async def test_a_class_or_schema_that_does_not_exist_is_not_mapped(
    api: Running, acme: Tenant, changes: dict[str, str], code: str
) -> None:
    refused = await (await api.admin(acme)).patch("/projects/default", json={"class_schemas": changes})
    assert_problem(refused, 422, code)


async def test_a_project_may_leave_the_schema_to_the_class_or_read_only(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    for choice in ("auto", "none"):
        assert (await admin.patch("/projects/default", json={"schema": choice})).json()["schema"] == choice


async def test_a_fallback_engine_must_be_usable(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    for engine, code in (("llm", "model_not_configured"), ("no-such-engine", "unknown_engine")):
        assert_problem(await admin.patch("/projects/default", json={"fallback_engine": engine}), 422, code)
    set_ = await admin.patch("/projects/default", json={"fallback_engine": "local"})
    assert set_.json()["fallback_engine"] == "local"


def _without(mapping: dict[str, str], name: str) -> dict[str, str]:
    return {each: value for each, value in mapping.items() if each != name}
