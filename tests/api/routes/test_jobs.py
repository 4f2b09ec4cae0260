"""Jobs as their owners see them: counted, cancelled, retried, one or many."""

from typing import Any

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.db.queue import jobs as queue_sql
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.scope import Scope
from tests.api.running import WORKER, Running, assert_problem, uploaded


class Later(JobArgs):
    job_type = "later"
    queue = "elsewhere"


async def _in_every_state(api: Running, client: httpx.AsyncClient) -> dict[str, str]:
    """A job in each state, by state."""
    jobs: dict[str, str] = {}
    for state in ("completed", "failed", "cancelled", "processing", "pending"):
        jobs[state] = (await uploaded(client, state.encode()))["processing_job_id"]
        if state == "cancelled":
            assert (await client.post(f"/jobs/{jobs[state]}/cancel")).status_code == 200
        elif state != "pending":
            (job,) = await api.claim()
            if state == "completed":
                await api.complete(job, "one")
            elif state == "failed":
                await api.fail(job)
    return jobs


async def _state(client: httpx.AsyncClient, job_id: str) -> str:
    status: str = (await client.get(f"/jobs/{job_id}")).json()["status"]
    return status


def _counts(page: dict[str, Any]) -> dict[str, int]:
    return {name.removesuffix("_count"): count for name, count in page.items() if name.endswith("_count")}


async def test_the_list_counts_jobs_in_every_state(api: Running, client: httpx.AsyncClient) -> None:
    jobs = await _in_every_state(api, client)
    page = (await client.get("/jobs")).json()
    assert {job["id"]: job["status"] for job in page["jobs"]} == {job_id: state for state, job_id in jobs.items()}
    assert (page["total"], _counts(page)) == (5, dict.fromkeys(jobs, 1))
    for state, job_id in jobs.items():
        filtered = (await client.get("/jobs", params={"status": state})).json()
        assert ([job["id"] for job in filtered["jobs"]], filtered["total"]) == ([job_id], 1)
        assert _counts(filtered) == dict.fromkeys(jobs, 1)


async def test_filters_narrow_the_list_and_the_counts_alike(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client, b"one")
    await uploaded(client, b"two")
    for params, expected in (
        ({"document_id": document["id"]}, 1),
        ({"document_id": str(new_id())}, 0),
        ({"job_type": "process_document"}, 2),
        ({"job_type": "other"}, 0),
        ({"queue": "default"}, 2),
        ({"queue": "default", "document_id": document["id"], "status": "pending"}, 1),
        ({"queue": "archive"}, 0),
    ):
        page = (await client.get("/jobs", params=params)).json()
        assert (len(page["jobs"]), page["total"], page["pending_count"]) == (expected,) * 3, params
    for query in ("status=scheduled", "document_id=x", "limit=0", "cursor=x", "job_type=%00"):
        assert_problem(await client.get(f"/jobs?{query}"), 422, "invalid_request")


