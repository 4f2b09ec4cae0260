"""The requirements' scenarios, each against real processes: the API, workers, PostgreSQL, the blob store."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.faults.checker import check
from tests.service import Service


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    service = start_service(DOCSIEVE_LEASE_SECONDS="2", DOCSIEVE_SHUTDOWN_SECONDS="5")
    service.api()
    return service


def rows(service: Service, query: str, *arguments: object) -> list[Any]:
    async def fetch() -> list[Any]:
        connection = await asyncpg.connect(service.environment["DOCSIEVE_DATABASE_URL"])
        try:
            return await connection.fetch(query, *arguments)
        finally:
            await connection.close()

    return asyncio.run(fetch())


def test_uploading_a_document_creates_the_blob_the_document_and_a_pending_job_and_answers_at_once(
    service: Service,
) -> None:
    # no worker runs: the answer cannot depend on one
    answer = service.upload(b"An invoice over 42 euros.", "invoice.txt", metadata='{"case": 7}')
    assert answer.status_code == 200
    body = answer.json()
    assert body["status"] == "pending" and body["metadata"] == {"case": 7} and body["project"] == "default"
    [document] = rows(service, "select * from documents")
    [job] = rows(service, "select * from jobs where document_id is not null")
    assert (str(document["id"]), document["status"]) == (body["id"], "pending")
    assert (str(job["id"]), job["status"], job["attempts"]) == (body["processing_job_id"], "pending", 0)
    blobs = [path for path in Path(service.folder, "data", "blobs", "documents").rglob("*") if path.is_file()]
    assert [path.read_bytes() for path in blobs] == [b"An invoice over 42 euros."]


def test_a_worker_picks_the_job_up_under_a_lock_and_sets_started_at(service: Service) -> None:
    document_id = service.upload(b"%POISON slow 5000").json()["id"]
    worker = service.worker()
    job = service.wait_until(lambda: _processing(service, document_id), what="the job runs")
    assert job["started_at"] is not None and job["attempts"] == 1
    assert f":{worker.pid}:" in job["worker_id"]
    assert service.client.post(f"/jobs/{job['id']}/cancel").status_code == 200


def _processing(service: Service, document_id: str) -> dict[str, Any] | None:
    [job] = service.client.get("/jobs", params={"document_id": document_id}).json()["jobs"]
    return job if job["status"] == "processing" else None


def test_a_success_writes_pages_document_and_job_in_one_transaction(service: Service) -> None:
    document_id = service.upload(b"First line\nSecond line").json()["id"]
    service.worker()
    assert service.settled(document_id)["status"] == "ready"
    written = rows(
        service,
        """
        select documents.xmin = jobs.xmin as together, jobs.status, documents.status as document_status,
               jobs.completed_at, documents.page_count, documents.read_by_attempt = jobs.attempts as same_attempt
        from documents join jobs on jobs.id = documents.job_id
        """,
    )
    assert [(row["together"], row["same_attempt"]) for row in written] == [(True, True)]
    assert written[0]["completed_at"] is not None and written[0]["page_count"] == 1
    text = service.client.get(f"/documents/{document_id}/text").json()
    assert text["text"] == "First line\nSecond line"
    [line, _] = service.client.get(f"/documents/{document_id}/pages/1").json()["lines"]
    assert line["text"] == "First line" and len(line["words"]) == 2


def test_an_upstream_error_counts_the_attempt_keeps_the_error_goes_back_to_pending_and_fails_at_the_limit(
    service: Service,
) -> None:
    document_id = service.upload(b"%POISON error").json()["id"]
    patient = service.worker(DOCSIEVE_RETRY_BASE_SECONDS="36000")
    waiting = service.wait_until(lambda: _waiting_after_error(service, document_id), what="pending with its error")
    assert waiting["job"]["attempts"] >= 1 and waiting["error"]["code"] == "parser_crashed"
    patient.terminate()
    patient.wait()
    rows(service, "update jobs set run_at = now() where document_id is not null")
    service.worker()
    state = service.settled(document_id)
    assert (state["status"], state["job"]["attempts"], state["job"]["status"]) == ("failed", 3, "failed")
    job = service.client.get(f"/jobs/{state['job']['id']}").json()
    assert (job["retry_count"], job["max_attempts"]) == (2, 3) and job["error_message"]


def _waiting_after_error(service: Service, document_id: str) -> dict[str, Any] | None:
    state = service.status(document_id)
    return state if state["status"] == "pending" and state["error"] else None


def test_an_error_that_passes_is_retried_until_it_succeeds(service: Service) -> None:
    passes = Path(service.folder, "passes")
    document_id = service.upload(f"%POISON flaky {passes}".encode()).json()["id"]
    rows(service, "update jobs set max_attempts = 12 where document_id is not null")
    service.worker(DOCSIEVE_RETRY_BASE_SECONDS="0.5")
    service.wait_until(lambda: service.status(document_id)["error"], what="failed once")
    passes.touch()
    state = service.settled(document_id)
    assert (state["status"], state["error"]) == ("ready", None) and state["job"]["attempts"] >= 2
    check(service, [document_id])


def test_a_job_stuck_in_processing_is_rescued_and_another_worker_finishes_it(service: Service) -> None:
    go_on = service.folder / "go-on"
    document_id = service.upload(f"%POISON until {go_on}".encode()).json()["id"]
    crashed = service.worker(DOCSIEVE_LEASE_SECONDS="6")
    service.wait_until(lambda: _processing(service, document_id), what="the job runs")
    crashed.kill()
    crashed.wait()
    go_on.touch()
    service.worker(DOCSIEVE_LEASE_SECONDS="30")
    state = service.settled(document_id)
    assert (state["status"], state["job"]["attempts"]) == ("ready", 2)
    assert service.client.get(f"/jobs/{state['job']['id']}").json()["rescues"] == 1
    check(service, [document_id])


def test_two_workers_share_the_documents_and_never_a_job(service: Service) -> None:
    accepted = [service.upload(f"document {number}".encode()).json()["id"] for number in range(24)]
    for _ in range(2):
        service.worker("default=2", DOCSIEVE_LEASE_SECONDS="30")
    for document_id in accepted:
        assert service.settled(document_id)["status"] == "ready"
    # an attempt's line is written after its commit, so the last may still be on its way
    service.wait_until(lambda: _attempts(service) >= 24, what="a line for each attempt")
    assert _attempts(service) == 24
    check(service, accepted)


def _attempts(service: Service) -> int:
    return sum("job_attempt" in line and "process_document" in line for line in service.logs().splitlines())


def test_a_document_is_reprocessed_ahead_of_new_ones(service: Service) -> None:
    document_id = service.upload(b"read me again").json()["id"]
    first = service.worker()
    service.settled(document_id)
    first.terminate()
    first.wait()
    waiting = service.upload(b"a new one").json()
    answer = service.client.post(f"/documents/{document_id}/reprocess", json={"engine": "local"}).json()
    assert document_id in answer["message"]
    job = service.client.get(f"/jobs/{answer['job_id']}").json()
    assert job["priority"] > 0 and service.status(document_id)["queue_position"] == 1
    assert service.status(waiting["id"])["queue_position"] == 2
    assert service.client.post(f"/documents/{document_id}/reprocess").json()["code"] == "document_busy"
    service.worker()
    assert service.settled(document_id)["status"] == "ready"
    assert service.status(document_id)["job"]["id"] == answer["job_id"]
    assert service.settled(waiting["id"])["status"] == "ready"
    check(service, [document_id, waiting["id"]])


def test_jobs_are_listed_with_counts_and_cancelled_and_retried(service: Service) -> None:
    for number in range(3):
        service.upload(f"pending {number}".encode())
    doomed = service.upload(b"%POISON error").json()
    listing = service.client.get("/jobs").json()
    assert (listing["total"], listing["pending_count"], listing["failed_count"]) == (4, 4, 0)
    first = listing["jobs"][-1]["id"]
    assert service.client.post(f"/jobs/{first}/cancel").json()["status"] == "cancelled"
    assert service.client.post(f"/jobs/{first}/cancel").json()["code"] == "job_not_cancellable"
    service.worker()
    service.settled(doomed["id"])
    listing = service.wait_until(lambda: _counted(service), what="two completed, one failed, one cancelled")
    assert service.client.get("/jobs", params={"status": "failed"}).json()["total"] == 1
    assert service.client.post("/jobs/retry", json={"status": "failed"}).json() == {"count": 1}
    assert service.settled(doomed["id"])["status"] == "failed"


def _counted(service: Service) -> dict[str, Any] | None:
    listing: dict[str, Any] = service.client.get("/jobs", params={"job_type": "process_document"}).json()
    counts = listing["completed_count"], listing["failed_count"], listing["cancelled_count"]
    return listing if counts == (2, 1, 1) else None
