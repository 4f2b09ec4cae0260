"""Which operations of the OpenAPI document are in the audit log: all that change something or take data away."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from tests.api.estate import estate_of, thing_for
from tests.api.operations import OPERATIONS, filled
from tests.api.routes.documents.test_splits import read_packet
from tests.api.running import Running, uploaded

_WORK = "asks for work; the document, extraction, batch or job that it adds or changes says when"
_STOPS = "stops or repeats work; jobs say what became of it"
_PREPARES = "changes a batch that has not been started, and deletes nothing"

UNRECORDED = {
    "POST /documents": _WORK,
    "POST /documents/upload": _WORK,
    "POST /documents/{document_id}/reprocess": _WORK,
    "POST /documents/reprocess": _WORK,
    "POST /tenants/{tenant}/projects/{project}/reports": _WORK,
    "POST /extractions": _WORK,
    "POST /samples": _WORK,
    "POST /uploads": _WORK,
    "PUT /uploads/{upload_id}/parts/{number}": _WORK,
    "POST /uploads/{upload_id}/complete": _WORK,
    "DELETE /uploads/{upload_id}": "deletes what never became a document",
    "POST /batches/{batch_id}/start": _WORK,
    "POST /documents/cancel": _STOPS,
    "POST /extractions/{extraction_id}/cancel": _STOPS,
    "POST /batches/{batch_id}/retry": _STOPS,
    "POST /batches/{batch_id}/cancel": _STOPS,
    "POST /jobs/{job_id}/cancel": _STOPS,
    "POST /jobs/{job_id}/retry": _STOPS,
    "POST /jobs/cancel": _STOPS,
    "POST /jobs/retry": _STOPS,
    "POST /batches": _PREPARES,
    "PATCH /batches/{batch_id}": _PREPARES,
    "POST /batches/{batch_id}/documents": _PREPARES,
    "DELETE /batches/{batch_id}/documents/{document_id}": _PREPARES,
    "POST /schemas/check": "changes nothing",
    "POST /webhooks/endpoints/{endpoint_id}/test": "sends ids that the receiver could not use; the delivery is logged",
}
"""Operations that leave no entry, and why. All others that change something, and those below, must leave one."""

TAKES_DATA_AWAY = {
    "GET /documents/{document_id}/file",
    "GET /documents/{document_id}/download_url",
    "GET /extractions/export",
    "GET /extractions/dataset",
    "GET /batches/{batch_id}/export",
    "GET /audit/export",
}

_PREFIX = "/api/v1"
_CHANGING = [name.replace(_PREFIX, "", 1) for name in OPERATIONS if not name.startswith("GET ")]
RECORDED = [name for name in [*sorted(TAKES_DATA_AWAY), *_CHANGING] if name not in UNRECORDED]

Call = tuple[str, dict[str, Any]]
"""What the path names, and what is sent."""


async def _document(api: Running, admin: httpx.AsyncClient) -> Call:
    return (await uploaded(admin, b"to be deleted"))["id"], {}


async def _documents(api: Running, admin: httpx.AsyncClient) -> Call:
    return "", {"json": {"ids": [(await uploaded(admin, b"to be deleted too"))["id"]]}}


async def _held(api: Running, admin: httpx.AsyncClient) -> Call:
    return "", {"json": {"document_id": (await uploaded(admin, b"to be held"))["id"], "reason": "a case"}}


async def _batch(api: Running, admin: httpx.AsyncClient) -> Call:
    made = await admin.post("/batches", json={"name": "to be deleted", "schema": "default-schema"})
    return made.json()["id"], {}


async def _project(api: Running, admin: httpx.AsyncClient) -> Call:
    await admin.post("/projects", json={"name": "empty"})
    return "empty", {}


async def _packet(api: Running, admin: httpx.AsyncClient) -> Call:
    return await read_packet(api, admin), {"json": {"cuts": [{"action": "add", "after_page": 1}]}}


async def _versioned(api: Running, admin: httpx.AsyncClient) -> Call:
    """A schema and a prompt of this name, whose current version is the second."""
    for title in ("One", "Two"):
        schema = {"type": "object", "title": title, "properties": {"total": {"type": "number"}}}
        await admin.post("/schemas", json={"name": "versioned", "schema": schema})
        await admin.post("/prompts", json={"name": "versioned", "template": title})
    return "versioned", {"json": {"version": 1}}


async def _named(api: Running, admin: httpx.AsyncClient) -> Call:
    return (await _versioned(api, admin))[0], {}


async def _sign_in(api: Running, admin: httpx.AsyncClient) -> Call:
    made = await admin.post("/keys", json={"name": "of a person", "scopes": ["read"]})
    return "", {"json": {"key": made.json()["key"]}}


async def _signed_in(api: Running, admin: httpx.AsyncClient) -> Call:
    session = await (await api.client()).post("/session", **(await _sign_in(api, admin))[1])
    cookies = "; ".join(f"{name}={value}" for name, value in session.cookies.items())
    return "", {"headers": {"X-CSRF-Token": session.json()["csrf_token"], "Cookie": cookies}}


# Operations that need something else than what the tenant has, because it is in use or must not be gone.
_PREPARED: dict[str, Callable[[Running, httpx.AsyncClient], Awaitable[Call]]] = {
    "DELETE /documents/{document_id}": _document,
    "POST /documents/delete": _documents,
    "PATCH /documents/{document_id}/splits": _packet,
    "POST /holds": _held,
    "DELETE /batches/{batch_id}": _batch,
    "DELETE /projects/{name}": _project,
    "PUT /schemas/{name}/current": _versioned,
    "PUT /prompts/{name}/current": _versioned,
    "DELETE /schemas/{name}": _named,
    "DELETE /prompts/{name}": _named,
    "POST /session": _sign_in,
    "DELETE /session": _signed_in,
}


def test_the_list_of_unrecorded_operations_names_only_operations_that_change_something() -> None:
    assert {*UNRECORDED} <= {*_CHANGING}


async def _leave_entries(api: Running, names: list[str]) -> dict[str, tuple[int, int]]:
    """For each operation, its status and the number of entries that it adds to all logs."""
    estate = await estate_of(api, "default")
    await api.tenant("acme")
    left = {}
    for name in names:
        full = name.replace(" ", f" {_PREFIX}", 1)
        operation = OPERATIONS[full]
        thing, send = thing_for(full, {**estate.things, "tenant": "acme"}), operation.send
        if name in _PREPARED:
            thing, send = await _PREPARED[name](api, estate.admin)
        client = await api.client() if operation.needs == "no key" else estate.admin
        before = await api.count("audit_log")
        method, path = name.split(" ", 1)
        answer = await client.request(method, filled(path, thing), **send)
        left[name] = (answer.status_code, await api.count("audit_log") - before)
    return left


async def test_what_changes_something_or_takes_data_away_leaves_an_entry(api: Running) -> None:
    for name, (status, entries) in (await _leave_entries(api, RECORDED)).items():
        assert status < 300, name
        assert entries >= 1, name


async def test_what_is_listed_as_unrecorded_leaves_no_entry(api: Running) -> None:
    for name, (status, entries) in (await _leave_entries(api, [*UNRECORDED])).items():
        assert status < 500, name
        assert entries == 0, name
