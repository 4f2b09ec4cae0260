"""The timeline of a document, and how deep the queues are."""

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.db.queue import jobs as queue_sql
from tests.api.extracting import TOTAL, begun, complete, result
from tests.api.running import WORKER, Running, assert_problem, uploaded


async def test_the_timeline_is_newest_first_with_worker_error_and_stages(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client)
    url = f"/documents/{document['id']}/attempts"
    assert (await client.get(url)).json() == {"attempts": [], "next_cursor": None}
    (job,) = await api.claim()
    await api.fail(job, retry_in=0)
    (job,) = await api.claim()
    async with api.resources.database.system() as connection:
        shown = (job, '{"stage": "reading", "page": 1, "pages": 2}', '[["starting", 1], ["reading", 5]]')
        await queue_sql.record_progress(connection, [shown], worker_id=WORKER)
    running, retried = (await client.get(url)).json()["attempts"]
    assert (running["outcome"], running["attempt"], running["ended_at"], running["error"]) == ("running", 2, None, None)
    assert running["stages"] == [{"stage": "starting", "duration_ms": 1}, {"stage": "reading", "duration_ms": 5}]
    assert (retried["outcome"], retried["attempt"], retried["worker_id"]) == ("retried", 1, WORKER)
    assert retried["error"] == {"code": "corrupt_document", "message": "It cannot be opened."}
    assert (retried["job_id"], retried["job_type"]) == (document["processing_job_id"], "process_document")
    shown_in_list = (await client.get("/documents")).json()["documents"][0]
    assert shown_in_list["progress"] == {"stage": "reading", "page": 1, "pages": 2, "seconds_left": None}
    await api.complete(job, "one")
    completed, _ = (await client.get(url)).json()["attempts"]
    assert (completed["outcome"], completed["duration_ms"] >= 0) == ("completed", True)
    assert (await client.get(f"/documents/{document['id']}")).json()["progress"] is None


async def test_extractions_over_the_document_are_part_of_its_timeline(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    await api.complete(job, "one")
    started = await begun(client, document["id"], schema=TOTAL)
    await complete(api, started["id"], result({"total": 5.0}, document["id"]))
    attempts = (await client.get(f"/documents/{document['id']}/attempts")).json()["attempts"]
    assert [(each["job_type"], each["outcome"]) for each in attempts] == [
        ("extract_fields", "completed"),
        ("process_document", "completed"),
    ]
    other = await uploaded(client, b"other")
    assert (await client.get(f"/documents/{other['id']}/attempts")).json() == {"attempts": [], "next_cursor": None}


async def test_queues_tell_depth_and_age_of_what_the_caller_may_see(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await api.project(acme, "side")
    assert (await client.get("/queues")).json()["queues"] == []
    for number in range(4):
        await uploaded(client, str(number).encode())
    await uploaded(client, b"elsewhere", project="side")
    failed, delayed, _running = await api.claim(limit=3)
    await api.fail(failed)
    await api.fail(delayed, retry_in=60)
    answer = (await client.get("/queues")).json()
    [queue] = answer["queues"]
    assert queue.pop("oldest_pending_seconds") >= 0
    assert queue == {"name": "default", "pending": 2, "scheduled": 1, "processing": 1, "failed": 1}
    assert answer["counted_at"] is not None
    for project, counts in (("default", (1, 1, 1, 1)), ("side", (1, 0, 0, 0))):
        [queue] = (await client.get("/queues", params={"project": project})).json()["queues"]
        assert tuple(queue[name] for name in ("pending", "scheduled", "processing", "failed")) == counts
    limited = await api.admin(acme, project_id=await api.project(acme, "empty"))
    for params in ({}, {"project": "side"}, {"project": "nowhere"}):
        assert (await limited.get("/queues", params=params)).json()["queues"] == []


async def test_jobs_name_the_file_of_their_document_and_are_chosen_by_id(
    api: Running, client: httpx.AsyncClient
) -> None:
    jobs = [(await uploaded(client, str(n).encode(), f"{n}.txt"))["processing_job_id"] for n in range(3)]
    listed = (await client.get("/jobs")).json()["jobs"]
    assert [each["filename"] for each in listed] == ["2.txt", "1.txt", "0.txt"]
    assert (await client.post("/jobs/cancel", json={"ids": jobs[:2], "status": "failed"})).json() == {"count": 0}
    assert (await client.post("/jobs/cancel", json={"ids": jobs[:2]})).json() == {"count": 2}
    assert (await client.get(f"/jobs/{jobs[2]}")).json()["status"] == "pending"
    (job,) = await api.claim()
    await api.fail(job)
    assert (await client.post("/jobs/retry", json={"ids": jobs})).json() == {"count": 1}
    assert (await client.post("/jobs/cancel", json={"ids": []})).json() == {"count": 0}
    assert_problem(await client.post("/jobs/cancel", json={"ids": [jobs[0]] * 1001}), 422, "invalid_request")


async def test_a_job_that_extracts_names_the_file_of_its_first_document(
    api: Running, client: httpx.AsyncClient
) -> None:
    ids = [(await uploaded(client, name.encode(), name))["id"] for name in ("first.txt", "second.txt")]
    for job in await api.claim(limit=2):
        await api.complete(job, "one")
    for order, filename in ((ids, "first.txt"), (ids[::-1], "second.txt")):
        await begun(client, *order, schema=TOTAL)
        newest = (await client.get("/jobs")).json()["jobs"][0]
        assert (newest["job_type"], newest["filename"]) == ("extract_fields", filename)
        assert (await client.get(f"/jobs/{newest['id']}")).json()["filename"] == filename
    await client.delete(f"/documents/{ids[1]}")
    assert (await client.get("/jobs")).json()["jobs"][0]["filename"] == "first.txt"
