"""Schemas over the API: versions that never change, one of them current."""

import asyncio
import json
from typing import Any

import asyncpg
import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.schemas.ready import READY
from docsieve.domain.scope import Scope
from docsieve.errors.extractions import UnknownSchema
from docsieve.services.definitions import schemas, versions
from tests.api.running import Running, assert_problem


def _schema(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


async def _added(client: httpx.AsyncClient, name: str, schema: dict[str, Any], **said: Any) -> dict[str, Any]:
    response = await client.post("/schemas", json={"name": name, "schema": schema, **said})
    assert response.status_code == 201, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_the_same_name_again_makes_the_next_version_which_is_current(client: httpx.AsyncClient) -> None:
    first = await _added(client, "order", _schema("number"), note="the first")
    second = await _added(client, "order", _schema("number", "date"))
    assert (first["name"], first["version"], first["note"], first["warnings"]) == ("order", 1, "the first", [])
    assert (second["version"], second["current"], second["field_count"]) == (2, True, 2)
    assert (await client.get("/schemas/order")).json()["schema"] == _schema("number", "date")
    older = (await client.get("/schemas/order/versions/1")).json()
    assert (older["schema"], older["current"]) == (_schema("number"), False)
    listed = (await client.get("/schemas/order/versions")).json()["versions"]
    assert [(each["version"], each["current"]) for each in listed] == [(2, True), (1, False)]


async def test_fields_keep_the_order_in_which_they_were_given(client: httpx.AsyncClient) -> None:
    names = ["zulu", "a", "middle-of-all", "bb"]
    await _added(client, "order", _schema(*names))
    assert list((await client.get("/schemas/order")).json()["schema"]["properties"]) == names


async def test_exactly_the_newest_version_again_is_still_that_version(client: httpx.AsyncClient) -> None:
    await _added(client, "order", _schema("a"))
    await _added(client, "order", _schema("b"))
    await client.put("/schemas/order/current", json={"version": 1})
    again = await _added(client, "order", _schema("b"))
    assert (again["version"], again["current"]) == (2, True)
    assert (await _added(client, "order", _schema("a")))["version"] == 3


async def test_concurrent_writers_of_one_name_get_different_numbers(client: httpx.AsyncClient) -> None:
    """For the first versions of a name, and for the next ones."""
    for first in (1, 6):
        numbers = range(first, first + 5)
        answers = await asyncio.gather(*(_added(client, "order", _schema(f"f{number}")) for number in numbers))
        assert sorted(each["version"] for each in answers) == list(numbers)
    assert (await client.get("/schemas/order")).json()["version"] == 10


async def test_a_version_can_wait_to_become_current(client: httpx.AsyncClient) -> None:
    first = await _added(client, "order", _schema("a"), make_current=False)
    assert first["current"] is True  # there is nothing else that the name could mean
    second = await _added(client, "order", _schema("b"), make_current=False)
    assert (second["version"], second["current"]) == (2, False)
    assert (await client.get("/schemas/order")).json()["version"] == 1
    assert (await client.put("/schemas/order/current", json={"version": 2})).json()["version"] == 2
    assert (await client.get("/schemas/order")).json()["version"] == 2
    assert_problem(await client.put("/schemas/order/current", json={"version": 3}), 404, "not_found")


async def test_a_version_cannot_be_changed_by_any_request(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await _added(client, "order", _schema("a"))
    for statement in ("update schemas set note = 'other'", "delete from schemas", "delete from schema_heads"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with api.resources.database.tenant(Scope(acme.id)) as session:
                await session.connection.execute(statement)


async def test_a_ready_made_schema_is_version_0_until_the_tenant_has_its_own(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    ready = (await client.get("/schemas/invoice")).json()
    assert (ready["version"], ready["ready"], ready["schema"]) == (0, True, READY["invoice"])
    assert (await _added(client, "invoice", _schema("number")))["version"] == 1
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        assert await schemas.resolve(session, "invoice") == ("invoice", 1, _schema("number"))
        assert await schemas.resolve(session, "invoice@0") == ("invoice", 0, READY["invoice"])
        assert (await schemas.resolve(session, "receipt")).ref == "receipt@0"
    assert (await client.put("/schemas/invoice/current", json={"version": 0})).json()["ready"] is True
    assert (await client.get("/schemas/invoice")).json()["version"] == 0
    listed = (await client.get("/schemas/invoice/versions")).json()["versions"]
    assert [(each["version"], each["current"]) for each in listed] == [(1, False), (0, True)]


async def test_the_list_has_the_current_version_of_each_name(client: httpx.AsyncClient) -> None:
    await _added(client, "order", _schema("a"))
    await _added(client, "order", _schema("b"))
    await _added(client, "receipt", _schema("total"))
    listed = {each["name"]: each for each in (await client.get("/schemas")).json()["schemas"]}
    assert list(listed) == sorted([*READY, "order"])
    assert (listed["order"]["version"], listed["order"]["ready"]) == (2, False)
    assert (listed["receipt"]["version"], listed["receipt"]["ready"]) == (1, False)
    assert (listed["w2"]["version"], listed["w2"]["ready"], listed["w2"]["title"]) == (0, True, "Form W-2")


async def test_a_deleted_name_is_gone_and_its_versions_stay_readable(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await _added(client, "order", _schema("a"))
    assert (await client.delete("/schemas/order")).status_code == 204
    assert_problem(await client.get("/schemas/order"), 404, "not_found")
    assert_problem(await client.delete("/schemas/order"), 404, "not_found")
    assert "order" not in (await client.get("/schemas")).text
    kept = (await client.get("/schemas/order/versions/1")).json()
    assert (kept["schema"], kept["current"]) == (_schema("a"), False)
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        assert (await schemas.resolve(session, "order@1")).schema == _schema("a")
        with pytest.raises(UnknownSchema):
            await schemas.resolve(session, "order")
    assert (await _added(client, "order", _schema("b")))["version"] == 2
    assert (await client.get("/schemas/order")).json()["version"] == 2


async def test_a_deleted_name_of_a_ready_made_schema_means_that_one_again(client: httpx.AsyncClient) -> None:
    assert_problem(await client.delete("/schemas/invoice"), 404, "not_found")
    await _added(client, "invoice", _schema("a"))
    assert (await client.delete("/schemas/invoice")).status_code == 204
    assert (await client.get("/schemas/invoice")).json()["ready"] is True


async def test_a_schema_is_made_from_fields_or_an_example(client: httpx.AsyncClient) -> None:
    fields = [
        {"name": "total", "type": "amount", "description": "all of it"},
        {"name": "lines[].price", "type": "money"},
    ]
    by_fields = (await client.post("/schemas", json={"name": "a", "fields": fields})).json()
    assert by_fields["schema"]["properties"]["total"] == {
        "type": "number",
        "format": "amount",
        "description": "all of it",
    }
    by_example = (await client.post("/schemas", json={"name": "b", "example": {"day": "2024-01-31"}})).json()
    assert by_example["schema"]["properties"] == {"day": {"type": "string", "format": "date"}}


async def test_a_check_reports_all_problems_and_stores_nothing(api: Running, client: httpx.AsyncClient) -> None:
    schema = {**_schema("a"), "x-color": "red"}
    checked = (await client.post("/schemas/check", json={"schema": schema})).json()
    assert checked == {"schema": schema, "warnings": ["/x-color: x-color is ignored"], "fields": ["a"]}
    whole = {"name": "order", "note": "first", "make_current": False, "schema": schema}
    assert (await client.post("/schemas/check", json=whole)).json() == checked
    assert_problem(await client.post("/schemas/check", json={**whole, "name": "Not a name"}), 422, "invalid_request")
    refused = await client.post("/schemas/check", json={"schema": {**schema, "required": ["b"]}})
    assert (
        assert_problem(refused, 422, "schema_invalid")["detail"] == "/required/0: there is no property with that name"
    )
    assert await api.count("schemas") == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": "x", "schema": {"type": "array"}}, "schema_invalid"),
        ({"name": "x", "schema": {**_schema("a"), "x-rules": [{"rule": "b > 1"}]}}, "schema_invalid"),
        ({"name": "x", "fields": [{"name": "a", "type": "nothing"}]}, "schema_invalid"),
        ({"name": "x", "example": {"a.b": 1}}, "schema_invalid"),
        ({"name": "x", "schema": {"type": "object", "properties": {"\ud800": {}}}}, "schema_invalid"),
        ({"name": "x", "schema": {"type": "object", "properties": {"\x00": {}}}}, "schema_invalid"),
        ({"name": "x", "schema": _schema("a"), "example": {"a": 1}}, "invalid_request"),
        ({"name": "x"}, "invalid_request"),
        ({"name": "Not A Name", "schema": _schema("a")}, "invalid_request"),
        ({"name": "x", "schema": _schema("a"), "color": "red"}, "invalid_request"),
        ({"name": "x", "schema": _schema("a"), "note": "\x00"}, "invalid_request"),
    ],
)
async def test_what_cannot_be_a_schema_is_refused(
    api: Running, client: httpx.AsyncClient, body: dict[str, Any], code: str
) -> None:
    sent = await client.post("/schemas", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert_problem(sent, 422, code)
    assert await api.count("schema_heads") == 0


async def test_only_an_admin_of_the_whole_tenant_changes_schemas(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await _added(client, "order", _schema("a"))
    inner_admin = await api.client(await api.key(acme, "admin", project_id=await api.project(acme, "inner")))
    writer = await api.client(await api.key(acme, "write"))
    for limited in (writer, inner_admin):
        assert (await limited.get("/schemas/order")).json()["schema"] == _schema("a")
        body = {"name": "order", "schema": _schema("b")}
        assert_problem(await limited.post("/schemas", json=body), 403, "forbidden")
        assert_problem(await limited.put("/schemas/order/current", json={"version": 1}), 403, "forbidden")
        assert_problem(await limited.delete("/schemas/order"), 403, "forbidden")


@pytest.mark.usefixtures("walls")
async def test_another_tenant_s_schemas_are_neither_seen_nor_changed_nor_in_the_way(
    api: Running, client: httpx.AsyncClient
) -> None:
    other = await api.admin(await api.tenant("globex"))
    await _added(client, "order", _schema("ours"))
    await _added(client, "order", _schema("ours", "more"))
    assert "order" not in (await other.get("/schemas")).text
    for path in ("/schemas/order", "/schemas/order/versions", "/schemas/order/versions/1"):
        assert_problem(await other.get(path), 404, "not_found")
    assert_problem(await other.put("/schemas/order/current", json={"version": 1}), 404, "not_found")
    assert_problem(await other.delete("/schemas/order"), 404, "not_found")
    assert (await _added(other, "order", _schema("theirs")))["version"] == 1
    assert (await client.get("/schemas/order")).json()["schema"] == _schema("ours", "more")


async def test_a_tenant_has_a_bounded_number_of_names(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MAX_NAMES", 1)
    await _added(client, "order", _schema("a"))
    await _added(client, "order", _schema("b"))
    second = await client.post("/schemas", json={"name": "second", "schema": _schema("a")})
    assert_problem(second, 409, "too_many_names")


async def test_who_made_a_version_is_kept(api: Running, acme: Tenant) -> None:
    key = await api.key(acme, "admin")
    added = await _added(await api.client(key), "order", _schema("a"))
    assert added["created_by"] == key.split("_")[1]
