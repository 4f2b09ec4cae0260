"""All lists of the OpenAPI document have one shape: items under their own name, and a cursor to the next page."""

from typing import Any

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.db.extractions import lessons
from docsieve.db.extractions.lessons import NewLessons
from docsieve.domain.scope import Scope
from tests.api.extracting import begun, complete, result
from tests.api.operations import filled
from tests.api.running import Running, assert_problem, uploaded

TWO = {"type": "object", "properties": {"total": {"type": "number"}, "tax": {"type": "number"}}}
OF_EACH: dict[str, dict[str, Any]] = {
    "/tenants": {},
    "/projects": {},
    "/keys": {"scopes": ["read"]},
    "/classes": {"description": "of ours"},
    "/schemas": {"schema": TWO},
    "/prompts": {"template": "Be exact."},
}


def _answers(openapi: dict[str, Any]) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Operations that are read, by name: each with the shape of its answer in JSON."""
    shapes = openapi["components"]["schemas"]
    found = {}
    for path, operations in openapi["paths"].items():
        operation = operations.get("get", {})
        content = operation.get("responses", {}).get("200", {}).get("content", {})
        if (shape := content.get("application/json", {}).get("schema")) is not None:
            found[f"GET {path}"] = (operation, shapes.get(shape.get("$ref", "").rpartition("/")[2], shape))
    return found


def _arrays(shape: dict[str, Any]) -> list[str]:
    return [name for name, each in shape.get("properties", {}).items() if each.get("type") == "array"]


async def test_every_list_is_an_envelope_with_a_cursor(api: Running) -> None:
    listing = {}
    for name, (operation, shape) in _answers(api.app.openapi()).items():
        assert shape.get("type") != "array", f"{name} is a bare array"
        if operation["operationId"].startswith("list_"):
            parameters = {each["name"] for each in operation["parameters"] if each["in"] == "query"}
            assert {"cursor", "limit"} <= parameters, name
            assert "next_cursor" in shape["properties"], name
            assert len(_arrays(shape)) == 1, name
            listing[operation["operationId"]] = name
        else:
            assert "next_cursor" not in shape.get("properties", {}), name
    assert len(listing) >= 17


async def _fill(api: Running, operator: httpx.AsyncClient, tenant: Tenant) -> tuple[str, str]:
    """Two of everything that is listed; returns the ids of a document and of a batch."""
    for _ in range(2):
        endpoint = {"url": "https://receiver.example/hook"}
        (await operator.post("/webhooks/endpoints", json=endpoint)).raise_for_status()
    document = await uploaded(operator)
    [job] = await api.claim()
    await api.fail(job, retry_in=0)
    [job] = await api.claim()
    await api.complete(job, "one page")
    for name in ("b-one", "b_two"):
        for path, body in OF_EACH.items():
            (await operator.post(path, json={"name": name, **body})).raise_for_status()
        extraction = await begun(operator, document["id"], schema="b-one")
        await complete(api, extraction["id"], result({"total": 1.0, "tax": 1.0}, document["id"], confidence=0.1))
    more = {"type": "object", "properties": {"other": {"type": "number"}}}
    (await operator.post("/schemas", json={"name": "b-one", "schema": more})).raise_for_status()
    (await operator.post("/prompts", json={"name": "b-one", "template": "Be brief."})).raise_for_status()
    async with api.resources.database.tenant(Scope(tenant.id)) as session:
        for _ in range(2):
            await lessons.add(session, NewLessons("b-one", "local", "1", {}, 2, 4, 0.9, 0.5))
    for name in ("c-one", "c_two"):
        (await operator.post("/holds", json={"project": name.replace("c", "b"), "reason": "case 7"})).raise_for_status()
        (await operator.post("/tenants", json={"name": name})).raise_for_status()
        (await operator.delete(f"/tenants/{name}")).raise_for_status()
    await uploaded(operator, b"still pending")
    return str(document["id"]), await _batch(operator)


async def _batch(operator: httpx.AsyncClient) -> str:
    """The newer of two batches, with two documents that were started and two that were not."""
    for name in ("first", "second"):
        batch = (await operator.post("/batches", json={"name": name, "schema": "b-one"})).raise_for_status().json()
    for started in (True, False):
        for number in range(2):
            await uploaded(operator, f"{started} {number}".encode(), batch=batch["id"])
        if started:
            (await operator.post(f"/batches/{batch['id']}/start")).raise_for_status()
    return str(batch["id"])


async def test_every_list_can_be_read_item_by_item(api: Running) -> None:
    tenant = await api.tenant("default")
    operator = await api.admin(tenant)
    document_id, batch_id = await _fill(api, operator, tenant)
    single = set()
    for name, (operation, shape) in _answers(api.app.openapi()).items():
        if not operation["operationId"].startswith("list_"):
            continue
        [held] = _arrays(shape)
        named = name.removeprefix("GET /api/v1").replace("{name}", "b-one").replace("{batch_id}", batch_id)
        path = filled(named, document_id)
        whole = (await operator.get(path, params={"limit": 200})).raise_for_status().json()
        assert whole["next_cursor"] is None, name
        items, cursor = [], None
        while True:
            query = {"limit": 1, **({"cursor": cursor} if cursor else {})}
            page = (await operator.get(path, params=query)).raise_for_status().json()
            items += page[held]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert _without_times(items) == _without_times(whole[held]), name
        if len(items) < 2:
            single.add(operation["operationId"])
        assert_problem(await operator.get(path, params={"cursor": "not one of ours"}), 422, "invalid_request")
    assert single <= {"list_queues", "list_entries", "list_chunks"}


def _without_times(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A queue's age goes on while it is listed."""
    return [{name: value for name, value in each.items() if name != "oldest_pending_seconds"} for each in items]
