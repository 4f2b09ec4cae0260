"""A legal hold wins over everything that deletes."""

import asyncio
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.connection.session import Database
from docsieve.domain.scope import Scope
from docsieve.errors import NotFound
from docsieve.errors.retention import LegalHold
from docsieve.services import documents
from docsieve.services.retention import holds
from docsieve.services.retention.holds import HeldObject
from tests.api.extracting import SCHEMA, begun, completed
from tests.api.running import Running, assert_problem, uploaded


async def _hold(client: httpx.AsyncClient, **held: str) -> str:
    response = await client.post("/holds", json={**held, "reason": "case 7"})
    assert response.status_code == 201, response.text
    hold_id: str = response.json()["id"]
    return hold_id


async def _batch(client: httpx.AsyncClient, document_id: str) -> str:
    batch_id: str = (await client.post("/batches", json={"name": "all", "schema": "invoice"})).json()["id"]
    await client.post(f"/batches/{batch_id}/documents", json={"document_ids": [document_id]})
    return batch_id


async def test_a_held_document_cannot_be_deleted_until_it_is_released(client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    hold = await _hold(client, document_id=document["id"])
    assert_problem(await client.delete(f"/documents/{document['id']}"), 409, "legal_hold")
    assert (await client.get(f"/documents/{document['id']}/file")).status_code == 200
    assert (await client.delete(f"/holds/{hold}")).status_code == 204
    assert (await client.delete(f"/documents/{document['id']}")).status_code == 204


async def test_a_selection_is_deleted_without_what_is_held(client: httpx.AsyncClient) -> None:
    held, free = await uploaded(client), await uploaded(client, b"other")
    await _hold(client, document_id=held["id"])
    answer = (await client.post("/documents/delete", json={"ids": [held["id"], free["id"]]})).json()
    assert answer["count"] == 1
    assert [(each["id"], each["code"]) for each in answer["skipped"]] == [(held["id"], "legal_hold")]


@pytest.mark.parametrize("by", ["batch", "project"])
async def test_a_hold_on_a_batch_or_project_covers_its_documents_and_results(
    client: httpx.AsyncClient, by: str
) -> None:
    document = await uploaded(client)
    batch_id = await _batch(client, document["id"])
    hold = await _hold(client, **({"batch_id": batch_id} if by == "batch" else {"project": "default"}))
    assert_problem(await client.delete(f"/documents/{document['id']}"), 409, "legal_hold")
    assert_problem(await client.delete(f"/batches/{batch_id}"), 409, "legal_hold")
    await client.delete(f"/holds/{hold}")
    assert (await client.delete(f"/batches/{batch_id}")).status_code == 204


async def test_a_document_is_held_with_the_one_that_it_was_found_in(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    parent, child = await uploaded(client), await uploaded(client, b"child")
    async with api.resources.database.system() as connection:
        await connection.execute(
            "update documents set parent_id = $1 where id = $2", UUID(parent["id"]), UUID(child["id"])
        )
    hold = await _hold(client, document_id=parent["id"])
    assert_problem(await client.delete(f"/documents/{child['id']}"), 409, "legal_hold")
    await client.delete(f"/holds/{hold}")
    await _hold(client, document_id=child["id"])
    assert_problem(await client.delete(f"/documents/{parent['id']}"), 409, "legal_hold")


async def test_a_document_cannot_leave_a_held_batch(client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    batch_id = await _batch(client, document["id"])
    await _hold(client, batch_id=batch_id)
    path = f"/batches/{batch_id}/documents/{document['id']}"
    assert_problem(await client.delete(path), 409, "legal_hold")
    assert_problem(await client.delete(f"/documents/{document['id']}"), 409, "legal_hold")


async def test_the_result_of_a_held_document_is_not_changed_by_deleting_another(
    api: Running, client: httpx.AsyncClient
) -> None:
    held, free = await uploaded(client), await uploaded(client, b"other")
    await begun(client, held["id"], free["id"], schema=SCHEMA)
    await _hold(client, document_id=held["id"])
    assert_problem(await client.delete(f"/documents/{free['id']}"), 409, "legal_hold")


async def test_a_held_project_cannot_be_deleted(api: Running, acme: Tenant, client: httpx.AsyncClient) -> None:
    await api.project(acme, "side")
    hold = await _hold(client, project="side")
    assert_problem(await client.delete("/projects/side"), 409, "legal_hold")
    await client.delete(f"/holds/{hold}")
    assert (await client.delete("/projects/side")).status_code == 204


@pytest.mark.parametrize(
    "statement",
    [
        "delete from documents",
        "delete from extractions",
        "delete from batches",
        "delete from tenants",
        "update documents set original_deleted_at = now()",
    ],
)
async def test_no_statement_gets_past_a_hold(api: Running, client: httpx.AsyncClient, statement: str) -> None:
    extraction = await completed(api, client)
    await _batch(client, extraction["documents"][0])
    await _hold(client, project="default")
    async with api.resources.database.system() as connection:
        with pytest.raises(Exception, match="is under legal hold") as raised:
            await connection.execute(statement)
    assert getattr(raised.value, "sqlstate", None) == "DS451"


async def test_an_extraction_is_held_with_its_document(api: Running, client: httpx.AsyncClient) -> None:
    extraction = await completed(api, client)
    await _hold(client, document_id=extraction["documents"][0])
    with pytest.raises(LegalHold):
        async with api.resources.database.tenant(Scope((await api.tenant("x")).id)) as session:
            # as the owner of the tables, whose tenant does not matter here
            await session.connection.execute("reset role")
            await session.connection.execute("delete from extractions")


async def test_an_object_is_held_once(client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    await _hold(client, document_id=document["id"])
    again = await client.post("/holds", json={"document_id": document["id"], "reason": "another"})
    assert_problem(again, 409, "already_held")


@pytest.mark.parametrize("body", [{}, {"project": "default", "batch_id": str(UUID(int=1))}])
async def test_a_hold_is_on_exactly_one_object(client: httpx.AsyncClient, body: dict[str, str]) -> None:
    assert_problem(await client.post("/holds", json={**body, "reason": "x"}), 422, "invalid_request")


async def test_a_key_of_another_project_cannot_delete_around_a_hold_it_cannot_see(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    side = await api.project(acme, "side")
    limited = await api.admin(acme, project_id=side)
    document = await uploaded(limited)
    await _hold(client, project="side")
    assert_problem(await limited.delete(f"/documents/{document['id']}"), 409, "legal_hold")
    foreign = await uploaded(client, b"other")
    answer = await limited.post("/holds", json={"document_id": foreign["id"], "reason": "x"})
    assert_problem(answer, 404, "not_found")


async def test_holds_are_listed_and_recorded(client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    hold = await _hold(client, document_id=document["id"])
    (listed,) = (await client.get("/holds")).json()["holds"]
    assert (listed["id"], listed["document_id"], listed["reason"]) == (hold, document["id"], "case 7")
    await client.delete(f"/holds/{hold}")
    entries = (await client.get("/audit", params={"object_id": document["id"]})).json()["entries"]
    assert [(each["action"], each["details"]) for each in entries] == [
        ("hold.released", {"hold": hold, "reason": "case 7"}),
        ("hold.placed", {"hold": hold, "reason": "case 7"}),
    ]


@pytest.mark.parametrize("by", ["document", "project"])
async def test_a_hold_waits_for_a_deletion_that_has_begun(
    api: Running, acme: Tenant, client: httpx.AsyncClient, by: str
) -> None:
    document = UUID((await uploaded(client))["id"])
    held = HeldObject(document_id=document) if by == "document" else HeldObject(project="default")
    database, scope = api.resources.database, Scope(acme.id)
    async with database.tenant(scope) as deleting:
        await documents.delete(deleting, [document])
        placing = asyncio.create_task(_place(database, scope, held))
        await _until_one_waits(database)
    if by == "document":
        with pytest.raises(NotFound):
            await placing
    else:
        await placing


@pytest.mark.parametrize("by", ["document", "project"])
async def test_a_deletion_waits_for_a_hold_that_is_being_placed(
    api: Running, acme: Tenant, client: httpx.AsyncClient, by: str
) -> None:
    document = UUID((await uploaded(client))["id"])
    held = HeldObject(document_id=document) if by == "document" else HeldObject(project="default")
    database, scope = api.resources.database, Scope(acme.id)

    async def delete() -> None:
        async with database.tenant(scope) as session:
            await documents.delete(session, [document])

    async with database.tenant(scope) as placing:
        await holds.place(placing, held, reason="case 7")
        deleting = asyncio.create_task(delete())
        await _until_one_waits(database)
    with pytest.raises(LegalHold):
        await deleting


async def _place(database: Database, scope: Scope, held: HeldObject) -> None:
    async with database.tenant(scope) as session:
        await holds.place(session, held, reason="case 7")


async def _until_one_waits(database: Database) -> None:
    """Until a statement waits for a lock; nothing but PostgreSQL can say so."""
    waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    async with database.system() as connection, asyncio.timeout(20):
        while not await connection.fetchval(waiting):
            await asyncio.sleep(0.01)
