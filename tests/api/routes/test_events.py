"""Events over HTTP: what each change announces, who hears it, and where a stream starts."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.events import outbox
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.documents import DocumentStatus
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobFailure
from docsieve.domain.scope import Scope
from docsieve.services.events import live
from tests.api.extracting import TOTAL, begun, complete, completed, result
from tests.api.routes.batches import steps
from tests.api.running import Running, assert_problem, uploaded
from tests.event_frames import START, frames_of, happened, types


async def _read(api: Running, client: httpx.AsyncClient, content: bytes = b"Hello.", **given: str) -> dict[str, Any]:
    document = await uploaded(client, content, **given)
    (job,) = await api.claim()
    await api.complete(job, "one")
    return document


async def test_a_document_that_was_read_is_announced_once_with_its_ids_only(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await _read(api, client, b"Hello.")
    [event] = await happened(client)
    assert event.event == "document.ready"
    assert event.data is not None
    created_at = event.data.pop("created_at")
    assert created_at.endswith("Z")
    assert event.data == {
        "id": event.id,
        "type": "document.ready",
        "tenant": "acme",
        "project": "default",
        "data": {
            "document_id": document["id"],
            "status": "ready",
            "links": {"document": f"/api/v1/documents/{document['id']}"},
        },
    }


async def test_only_the_last_failure_of_a_document_is_announced(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    await api.fail(job, retry_in=0)
    assert await types(client) == []
    async with api.resources.database.system() as connection:
        await queue_sql.promote(connection)
    (job,) = await api.claim()
    await api.fail(job)
    [event] = await happened(client)
    assert event.event == "document.failed"
    assert event.data is not None
    assert event.data["data"]["error_code"] == "corrupt_document"
    assert event.data["data"]["document_id"] == document["id"]


async def test_a_change_that_is_rolled_back_announces_nothing(api: Running, client: httpx.AsyncClient) -> None:
    await uploaded(client)
    (job,) = await api.claim()
    with pytest.raises(ZeroDivisionError):
        async with api.resources.database.tenant(Scope(job.tenant_id)) as session:
            await queue_sql.complete(session.connection, [job], worker_id="worker-of-the-test")
            raise ZeroDivisionError
    assert await types(client) == []


async def test_an_extraction_is_announced_with_what_it_became_and_whether_it_needs_review(
    api: Running, client: httpx.AsyncClient
) -> None:
    sure = await completed(api, client, {"number": "A1"}, confidence=0.9)
    assert await types(client) == ["document.ready", "extraction.completed"]
    doubtful = await completed(api, client, {"number": "A1"}, confidence=0.1)
    events = (await happened(client))[3:]
    assert [each.event for each in events] == ["extraction.completed", "extraction.needs_review"]
    for each in events:
        assert each.data is not None
        assert each.data["data"]["extraction_id"] == doubtful["id"] != sure["id"]
        assert each.data["data"]["needs_review"] is True
        assert each.data["data"]["document_id"] == doubtful["documents"][0]


async def test_an_extraction_whose_job_failed_is_announced(api: Running, client: httpx.AsyncClient) -> None:
    document = await _read(api, client)
    extraction = await begun(client, document["id"], schema=TOTAL)
    (job,) = await api.claim()
    async with api.resources.database.system() as connection:
        assert await queue_sql.fail(connection, job, JobFailure("engine_failed", "No."), details=None, retry_in=None)
    event = (await happened(client))[-1]
    assert event.data is not None
    assert (event.event, event.data["data"]["error_code"]) == ("extraction.failed", "engine_failed")
    assert event.data["data"]["extraction_id"] == extraction["id"]


async def test_values_that_are_corrected_together_are_announced_once(api: Running, client: httpx.AsyncClient) -> None:
    extraction = await completed(api, client, confidence=0.1)
    before = (await happened(client))[-1].id
    assert before is not None
    fixes = {"fields": [{"path": "number", "value": "B2"}, {"path": "count", "value": 3}]}
    assert (await client.patch(f"/extractions/{extraction['id']}/fields", json=fixes)).status_code == 200
    [event] = await happened(client, after=before)
    assert event.data is not None
    assert (event.event, event.data["data"]["extraction_id"]) == ("extraction.corrected", extraction["id"])


async def test_an_extraction_that_needs_review_again_is_announced_again(
    api: Running, client: httpx.AsyncClient
) -> None:
    extraction = await completed(api, client, {"number": "A1"}, confidence=0.1)
    before = (await happened(client))[-1].id
    assert before is not None
    fixes = {"fields": [{"path": "number", "value": "B2"}]}
    assert (await client.patch(f"/extractions/{extraction['id']}/fields", json=fixes)).status_code == 200
    undone = await client.post(f"/extractions/{extraction['id']}/fields/undo", json={"paths": ["number"]})
    assert undone.json()["needs_review"] is True
    assert await types(client, after=before) == [
        "extraction.corrected",
        "extraction.corrected",
        "extraction.needs_review",
    ]


async def test_a_batch_is_announced_after_its_extractions(api: Running, client: httpx.AsyncClient) -> None:
    batch = await steps.created(client)
    await steps.filled(client, batch, "a.txt", "b.txt")
    await steps.read_all(api)
    await steps.started(client, batch)
    for job in await api.claim(limit=2):
        await steps.extract(api, job)
    assert await types(client, batch=batch["id"]) == [
        "document.ready",
        "document.ready",
        "extraction.completed",
        "extraction.completed",
        "batch.completed",
    ]


async def test_a_report_is_announced_as_a_report_too(api: Running, acme: Tenant, client: httpx.AsyncClient) -> None:
    sent = await client.post("/tenants/acme/projects/default/reports", files={"file": ("a.txt", b"Patient: A")})
    report = sent.json()
    jobs = {job.job_type: job for job in await api.claim(limit=2)}
    await api.complete(jobs["process_document"], "Patient: A")
    [document] = (await client.get("/documents")).json()["documents"]
    async with api.resources.database.system() as connection:
        await queue_sql.hand_back(connection, [jobs["extract_fields"]], worker_id="worker-of-the-test")
    await complete(api, report["report_id"], result({"total": 5.0}, document["id"]))
    events = await happened(client)
    assert [each.event for each in events] == ["document.ready", "extraction.completed", "report.completed"]
    assert events[-1].data is not None
    assert events[-1].data["data"]["report_id"] == report["report_id"]


async def test_an_unpacked_archive_is_announced(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    async with api.resources.database.system() as connection:
        await connection.execute(
            "update documents set status = $2 where id = $1", UUID(document["id"]), DocumentStatus.unpacked
        )
    assert await types(client) == ["archive.unpacked"]


async def test_filters_leave_out_other_projects_documents_batches_and_types(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await api.project(acme, "side")
    here, there = await _read(api, client, b"here"), await _read(api, client, b"there", project="side")
    batch = await steps.created(client)
    assert [each.data["data"]["document_id"] for each in await happened(client, project="side") if each.data] == [
        there["id"]
    ]
    assert len(await happened(client, document=here["id"])) == 1
    assert await happened(client, batch=batch["id"]) == []
    assert len(await happened(client, types=["document.failed", "document.ready"])) == 2
    assert await happened(client, types="document.failed") == []


async def test_an_extraction_of_several_documents_is_heard_by_filters_for_each(
    api: Running, client: httpx.AsyncClient
) -> None:
    first, second = await _read(api, client, b"first"), await _read(api, client, b"second")
    extraction = await begun(client, first["id"], second["id"], schema=TOTAL)
    await complete(api, extraction["id"], result({"total": 5.0}, first["id"]))
    for document in (first, second):
        assert await types(client, document=document["id"]) == ["document.ready", "extraction.completed"]


async def test_a_document_in_two_batches_is_heard_by_filters_for_both(api: Running, client: httpx.AsyncClient) -> None:
    batches = [await steps.created(client, name=name) for name in ("one", "two")]
    document = await uploaded(client)
    for batch in batches:
        added = await client.post(f"/batches/{batch['id']}/documents", json={"document_ids": [document["id"]]})
        assert added.json()["added"] == 1
    (job,) = await api.claim()
    await api.complete(job, "one")
    for batch in batches:
        assert await types(client, batch=batch["id"]) == ["document.ready"]


async def test_a_stream_resumes_after_the_event_in_the_header_or_the_query(
    api: Running, client: httpx.AsyncClient
) -> None:
    for content in (b"1", b"2", b"3"):
        await _read(api, client, content)
    ids = [each.id for each in await happened(client)]
    assert len(set(ids)) == 3
    assert [each.id for each in await happened(client, after=str(ids[0]))] == ids[1:]
    asked = {"follow": "false", "last_event_id": START}
    by_header = await client.get("/events", params=asked, headers={"Last-Event-ID": str(ids[1])})
    assert [each.id for each in frames_of(by_header.text) if each.event] == ids[2:]


async def test_a_stream_without_a_start_begins_now_and_says_after_which_event(
    api: Running, client: httpx.AsyncClient
) -> None:
    empty = frames_of((await client.get("/events?follow=false")).text)
    assert [(each.id, each.event) for each in empty] == [(START, None)]
    await _read(api, client)
    [event] = await happened(client)
    later = frames_of((await client.get("/events?follow=false")).text)
    assert [(each.id, each.event) for each in later] == [(event.id, None)]


async def test_a_client_whose_last_event_was_pruned_is_told_to_reload(api: Running, client: httpx.AsyncClient) -> None:
    await _read(api, client)
    [gone] = await happened(client)
    await _read(api, client, b"later")
    async with api.resources.database.system() as connection:
        await connection.execute("delete from events where id = $1", UUID(str(gone.id)))
    assert await types(client, after=str(gone.id)) == ["reset"]


async def test_a_stream_about_something_that_does_not_exist_is_refused(client: httpx.AsyncClient) -> None:
    for what in ("document", "batch"):
        assert_problem(await client.get("/events", params={what: str(new_id())}), 404, "not_found")
    assert_problem(await client.get("/events?project=nowhere"), 422, "unknown_project")
    assert_problem(await client.get("/events?types=document.eaten"), 422, "invalid_request")
    assert_problem(await client.get("/events", headers={"Last-Event-ID": "yesterday"}), 422, "invalid_request")


async def test_one_stream_too_many_of_a_tenant_is_refused(
    api: Running, acme: Tenant, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MAX_STREAMS_PER_TENANT", 1)
    assert (await client.get("/events?follow=false")).status_code == 200
    assert (await client.get("/events?follow=false")).status_code == 200
    monkeypatch.setattr(live, "MAX_STREAMS_PER_TENANT", 0)
    refused = await client.get("/events?follow=false")
    assert_problem(refused, 429, "too_many_streams")
    assert refused.headers["retry-after"] == "10"


@pytest.mark.usefixtures("walls")
async def test_no_event_of_another_tenant_is_heard_or_resumed_from(api: Running) -> None:
    ours, theirs = await api.tenant("ours"), await api.tenant("theirs")
    mine, others = await api.admin(ours), await api.admin(theirs)
    document = await _read(api, others)
    [foreign] = await happened(others)
    assert await happened(mine) == []
    assert await types(mine, after=str(foreign.id)) == ["reset"]
    assert_problem(await mine.get("/events", params={"document": document["id"]}), 404, "not_found")
    await _read(api, mine)
    assert len(await happened(mine)) == 1


async def test_a_key_limited_to_a_project_hears_only_that_project(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    side = await api.project(acme, "side")
    limited = await api.admin(acme, project_id=side)
    await _read(api, client, b"elsewhere")
    [elsewhere] = await happened(client)
    assert await happened(limited) == []
    assert await types(limited, after=str(elsewhere.id)) == ["reset"]
    opened = frames_of((await limited.get("/events?follow=false")).text)
    assert [each.id for each in opened] == [START]
    assert_problem(await limited.get("/events?project=default"), 422, "unknown_project")
    document = await _read(api, limited, b"here")
    assert len(await happened(limited, document=document["id"])) == 1


@pytest.mark.usefixtures("walls")
async def test_no_query_about_events_reaches_into_another_tenant_or_project(api: Running, acme: Tenant) -> None:
    await _read(api, await api.admin(acme))
    async with api.resources.database.system() as connection:
        horizon = await outbox.horizon(connection)
    for outside in (Scope((await api.tenant("other")).id), Scope(acme.id, await api.project(acme, "side"))):
        async with api.resources.database.tenant(outside) as session:
            assert await outbox.newest(session, up_to=horizon) is None
            assert await outbox.read_page(session, after=outbox.BEGINNING, up_to=horizon, limit=9) == []
