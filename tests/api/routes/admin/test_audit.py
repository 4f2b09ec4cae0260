"""What is recorded in the audit log, and how it is read."""

import asyncio
import csv
import io
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.audit import Entry, entry_hash
from docsieve.services.audit.refused_sign_ins import PER_MINUTE
from tests.api.extracting import SCHEMA, completed
from tests.api.running import Running, assert_problem, uploaded

Act = Callable[[Running, httpx.AsyncClient], Awaitable[Any]]


async def _entries(client: httpx.AsyncClient, **wanted: Any) -> list[dict[str, Any]]:
    response = await client.get("/audit", params=wanted)
    assert response.status_code == 200, response.text
    entries: list[dict[str, Any]] = response.json()["entries"]
    return entries


async def _schema(client: httpx.AsyncClient) -> None:
    await client.post("/schemas", json={"name": "bill", "schema": SCHEMA})


async def _prompt(client: httpx.AsyncClient, template: str = "Be exact.") -> None:
    await client.post("/prompts", json={"name": "exact", "template": template})


async def _change_settings(api: Running, client: httpx.AsyncClient) -> None:
    await client.post("/projects", json={"name": "side"})
    await client.patch("/projects/side", json={"threshold": 0.5})
    await client.delete("/projects/side")


async def _change_definitions(api: Running, client: httpx.AsyncClient) -> None:
    await _schema(client)
    await _schema(client)  # again, which changes nothing
    await client.post("/schemas", json={"name": "bill", "schema": {**SCHEMA, "title": "Bill"}})
    await client.put("/schemas/bill/current", json={"version": 1})
    await client.delete("/schemas/bill")
    await _prompt(client)
    await _prompt(client, "Be brief.")
    await client.delete("/prompts/exact")
    await client.post("/classes", json={"name": "permit", "description": "what an authority allows"})
    await client.delete("/classes/permit")


async def _manage_keys(api: Running, client: httpx.AsyncClient) -> None:
    made = await client.post("/keys", json={"name": "new", "scopes": ["read"]})
    await client.delete(f"/keys/{made.json()['id']}")


async def _review(api: Running, client: httpx.AsyncClient) -> None:
    extraction = await completed(api, client)
    place = f"/extractions/{extraction['id']}"
    assert (await client.patch(f"{place}/fields", json={"fields": [{"path": "count", "value": 3}]})).status_code == 200
    await client.post(f"{place}/fields/undo", json={"paths": ["count"]})
    await client.post(f"{place}/fields/accept", json={"paths": ["count"]})
    await client.post(f"{place}/verify")


