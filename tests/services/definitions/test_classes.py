"""A tenant's own document classes, in addition to the built-in ones."""

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.definitions import classes as own_classes
from docsieve.domain.classes import BUILT_IN, ClassDescription
from docsieve.domain.scope import Scope
from docsieve.services.definitions import classes
from tests.api.running import Running, assert_problem

NOTE = {"name": "delivery_note", "description": "goods that came with a delivery, and their quantities"}


async def _names(client: httpx.AsyncClient) -> list[str]:
    return [each["name"] for each in (await client.get("/classes")).raise_for_status().json()["classes"]]


async def test_the_built_in_classes_are_listed_before_any_own(client: httpx.AsyncClient) -> None:
    await client.post("/classes", json={"name": "a_first", "description": "x"})
    listed = (await client.get("/classes")).json()["classes"]
    assert [each["name"] for each in listed] == [*(each.name for each in BUILT_IN), "a_first"]
    assert listed[0]["built_in"] is True
    assert listed[0]["created_at"] is None


async def test_an_own_class_is_added_listed_given_to_the_classifier_and_removed(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    added = await client.post("/classes", json=NOTE)
    assert added.status_code == 201
    assert added.json() == {**NOTE, "built_in": False, "created_at": added.json()["created_at"]}
    assert (await client.get("/classes")).json()["classes"][-1] == added.json()
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        assert await own_classes.descriptions(session) == [ClassDescription(**NOTE)]
    assert (await client.delete("/classes/delivery_note")).status_code == 204
    assert "delivery_note" not in await _names(client)
    assert_problem(await client.delete("/classes/delivery_note"), 404, "not_found")


async def test_a_name_is_taken_by_a_built_in_class_or_an_own_one(client: httpx.AsyncClient) -> None:
    await client.post("/classes", json=NOTE)
    assert_problem(await client.post("/classes", json=NOTE), 409, "name_taken")
    assert_problem(await client.post("/classes", json={**NOTE, "name": "invoice"}), 409, "name_taken")


async def test_a_built_in_class_stays(client: httpx.AsyncClient) -> None:
    assert_problem(await client.delete("/classes/invoice"), 404, "not_found")
    assert "invoice" in await _names(client)


@pytest.mark.parametrize(
    "body",
    [
        {"name": "Delivery Note", "description": "x"},
        {"name": "note", "description": ""},
        {"name": "note", "description": "x" * 1_001},
        {"name": "note", "description": "nul \x00"},
        {"name": "note"},
        {**NOTE, "color": "red"},
    ],
)
async def test_what_cannot_be_a_class_is_refused(client: httpx.AsyncClient, body: dict[str, str]) -> None:
    assert_problem(await client.post("/classes", json=body), 422, "invalid_request")


async def test_only_an_admin_of_the_whole_tenant_changes_classes(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await client.post("/classes", json=NOTE)
    project_id = await api.project(acme, "inner")
    reader = await api.client(await api.key(acme, "read"))
    writer = await api.client(await api.key(acme, "write"))
    inner_admin = await api.client(await api.key(acme, "admin", project_id=project_id))
    for limited in (reader, writer, inner_admin):
        assert "delivery_note" in await _names(limited)
        assert_problem(await limited.post("/classes", json={**NOTE, "name": "mine"}), 403, "forbidden")
        assert_problem(await limited.delete("/classes/delivery_note"), 403, "forbidden")


@pytest.mark.usefixtures("walls")
async def test_another_tenant_s_classes_are_neither_seen_nor_removed_nor_in_the_way(
    api: Running, client: httpx.AsyncClient
) -> None:
    other = await api.admin(await api.tenant("globex"))
    await client.post("/classes", json=NOTE)
    assert "delivery_note" not in await _names(other)
    assert_problem(await other.delete("/classes/delivery_note"), 404, "not_found")
    assert (await other.post("/classes", json={**NOTE, "description": "theirs"})).status_code == 201
    assert (await client.get("/classes")).json()["classes"][-1]["description"] == NOTE["description"]


async def test_a_tenant_has_a_bounded_number_of_classes(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classes, "MAX_CLASSES", 1)
    await client.post("/classes", json=NOTE)
    assert_problem(await client.post("/classes", json={**NOTE, "name": "second"}), 409, "too_many_classes")