async def test_the_pages_of_the_list_hold_every_job_once_newest_first(client: httpx.AsyncClient) -> None:
    ids = [(await uploaded(client, str(n).encode()))["processing_job_id"] for n in range(5)]
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = (await client.get("/jobs", params={"limit": 2, **cursor})).json()
        assert page["total"] == 5
        seen += [job["id"] for job in page["jobs"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == sorted(ids, reverse=True)


async def test_a_delayed_job_is_shown_as_pending_with_its_time(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        (job_id,) = await enqueue(session, [NewJob(Later(), delay_seconds=3600)])
    page = (await client.get("/jobs", params={"status": "pending"})).json()
    (job,) = page["jobs"]
    assert (job["id"], job["status"], job["queue"], job["job_type"]) == (str(job_id), "pending", "elsewhere", "later")
    assert job["run_at"] > job["created_at"]
    assert (page["total"], page["pending_count"]) == (1, 1)
    assert (await client.post(f"/jobs/{job_id}/cancel")).json()["status"] == "cancelled"


async def test_a_running_job_names_its_worker_and_its_attempts(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    for attempt in (1, 2):
        (claimed,) = await api.claim()
        job = (await client.get(f"/jobs/{document['processing_job_id']}")).json()
        assert (job["worker_id"], job["attempts"], job["retry_count"]) == (WORKER, attempt, attempt - 1)
        assert job["max_attempts"] == 3
        await api.fail(claimed, retry_in=0)
    job = (await client.get(f"/jobs/{document['processing_job_id']}")).json()
    assert (job["status"], job["error_code"], job["error_message"]) == (
        "pending",
        "corrupt_document",
        "It cannot be opened.",
    )


async def test_cancelling_ends_job_and_document_at_once_and_only_once(api: Running, client: httpx.AsyncClient) -> None:
    for claimed in (False, True):
        document = await uploaded(client, str(claimed).encode())
        held = await api.claim() if claimed else []
        cancel = f"/jobs/{document['processing_job_id']}/cancel"
        answer = (await client.post(cancel)).json()
        assert (answer["status"], answer["error_code"], answer["worker_id"]) == ("cancelled", "cancelled", None)
        shown = (await client.get(f"/documents/{document['id']}")).json()
        assert (shown["status"], shown["error"]["code"]) == ("cancelled", "cancelled")
        assert_problem(await client.post(cancel), 409, "job_not_cancellable")
        async with api.resources.database.system() as connection:
            assert await queue_sql.complete(connection, held, worker_id=WORKER) == set()
        assert await api.claim() == []


async def test_only_failed_jobs_can_be_retried_and_only_unfinished_ones_cancelled(
    api: Running, client: httpx.AsyncClient
) -> None:
    for state, job_id in (await _in_every_state(api, client)).items():
        if state != "failed":
            assert_problem(await client.post(f"/jobs/{job_id}/retry"), 409, "job_not_retryable")
        if state in ("completed", "failed", "cancelled"):
            assert_problem(await client.post(f"/jobs/{job_id}/cancel"), 409, "job_not_cancellable")
        assert await _state(client, job_id) == state


async def test_a_retried_job_is_pending_with_a_fresh_allowance(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    for retry_in in (0, 0, None):
        (job,) = await api.claim()
        await api.fail(job, retry_in=retry_in)
    assert (await client.get(f"/documents/{document['id']}")).json()["status"] == "failed"
    answer = (await client.post(f"/jobs/{document['processing_job_id']}/retry")).json()
    assert (answer["status"], answer["attempts"], answer["max_attempts"]) == ("pending", 3, 6)
    assert (answer["error_code"], answer["error_message"], answer["completed_at"]) == (None, None, None)
    shown = (await client.get(f"/documents/{document['id']}")).json()
    assert (shown["status"], shown["error"]) == ("pending", None)
    (again,) = await api.claim()
    assert (again.attempt, again.last_attempt) == (4, False)


async def test_a_failed_job_that_its_document_has_left_behind_stays_failed(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client)
    (job,) = await api.claim()
    await api.fail(job)
    await client.post(f"/documents/{document['id']}/reprocess")
    assert_problem(await client.post(f"/jobs/{job.id}/retry"), 409, "job_not_retryable")
    assert (await client.post("/jobs/retry", json={"status": "failed"})).json() == {"count": 0}


async def test_many_jobs_are_cancelled_by_filter(api: Running, client: httpx.AsyncClient) -> None:
    jobs = await _in_every_state(api, client)
    second = await uploaded(client, b"second")
    chosen = {"document_id": second["id"]}
    assert (await client.post("/jobs/cancel", json=chosen)).json() == {"count": 1}
    assert (await client.post("/jobs/cancel", json={"status": "failed"})).json() == {"count": 0}
    assert (await client.post("/jobs/cancel", json={"status": "pending"})).json() == {"count": 1}
    assert await _state(client, jobs["processing"]) == "processing"
    assert (await client.post("/jobs/cancel", json={"queue": "default"})).json() == {"count": 1}
    assert await _state(client, jobs["completed"]) == "completed"
    assert _counts((await client.get("/jobs")).json())["cancelled"] == 4


async def test_many_jobs_are_retried_by_filter(api: Running, client: httpx.AsyncClient) -> None:
    for n in range(3):
        await uploaded(client, str(n).encode())
    for job in await api.claim(limit=3):
        await api.fail(job)
    assert (await client.post("/jobs/retry", json={"job_type": "other"})).json() == {"count": 0}
    assert (await client.post("/jobs/retry", json={"job_type": "process_document"})).json() == {"count": 3}
    assert _counts((await client.get("/jobs")).json())["pending"] == 3


async def test_a_change_of_all_jobs_must_not_happen_by_leaving_the_filter_empty(client: httpx.AsyncClient) -> None:
    job_id = (await uploaded(client))["processing_job_id"]
    for empty in ({}, {"status": None}, {"status": None, "job_type": None, "queue": None, "document_id": None}):
        for action in ("cancel", "retry"):
            assert_problem(await client.post(f"/jobs/{action}", json=empty), 422, "invalid_request")
    for wrong in ({"color": "blue"}, {"status": "done"}, {"job_type": "a\x00"}, {"document_id": "x"}):
        assert_problem(await client.post("/jobs/cancel", json=wrong), 422, "invalid_request")
    assert await _state(client, job_id) == "pending"


async def test_jobs_are_listed_counted_and_changed_by_project(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await api.project(acme, "side")
    here, there = await uploaded(client, b"here"), await uploaded(client, b"there", project="side")
    for project, document in (("default", here), ("side", there)):
        page = (await client.get("/jobs", params={"project": project})).json()
        assert ([job["document_id"] for job in page["jobs"]], page["total"]) == ([document["id"]], 1)
    nowhere = (await client.get("/jobs", params={"project": "nowhere"})).json()
    assert (nowhere["jobs"], nowhere["total"]) == ([], 0)
    for project, count in (("nowhere", 0), ("side", 1), ("side", 0)):
        assert (await client.post("/jobs/cancel", json={"project": project})).json() == {"count": count}
    assert await _state(client, here["processing_job_id"]) == "pending"
    (job,) = await api.claim()
    await api.fail(job)
    for project, count in (("side", 0), ("default", 1)):
        selection = {"status": "failed", "project": project}
        assert (await client.post("/jobs/retry", json=selection)).json() == {"count": count}
    assert_problem(await client.get("/jobs", params={"project": "No Name"}), 422, "invalid_request")


async def test_the_type_of_a_job_and_its_limit_have_one_name_each(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    job_id = document["processing_job_id"]
    [listed] = (await client.get("/jobs", params={"job_type": "process_document"})).json()["jobs"]
    assert (listed["id"], listed["job_type"], listed["max_attempts"]) == (job_id, "process_document", 3)
    assert (await client.get("/jobs", params={"job_type": "other"})).json()["jobs"] == []
    assert_problem(await client.get("/jobs", params={"kind": "process_document"}), 422, "invalid_request")
    status = (await client.get(f"/documents/{document['id']}/status")).json()
    assert status["job"]["max_attempts"] == 3
    async with api.resources.database.system() as connection:
        row = await connection.fetchrow("select job_type, max_attempts from jobs where document_id is not null")
    assert row is not None and tuple(row) == ("process_document", 3)
    assert (await client.post("/jobs/cancel", json={"job_type": "process_document"})).json() == {"count": 1}
    assert not {"kind", "max_retries"} & _names(api.app.openapi())


def _names(openapi: dict[str, Any]) -> set[str]:
    """All parameters, and all fields of shapes about jobs."""
    shapes = openapi["components"]["schemas"]
    about_jobs = [shape for name, shape in shapes.items() if name.startswith(("Job", "Attempt", "Status"))]
    fields = {name for shape in about_jobs for name in shape.get("properties", {})}
    operations = [each for path in openapi["paths"].values() for each in path.values()]
    return fields | {each["name"] for operation in operations for each in operation.get("parameters", [])}