async def _take_away(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    await client.get(f"/documents/{document['id']}/file")
    await client.get("/extractions/export", params={"format": "csv"})
    await client.get("/extractions/dataset", params={"schema": "invoice"})


async def _manage_webhooks(api: Running, client: httpx.AsyncClient) -> None:
    made = await client.post("/webhooks/endpoints", json={"url": "https://example.com/hook?token=private"})
    path = f"/webhooks/endpoints/{made.json()['id']}"
    await client.patch(path, json={"description": "private"})
    await client.post(f"{path}/rotate")
    await client.post("/webhooks/secret/rotate")
    await client.delete(path)
    assert "private" not in (await client.get("/audit")).text


@pytest.mark.parametrize(
    ("act", "actions"),
    [
        (_change_settings, ["project.created", "project.changed", "project.deleted"]),
        (
            _change_definitions,
            [
                *("schema.created", "schema.changed", "schema.changed", "schema.deleted"),
                *("prompt.created", "prompt.changed", "prompt.deleted", "class.created", "class.deleted"),
            ],
        ),
        (_manage_keys, ["key.created", "key.revoked"]),
        (
            _manage_webhooks,
            [
                *("endpoint.created", "endpoint.changed", "endpoint.secret_rotated", "endpoint.secret_rotated"),
                "endpoint.deleted",
            ],
        ),
        (
            _review,
            ["extraction.corrected", "extraction.undone", "extraction.accepted", "extraction.verified"],
        ),
        (_take_away, ["document.downloaded", "extractions.exported", "dataset.exported"]),
    ],
)
async def test_what_people_do_is_recorded(
    api: Running, client: httpx.AsyncClient, act: Act, actions: list[str]
) -> None:
    await act(api, client)
    assert [each["action"] for each in reversed(await _entries(client))] == actions


async def test_an_entry_names_the_key_and_the_address(api: Running, acme: Tenant, client: httpx.AsyncClient) -> None:
    key = await api.key(acme, "admin")
    caller = await api.client(key, **{"X-Forwarded-For": "198.51.100.2"})
    await caller.post("/projects", json={"name": "side"})
    (entry,) = await _entries(client)
    assert entry["actor"] == {"kind": "key", "id": key.split("_")[1], "name": "a key"}
    assert (entry["remote_address"], entry["forwarded_for"]) == ("127.0.0.1", "198.51.100.2")
    assert entry["details"] == {"name": "side"}


async def test_no_value_and_no_secret_is_recorded(api: Running, client: httpx.AsyncClient) -> None:
    extraction = await completed(api, client)
    fixes = {"fields": [{"path": "number", "value": "private-value"}]}
    await client.patch(f"/extractions/{extraction['id']}/fields", json=fixes)
    made = await client.post("/keys", json={"name": "new", "scopes": ["read"]})
    text = (await client.get("/audit")).text
    assert "private-value" not in text
    assert made.json()["key"] not in text


async def test_a_failed_request_is_not_recorded(client: httpx.AsyncClient) -> None:
    assert (await client.patch("/projects/no-such", json={"threshold": 0.5})).status_code == 404
    assert await _entries(client) == []


async def test_sign_ins_and_sign_outs_are_recorded(api: Running, acme: Tenant, client: httpx.AsyncClient) -> None:
    key = await api.key(acme, "admin")
    browser = await api.client()
    signed_in = await browser.post("/session", json={"key": key})
    token = {"X-CSRF-Token": signed_in.json()["csrf_token"]}
    await browser.post("/projects", json={"name": "side"}, headers=token)
    assert (await browser.delete("/session", headers=token)).status_code == 204
    entries = list(reversed(await _entries(client)))
    assert [each["action"] for each in entries] == ["session.started", "project.created", "session.ended"]
    assert {(each["actor"]["kind"], each["actor"]["id"]) for each in entries} == {("session", key.split("_")[1])}


async def test_failed_sign_ins_are_recorded_up_to_a_limit(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    keys = [await api.key(acme, "admin") for _ in range(2)]  # each may fail ten times a minute
    stranger = await api.client()
    tries = [stranger.post("/session", json={"key": f"{keys[each % 2]}0"}) for each in range(PER_MINUTE + 5)]
    assert {answer.status_code for answer in await asyncio.gather(*tries)} == {401}
    entries = await _entries(client)
    # a new minute may begin in between
    assert PER_MINUTE <= len(entries) <= PER_MINUTE + 5
    assert {each["action"] for each in entries} == {"session.refused"}
    assert entries[0]["details"] == {"left_out_before": 0, "reason": "unauthorized"}
    assert {each["object_id"] for each in entries} == {each.split("_")[1] for each in keys}


async def test_a_failed_sign_in_with_an_unknown_key_is_recorded_for_the_operator(api: Running) -> None:
    operator = await api.admin(await api.tenant("default"))
    stranger = await api.client()
    await stranger.post("/session", json={"key": "nonsense"})
    await stranger.post("/session", json={"link": "nonsense"})
    assert [each["details"]["reason"] for each in await _entries(operator)] == ["link_expired", "unauthorized"]


async def test_what_is_done_to_tenants_is_in_the_log_of_the_operator(api: Running) -> None:
    operator = await api.admin(await api.tenant("default"))
    await operator.post("/tenants", json={"name": "acme"})
    await operator.patch("/tenants/acme", json={"weight": 2})
    made = await operator.post("/tenants/acme/keys", json={"name": "first", "scopes": ["admin"]})
    assert [each["action"] for each in await _entries(operator)] == ["tenant.changed", "tenant.created"]
    (entry,) = await _entries(await api.client(made.json()["key"]))
    assert entry["action"] == "key.created"


async def test_entries_are_filtered(client: httpx.AsyncClient) -> None:
    await client.post("/projects", json={"name": "one"})
    await client.post("/projects", json={"name": "two"})
    await client.patch("/projects/two", json={"threshold": 0.5})
    newest, second, first = await _entries(client)
    assert await _entries(client, action="project.changed") == [newest]
    assert await _entries(client, object_id=first["object_id"]) == [first]
    assert await _entries(client, object_type="project", until=second["at"]) == [first]
    assert await _entries(client, since=second["at"], action="project.created") == [second]
    assert await _entries(client, actor=first["actor"]["id"]) == [newest, second, first]
    assert await _entries(client, actor="no-such") == []
    later = datetime.now(UTC) + timedelta(days=1)
    assert await _entries(client, since=later.isoformat()) == []
    assert_problem(await client.get("/audit", params={"action": "no.such"}), 422, "invalid_request")


async def test_pages_of_entries_continue_where_the_last_ended(client: httpx.AsyncClient) -> None:
    for name in ("one", "two", "three"):
        await client.post("/projects", json={"name": name})
    first = (await client.get("/audit", params={"limit": 2})).json()
    rest = (await client.get("/audit", params={"limit": 2, "cursor": first["next_cursor"]})).json()
    assert [each["number"] for each in first["entries"] + rest["entries"]] == [3, 2, 1]
    assert rest["next_cursor"] is None
    assert first["head"] == {"entries": 3, "hash": first["entries"][0]["hash"]}


async def test_a_key_of_a_project_sees_the_entries_of_its_project(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    side = await api.project(acme, "side")
    await client.post("/projects", json={"name": "other"})
    await client.patch("/projects/side", json={"threshold": 0.5})
    limited = await api.admin(acme, project_id=side)
    response = (await limited.get("/audit")).json()
    assert [each["action"] for each in response["entries"]] == ["project.changed"]
    assert response["head"] is None


async def test_the_log_is_exported_as_csv_oldest_first(client: httpx.AsyncClient) -> None:
    await client.post("/projects", json={"name": "one"})
    response = await client.get("/audit/export", params={"format": "csv"})
    assert response.headers["content-disposition"] == 'attachment; filename="audit.csv"'
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert [row["action"] for row in rows] == ["project.created", "audit.exported"]
    assert rows[0]["details"] == '{"name":"one"}'


async def test_exported_json_lines_can_be_verified_without_the_server(acme: Tenant, client: httpx.AsyncClient) -> None:
    await client.post("/projects", json={"name": "one"})
    lines = (await client.get("/audit/export", params={"format": "jsonl"})).text.splitlines()
    previous = b""
    for line in lines:
        given = json.loads(line)
        details = line[line.index('"details": ') + len('"details": ') : -1]
        entry = _entry(acme, given, details)
        assert entry_hash(previous, entry).hex() == given["hash"]
        previous = entry.hash
    assert len(lines) == 2


def _entry(tenant: Tenant, given: dict[str, Any], details: str) -> Entry:
    project = UUID(given["project_id"]) if given["project_id"] is not None else None
    parsed = {"at": datetime.fromisoformat(given["at"]), "hash": bytes.fromhex(given["hash"])}
    return Entry(**{**given, **parsed, "tenant_id": tenant.id, "project_id": project, "details": details})


@pytest.mark.parametrize("path", ["/audit", "/audit/export?format=csv"])
async def test_the_log_is_for_admins(api: Running, acme: Tenant, path: str) -> None:
    writer = await api.client(await api.key(acme, "write"))
    assert_problem(await writer.get(path), 403, "forbidden")
