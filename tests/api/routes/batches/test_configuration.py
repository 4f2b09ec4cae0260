"""Batches over HTTP: configured, filled and started."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import rows as documents
from docsieve.domain.scope import Scope
from docsieve.jobs.start_batch import StartBatchHandler
from docsieve.queue.kinds import Attempt
from docsieve.services.batches.starting import StartBatch
from docsieve.services.extractions.upload import UploadExtraction
from tests.api.extracting import TOTAL
from tests.api.routes.batches.steps import FIELDS, MAIL, attach, created, extract, filled, got, read_all, started
from tests.api.running import Running, assert_problem, upload, uploaded


async def test_a_batch_goes_from_configuration_to_its_results(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    assert (batch["status"], batch["schema"]) == ("pending_configuration", f"batch-{batch['id'][-12:]}@1")
    await filled(client, batch, "b 10.txt", "b 9.txt")
    await read_all(api)
    assert [each["name"] for each in (await got(client, batch, "/groups"))["groups"]] == ["b 9.txt", "b 10.txt"]

    assert (await started(client, batch))["status"] == "running"
    first, second = await api.claim(limit=9)
    await extract(api, first, 1.0)
    progress = (await got(client, batch))["progress"]
    assert (progress["total"], progress["completed"], progress["running"]) == (2, 1, 1)
    await extract(api, second, 2.0, confidence=0.1)

    done = await got(client, batch)
    assert (done["status"], done["progress"]["completed"], done["progress"]["needs_review"]) == ("completed", 2, 1)
    rows = (await got(client, batch, "/results"))["results"]
    assert [(row["group"], row["value"]["total"], row["needs_review"]) for row in rows] == [
        ("b 9.txt", 1.0, False),
        ("b 10.txt", 2.0, True),
    ]


async def test_a_list_of_fields_becomes_an_immutable_version_of_a_schema_that_is_not_listed(
    client: httpx.AsyncClient,
) -> None:
    batch = await created(client)
    listed = {each["name"] for each in (await client.get("/schemas")).json()["schemas"]}
    assert batch["schema"].partition("@")[0] not in listed
    schema = (await client.get(f"/schemas/{batch['schema'].partition('@')[0]}/versions/1")).json()
    assert schema["schema"] == {
        "type": "object",
        "properties": {"total": {"type": "number", "description": "what is to be paid"}},
        "required": ["total"],
    }
    response = await client.patch(f"/batches/{batch['id']}", json={"fields": [{"name": "due", "type": "date"}]})
    assert response.json()["schema"] == batch["schema"].replace("@1", "@2")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"schema": "nothing"}, "unknown_schema"),
        ({"schema": TOTAL, "fields": FIELDS}, "invalid_request"),
        ({"fields": [*FIELDS, *FIELDS]}, "invalid_request"),
        ({"fields": [{"name": "a.b"}]}, "schema_invalid"),
        ({"prompt": "nothing"}, "unknown_prompt"),
        ({"engine": "nothing"}, "unknown_engine"),
        ({"project": "nothing"}, "unknown_project"),
        ({"group_by": {"mode": "pattern", "pattern": "(?P<group>"}}, "pattern_invalid"),
        ({"group_by": {"mode": "pattern"}}, "invalid_request"),
        ({"webhook_url": "ftp://x"}, "invalid_request"),
        ({"name": ""}, "invalid_request"),
        ({"metadata": {"a": "\u0000"}}, "invalid_request"),
    ],
)
async def test_settings_that_cannot_work_are_refused_at_once(
    client: httpx.AsyncClient, settings: dict[str, Any], code: str
) -> None:
    assert_problem(await client.post("/batches", json={"name": "x", **settings}), 422, code)
    assert (await client.get("/batches")).json()["batches"] == []


async def test_a_repeated_idempotency_key_creates_one_batch(client: httpx.AsyncClient) -> None:
    again: dict[str, Any] = {"headers": {"Idempotency-Key": "k"}}
    first = await client.post("/batches", json={"name": "a", "fields": FIELDS}, **again)
    second = await client.post("/batches", json={"name": "a", "fields": FIELDS}, **again)
    assert first.json()["id"] == second.json()["id"]
    assert_problem(await client.post("/batches", json={"name": "b"}, **again), 409, "idempotency_conflict")


async def test_a_batch_can_be_changed_until_it_is_started(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client, priority=5)
    changed = await client.patch(f"/batches/{batch['id']}", json={"name": "April", "group_by": {"mode": "all"}})
    assert changed.json()["name"] == "April"
    assert (changed.json()["group_by"]["mode"], changed.json()["priority"]) == ("all", 5)
    assert changed.json()["schema"] == batch["schema"]
    assert_problem(await client.patch(f"/batches/{batch['id']}", json={"project": "x"}), 422, "invalid_request")
    await filled(client, batch, "a.txt")
    await read_all(api)
    await started(client, batch)
    assert_problem(await client.patch(f"/batches/{batch['id']}", json={"name": "May"}), 409, "batch_started")


async def test_lists_of_batches_are_filtered_and_paginated(client: httpx.AsyncClient) -> None:
    made = [(await created(client, name=name))["id"] for name in ("one", "two", "Three")]
    page = (await client.get("/batches", params={"limit": 2})).json()
    assert [each["id"] for each in page["batches"]] == made[:0:-1]
    rest = (await client.get("/batches", params={"limit": 2, "cursor": page["next_cursor"]})).json()
    assert [each["id"] for each in rest["batches"]] == made[:1]
    for wanted, count in (({"name": "THREE"}, 1), ({"status": "running"}, 0), ({"project": "default"}, 3)):
        assert len((await client.get("/batches", params=wanted)).json()["batches"]) == count, wanted


async def test_a_document_of_a_batch_is_only_read_unless_it_names_a_schema(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    await admin.patch("/projects/default", json={"schema": "invoice"})
    batch = await created(admin)
    await uploaded(admin, b"1", "a.txt", batch=batch["id"])
    await uploaded(admin, b"2", "b.txt", batch=batch["id"], schema="receipt")
    await uploaded(admin, b"3", "c.txt")
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        found = {}
        for job in await api.claim(limit=9):
            assert job.document_id is not None
            source = await documents.source(session, job.document_id)
            assert source is not None
            extraction = await UploadExtraction.look_up(session, source, job)
            document = await documents.find(session, job.document_id)
            assert document is not None
            found[document.filename] = extraction.new.spec.schema_name if extraction is not None else None
    assert found == {"a.txt": None, "b.txt": "receipt", "c.txt": "invoice"}


async def test_an_upload_into_a_batch_that_cannot_take_it_is_refused(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    await api.project(acme, "other")
    batch = await created(admin)
    other = await upload(admin, batch=batch["id"], project="other")
    assert_problem(other, 422, "invalid_request")
    assert_problem(await upload(admin, batch=str(UUID(int=1))), 422, "unknown_batch")
    assert_problem(await upload(admin, batch="nonsense"), 422, "invalid_request")
    assert await api.count("documents") == 0
    assert await api.blobs() == set()


async def test_existing_documents_are_added_once_and_can_be_taken_out_until_they_are_started(
    api: Running, acme: Tenant
) -> None:
    admin = await api.admin(acme)
    await api.project(acme, "other")
    batch = await created(admin)
    path = f"/batches/{batch['id']}/documents"
    ids = [(await uploaded(admin, name.encode(), name))["id"] for name in ("a", "b")]
    assert (await admin.post(path, json={"document_ids": ids})).json() == {"added": 2, "skipped": []}
    elsewhere, nowhere = (await uploaded(admin, project="other"))["id"], str(UUID(int=1))
    again = (await admin.post(path, json={"document_ids": [*ids, elsewhere, nowhere]})).json()
    codes = {each["id"]: each["code"] for each in again["skipped"]}
    assert (again["added"], codes) == (0, {elsewhere: "invalid_request", nowhere: "not_found"})
    for _ in range(2):
        assert (await admin.delete(f"{path}/{ids[0]}")).status_code == 204
    await read_all(api)
    await started(admin, batch)
    [listed] = (await admin.get(path)).json()["documents"]
    assert (listed["id"], listed["group"], listed["extraction_id"] is not None) == (ids[1], "b", True)
    assert_problem(await admin.delete(f"{path}/{ids[1]}"), 409, "batch_started")


async def test_attachments_join_the_batch_of_their_mail_and_a_start_waits_for_them(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client)
    mail = await uploaded(client, MAIL, "mail.eml", batch=batch["id"])
    assert (await got(client, batch, "/groups"))["waiting_for"] == 1
    waiting = await started(client, batch)
    assert (waiting["status"], waiting["starting"], waiting["progress"]["total"]) == ("running", True, 0)
    assert_problem(await client.post(f"/batches/{batch['id']}/start"), 409, "batch_starting")
    [job] = await api.claim(limit=9)
    await attach(api, job, "attached.txt")
    await api.complete(job, "page one")

    [attached, starting] = await api.claim(limit=9)
    assert starting.job_type == "start_batch"
    await StartBatchHandler(api.resources)(StartBatch.model_validate_json(starting.args), Attempt(starting))

    assert (await got(client, batch))["progress"]["total"] == 2
    listed = (await got(client, batch, "/documents"))["documents"]
    assert {each["filename"]: each["parent_id"] for each in listed} == {"mail.eml": None, "attached.txt": mail["id"]}
    assert attached.document_id is not None


async def test_a_batch_that_splits_waits_for_its_packets_before_it_starts(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client, split="auto")
    await uploaded(client, b"Hello.", "pile.txt", batch=batch["id"])
    await uploaded(client, b"Hello, you.", "letter.txt", batch=batch["id"], split="none")
    assert (await got(client, batch, "/groups"))["waiting_for"] == 1
    assert (await started(client, batch))["starting"] is True


async def test_a_start_before_its_time_is_postponed_and_can_be_cancelled(
    api: Running, client: httpx.AsyncClient
) -> None:
    later = datetime.now(UTC) + timedelta(days=300)
    batch = await created(client, run_at=later.isoformat())
    await filled(client, batch, "a.txt")
    await read_all(api)
    begun = await started(client, batch)
    assert (begun["starting"], begun["deferred_by"]) == (True, "run_at")
    assert datetime.fromisoformat(begun["starts_at"]) == later
    async with api.resources.database.system() as connection:
        row = await connection.fetchrow("select status, run_at from jobs where job_type = 'start_batch'")
    assert tuple(row or ()) == ("scheduled", later)
    cancelled = (await client.post(f"/batches/{batch['id']}/cancel")).json()
    assert (cancelled["status"], cancelled["starting"], cancelled["error"]) == ("cancelled", False, None)


async def test_a_start_that_fails_leaves_a_batch_that_can_be_changed_and_started_again(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client)
    await uploaded(client, MAIL, "mail.eml", batch=batch["id"])
    await started(client, batch)
    await read_all(api)
    [job] = await api.claim(limit=9)
    await api.fail(job)
    failed = await got(client, batch)
    assert (failed["status"], failed["error"]["code"]) == ("pending_configuration", "corrupt_document")
    assert (await started(client, batch))["progress"]["total"] == 1


async def test_a_batch_without_new_documents_cannot_be_started(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    assert_problem(await client.post(f"/batches/{batch['id']}/start"), 409, "nothing_to_start")
    await filled(client, batch, "a.txt")
    await read_all(api)
    await started(client, batch)
    assert_problem(await client.post(f"/batches/{batch['id']}/start"), 409, "nothing_to_start")
    assert await api.count("extractions") == 1


async def test_a_batch_can_choose_the_schema_by_class_whatever_its_project_uses(client: httpx.AsyncClient) -> None:
    batch = await created(client, fields=None, schema="auto")
    assert batch["schema"] == "auto"
    assert_problem(await client.post("/batches", json={"name": "n", "schema": "none"}), 422, "unknown_schema")
