"""Batches over HTTP once they run: watched, cancelled, retried and deleted."""

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.queue import jobs as queue_sql
from tests.api.routes.batches.steps import created, cut, extract, filled, got, read_all, started
from tests.api.running import WORKER, Running, assert_problem, upload


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


async def test_parts_of_a_packet_that_is_cut_later_wait_for_a_start_and_then_replace_its_row(
    api: Running, client: httpx.AsyncClient, acme: Tenant
) -> None:
    batch = await created(client, split="auto")
    packet, _ = await filled(client, batch, "packet.pdf", "other.txt")
    await read_all(api)
    await started(client, batch)
    for job in await api.claim(limit=9):
        await extract(api, job)
    await cut(api, acme.id, packet, (1, 2), (3, 3))
    await read_all(api)

    waiting = await got(client, batch)
    assert (waiting["status"], waiting["progress"]["total"], waiting["progress"]["documents_new"]) == (
        "completed",
        2,
        2,
    )
    progress = (await started(client, batch))["progress"]
    assert (progress["total"], progress["completed"], progress["documents_new"]) == (3, 1, 0)
    for job in await api.claim(limit=9):
        await extract(api, job)
    ended = await got(client, batch)
    assert (ended["status"], ended["progress"]["completed"]) == ("completed", 3)
    rows = (await got(client, batch, "/results"))["results"]
    assert [row["group"] for row in rows] == ["other.txt", "packet.pdf/pages 1-2", "packet.pdf/pages 3-3"]


async def test_a_packet_under_legal_hold_keeps_its_row_next_to_those_of_its_parts(
    api: Running, client: httpx.AsyncClient, acme: Tenant
) -> None:
    batch = await created(client)
    [packet] = await filled(client, batch, "packet.pdf")
    await read_all(api)
    await started(client, batch)
    [job] = await api.claim(limit=9)
    await extract(api, job)
    await cut(api, acme.id, packet, (1, 2), (3, 3))
    await read_all(api)
    admin = await api.client(await api.key(acme, "admin"))
    held = await admin.post("/holds", json={"document_id": packet, "reason": "case 1"})
    assert held.status_code == 201, held.text

    assert (await started(client, batch))["progress"]["total"] == 3


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


async def test_results_show_the_confidence_of_each_field_on_request_until_a_person_corrects_it(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client)
    [document_id] = await filled(client, batch, "a.txt")
    await read_all(api)
    await started(client, batch)
    [job] = await api.claim(limit=9)
    await extract(api, job, confidence=0.1)
    [row] = (await got(client, batch, "/results"))["results"]
    assert row["fields"] is None
    [row] = (await got(client, batch, "/results?fields=true"))["results"]
    assert row["fields"] == [{"path": "total", "confidence": 0.1, "needs_review": True, "document_id": document_id}]
    fix = {"fields": [{"path": "total", "value": 6}]}
    await client.patch(f"/extractions/{row['extraction_id']}/fields", json=fix)
    [row] = (await got(client, batch, "/results?fields=true"))["results"]
    assert row["fields"] == [{"path": "total", "confidence": None, "needs_review": False, "document_id": document_id}]


async def test_results_say_which_document_could_not_be_read_and_why(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client, group_by={"mode": "all"})
    await filled(client, batch, "a.txt", "b.txt")
    await read_all(api, failing=1)
    await started(client, batch)
    [row] = (await got(client, batch, "/results"))["results"]
    unread = {"code": "corrupt_document", "message": "It cannot be opened."}
    assert sorted([each["error"] for each in row["documents"]], key=bool) == [None, unread]


async def test_results_are_filtered_by_whether_they_need_review(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    await filled(client, batch, "a.txt", "b.txt")
    await read_all(api)
    await started(client, batch)
    for job, confidence in zip(await api.claim(limit=9), (0.1, 0.99), strict=True):
        await extract(api, job, confidence=confidence)
    for wanted in (True, False):
        rows = (await got(client, batch, f"/results?needs_review={wanted}"))["results"]
        assert [each["needs_review"] for each in rows] == [wanted]


async def test_the_list_of_batches_estimates_the_time_left(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    await filled(client, batch, "a.txt", "b.txt")
    await read_all(api)
    await started(client, batch)
    job, _ = await api.claim(limit=9)
    await extract(api, job)
    [listed] = (await client.get("/batches")).json()["batches"]
    assert listed["progress"]["estimated_seconds_left"] >= 0


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
    assert_problem(await client.get(f"/schemas/{batch['schema'].partition('@')[0]}"), 404, "not_found")


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
