"""Batches over HTTP: configured, filled, grouped, started, watched, cancelled, retried and deleted."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.db import documents, extractions, intake
from docsieve.db.access.tenants import Tenant
from docsieve.db.intake import NewDocument
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.extraction import ExtractionOutcome
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.scope import Scope
from docsieve.jobs.discard_batches import DiscardBatches, DiscardBatchesHandler
from docsieve.jobs.start_batch import StartBatchHandler
from docsieve.queue.kinds import Attempt
from docsieve.services.batches.starting import StartBatch
from docsieve.services.documents import processing_job
from docsieve.services.extractions import results
from docsieve.services.extractions.upload import UploadExtraction
from tests.api.extracting import TOTAL, result
from tests.api.running import WORKER, Running, assert_problem, upload, uploaded

FIELDS = [{"name": "total", "type": "number", "description": "what is to be paid", "required": True}]
MAIL = b"From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\nMIME-Version: 1.0\r\n\r\nHello.\r\n"


@pytest.fixture
async def client(api: Running, acme: Tenant) -> httpx.AsyncClient:
    return await api.client(await api.key(acme, "write"))


async def created(client: httpx.AsyncClient, **settings: Any) -> dict[str, Any]:
    response = await client.post("/batches", json={"name": "March", "fields": FIELDS, **settings})
    assert response.status_code == 201, response.text
    batch: dict[str, Any] = response.json()
    return batch


async def filled(client: httpx.AsyncClient, batch: dict[str, Any], *names: str) -> list[str]:
    return [(await uploaded(client, name.encode(), name, batch=batch["id"]))["id"] for name in names]


async def read_all(api: Running, *, failing: int = 0) -> None:
    """End the reading of all documents as a worker does; the first ones fail."""
    for place, job in enumerate(await api.claim(limit=1000)):
        assert job.document_id is not None
        if place < failing:
            await api.fail(job)
        else:
            await api.complete(job, "page one")


async def extract(api: Running, job: ClaimedJob, value: float = 5.0, *, confidence: float = 0.9) -> None:
    async with api.resources.database.tenant(Scope(job.tenant_id)) as session:
        assert await queue_sql.complete(session.connection, [job], worker_id=WORKER) == {job.id}
        extraction = await extractions.find(session, UUID(job.args.split('"')[3]))
        assert extraction is not None
        outcome = ExtractionOutcome(
            result({"total": value}, str(extraction.documents[0]), confidence=confidence), engine_version="1"
        )
        await results.record(session, extraction, outcome, job_id=job.id, attempt=job.attempt)


async def attach(api: Running, job: ClaimedJob, name: str) -> None:
    """Add a document that is attached to the one that the job reads."""
    assert job.document_id is not None
    child = NewDocument(new_id(), name, "text/plain", 1, "0" * 64, parent_path=name)
    async with api.resources.database.tenant(Scope(job.tenant_id)) as session:
        await intake.add_children(session, job.document_id, [child], [processing_job(child.id, max_attempts=3)])


async def started(client: httpx.AsyncClient, batch: dict[str, Any]) -> dict[str, Any]:
    response = await client.post(f"/batches/{batch['id']}/start")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def got(client: httpx.AsyncClient, batch: dict[str, Any], what: str = "") -> dict[str, Any]:
    response = await client.get(f"/batches/{batch['id']}{what}")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


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


async def test_a_list_of_fields_becomes_an_immutable_version_of_a_schema(client: httpx.AsyncClient) -> None:
    batch = await created(client)
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
    batch = await created(client, run_at="2999-01-01T00:00:00Z")
    await filled(client, batch, "a.txt")
    await read_all(api)
    assert (await started(client, batch))["starting"] is True
    async with api.resources.database.system() as connection:
        row = await connection.fetchrow("select status, run_at::date::text from jobs where job_type = 'start_batch'")
    assert tuple(row or ()) == ("scheduled", "2999-01-01")
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


async def test_a_batch_started_again_runs_only_documents_that_were_added_since(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client)
    await filled(client, batch, "a.txt")
    await read_all(api)
    await started(client, batch)
    [job] = await api.claim(limit=9)
    await extract(api, job)
    assert (await got(client, batch))["status"] == "completed"
    await filled(client, batch, "a.txt")
    await read_all(api)
    assert [each["name"] for each in (await got(client, batch, "/groups"))["groups"]] == ["a.txt (2)"]
    again = await started(client, batch)
    assert (again["status"], again["completed_at"], again["progress"]["total"]) == ("running", None, 2)
    [job] = await api.claim(limit=9)
    await extract(api, job)
    assert (await got(client, batch))["status"] == "completed"


async def test_jobs_of_documents_that_are_being_read_run_when_the_reading_ends(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client, group_by={"mode": "pattern", "pattern": "^(?P<group>.)"})
    await filled(client, batch, "a1.txt", "a2.txt", "b1.txt")
    progress = (await started(client, batch))["progress"]
    assert (progress["total"], progress["documents"], progress["documents_waiting"]) == (2, 3, 3)
    reading = await api.claim(limit=9)
    assert [job.job_type for job in reading] == ["process_document"] * 3
    await api.complete(reading[2], "page one")
    [ready] = await api.claim(limit=9)
    assert ready.job_type == "extract_fields"
    await extract(api, ready)
    await api.complete(reading[1], "page one")
    await api.complete(reading[0], "page one")
    [other] = await api.claim(limit=9)
    assert other.job_type == "extract_fields"


async def test_results_have_corrected_values_and_the_documents_in_order(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client, group_by={"mode": "all"})
    await filled(client, batch, "2.txt", "10.txt")
    await read_all(api)
    await started(client, batch)
    [job] = await api.claim(limit=9)
    await extract(api, job, confidence=0.1)
    [row] = (await got(client, batch, "/results"))["results"]
    assert [each["filename"] for each in row["documents"]] == ["2.txt", "10.txt"]
    fix = {"fields": [{"path": "total", "value": 6}]}
    await client.patch(f"/extractions/{row['extraction_id']}/fields", json=fix)
    [row] = (await got(client, batch, "/results"))["results"]
    assert (row["value"], row["needs_review"]) == ({"total": 6}, False)
    assert (await got(client, batch))["progress"]["needs_review"] == 0
    listed = (await client.get("/extractions", params={"batch_id": batch["id"]})).json()["extractions"]
    assert [(each["id"], each["group"]) for each in listed] == [(row["extraction_id"], "all")]


async def test_results_are_paginated_in_the_order_of_the_groups(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    await filled(client, batch, "c", "b", "a")
    await read_all(api)
    await started(client, batch)
    page = (await client.get(f"/batches/{batch['id']}/results", params={"limit": 2})).json()
    assert [each["group"] for each in page["results"]] == ["a", "b"]
    more = {"limit": 2, "cursor": page["next_cursor"]}
    rest = (await client.get(f"/batches/{batch['id']}/results", params=more)).json()
    assert ([each["group"] for each in rest["results"]], rest["next_cursor"]) == (["c"], None)
    groups = (await client.get(f"/batches/{batch['id']}/results", params={"status": "completed"})).json()
    assert groups["results"] == []


async def test_groups_are_previewed_page_by_page(client: httpx.AsyncClient) -> None:
    batch = await created(client)
    await filled(client, batch, "c", "b", "a")
    page = (await client.get(f"/batches/{batch['id']}/groups", params={"limit": 2})).json()
    assert ([each["name"] for each in page["groups"]], page["total"]) == (["a", "b"], 3)
    more = {"limit": 2, "cursor": page["next_cursor"]}
    rest = (await client.get(f"/batches/{batch['id']}/groups", params=more)).json()
    assert ([each["name"] for each in rest["groups"]], rest["next_cursor"]) == (["c"], None)


async def test_cancelling_is_final_at_once_and_keeps_results(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    assert_problem(await client.post(f"/batches/{batch['id']}/cancel"), 409, "batch_not_running")
    await filled(client, batch, "a", "b", "c")
    await read_all(api)
    await started(client, batch)
    done, running = await api.claim(limit=2)
    await extract(api, done)
    cancelled = (await client.post(f"/batches/{batch['id']}/cancel")).json()
    counted = {name: cancelled["progress"][name] for name in ("completed", "cancelled", "pending", "running")}
    assert counted == {"completed": 1, "cancelled": 2, "pending": 0, "running": 0}
    assert cancelled["status"] == "cancelled"
    async with api.resources.database.system() as connection:
        assert await queue_sql.complete(connection, [running], worker_id=WORKER) == set()
        assert await connection.fetchval("select open_shards from batches") == 0
    for what in ("start", "retry"):
        assert_problem(await client.post(f"/batches/{batch['id']}/{what}"), 409, "batch_cancelled")
    assert_problem(await client.post(f"/batches/{batch['id']}/cancel"), 409, "batch_not_running")
    assert_problem(await upload(client, batch=batch["id"]), 409, "batch_cancelled")


async def test_failed_extractions_are_retried_and_the_batch_is_completed_again(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client)
    await filled(client, batch, "a", "b")
    await read_all(api)
    await started(client, batch)
    first, second = await api.claim(limit=2)
    await extract(api, first)
    assert_problem(await client.post(f"/batches/{batch['id']}/retry"), 409, "nothing_to_retry")
    await api.fail(second)
    done = await got(client, batch)
    assert (done["status"], done["progress"]["failed"]) == ("completed", 1)
    [row] = (await got(client, batch, "/results?status=failed"))["results"]
    assert row["error"]["code"] == "corrupt_document"
    assert (await client.post(f"/batches/{batch['id']}/retry")).json() == {"count": 1}
    again = await got(client, batch)
    assert (again["status"], again["completed_at"], again["progress"]["pending"]) == ("running", None, 1)
    [job] = await api.claim(limit=9)
    await extract(api, job)
    done = await got(client, batch)
    assert (done["status"], done["progress"]["failed"], done["progress"]["completed"]) == ("completed", 0, 2)


async def test_a_job_retried_by_itself_reopens_its_batch(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    await filled(client, batch, "a")
    await read_all(api)
    await started(client, batch)
    [job] = await api.claim()
    await api.fail(job)
    assert (await got(client, batch))["status"] == "completed"
    await client.post(f"/jobs/{job.id}/retry")
    assert (await got(client, batch))["status"] == "running"


async def test_deleting_documents_takes_their_groups_out_of_the_counts(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    first, second = await filled(client, batch, "a", "b")
    await read_all(api)
    await started(client, batch)
    [job] = await api.claim()
    await extract(api, job)
    await client.delete(f"/documents/{second}")
    left = await got(client, batch)
    assert (left["status"], left["progress"]["total"], left["progress"]["completed"]) == ("completed", 1, 1)
    await client.delete(f"/documents/{first}")
    left = await got(client, batch)
    assert (left["status"], left["progress"]["total"], left["progress"]["documents"]) == ("completed", 0, 0)


@pytest.mark.parametrize("with_documents", [False, True])
async def test_deleting_a_batch_stops_its_work_and_keeps_documents_unless_requested(
    api: Running, client: httpx.AsyncClient, with_documents: bool
) -> None:
    batch = await created(client)
    await filled(client, batch, "a", "b")
    await read_all(api)
    await started(client, batch)
    [running] = await api.claim()
    response = await client.delete(f"/batches/{batch['id']}", params={"documents": with_documents})
    assert response.status_code == 204
    assert_problem(await client.get(f"/batches/{batch['id']}"), 404, "not_found")
    async with api.resources.database.system() as connection:
        assert await queue_sql.complete(connection, [running], worker_id=WORKER) == set()
    assert await api.count("extractions") == 0
    assert await api.count("documents") == (0 if with_documents else 2)
    assert (await api.blobs() == set()) is with_documents
    assert (await client.get("/schemas")).json()["schemas"][0]["name"] != batch["schema"].partition("@")[0]


async def test_a_batch_that_is_not_to_be_kept_is_deleted_a_day_after_its_end(
    api: Running, client: httpx.AsyncClient
) -> None:
    kept, dropped = await created(client), await created(client, persist_data=False)
    await filled(client, kept, "a")
    await filled(client, dropped, "b")
    await read_all(api)
    for batch in (kept, dropped):
        await started(client, batch)
    for job in await api.claim(limit=9):
        await extract(api, job)
        attempt = Attempt(job)
    handler = DiscardBatchesHandler(api.resources)
    await handler(DiscardBatches(), attempt)
    assert await api.count("batches") == 2
    async with api.resources.database.system() as connection:
        await connection.execute("update batches set completed_at = completed_at - interval '25 hours'")
    await handler(DiscardBatches(), attempt)
    assert_problem(await client.get(f"/batches/{dropped['id']}"), 404, "not_found")
    assert (await got(client, kept))["progress"]["completed"] == 1
    assert await api.count("documents") == 1


async def test_the_time_left_follows_the_measured_pace(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    await filled(client, batch, "a", "b", "c")
    await read_all(api)
    assert (await started(client, batch))["progress"]["estimated_seconds_left"] is None
    [job] = await api.claim()
    await extract(api, job)
    async with api.resources.database.system() as connection:
        await connection.execute("update batches set started_at = clock_timestamp() - interval '100 s'")
    assert (await got(client, batch))["progress"]["estimated_seconds_left"] == pytest.approx(200, abs=20)
