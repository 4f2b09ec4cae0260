"""kill -9 at every named step of upload and processing: nothing that was answered is lost, nothing is done twice."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from docsieve.archives.unpack import SLICE_FILES
from docsieve.faults import STEPS
from tests.faults.checker import check, descendants
from tests.faults.test_batch_steps import STEPS as BATCH_STEPS
from tests.faults.test_exports import STEPS as EXPORT_STEPS
from tests.faults.test_killed_backups import BACKUP_STEPS, RESTORE_STEPS
from tests.faults.test_killed_deletions import STEPS as DELETION_STEPS
from tests.faults.test_killed_downloads import STEPS as DOWNLOAD_STEPS
from tests.faults.test_killed_splits import SPLIT_STEPS
from tests.faults.test_killed_webhooks import WEBHOOK_STEPS
from tests.faults.test_maintenance import STEPS as MAINTENANCE_STEPS
from tests.faults.test_paid_answers import STEPS as PAID_STEPS
from tests.jobs.unpack_archive.conftest import zipped
from tests.queue.test_clock import STEPS as SCHEDULE_STEPS
from tests.service import Service
from tests.signals import named, wait_for_end

UPLOAD_STEPS = [step for step in STEPS if step.startswith("upload.")]
JOB_STEPS = [step for step in STEPS if step.startswith("job.")]
UNPACK_STEPS = [step for step in STEPS if step.startswith("unpack.")]


def test_every_step_is_killed_at_by_one_of_the_tests() -> None:
    own = {*UPLOAD_STEPS, *JOB_STEPS, *UNPACK_STEPS}
    others = {*DOWNLOAD_STEPS, *PAID_STEPS, *SPLIT_STEPS, *BATCH_STEPS, *EXPORT_STEPS, *WEBHOOK_STEPS}
    assert own | others | {*MAINTENANCE_STEPS, *SCHEDULE_STEPS, *DELETION_STEPS, *BACKUP_STEPS, *RESTORE_STEPS} == set(
        STEPS
    )


def test_the_api_killed_at_any_step_of_an_upload_loses_nothing_and_a_retry_makes_one_document(
    service: Service,
) -> None:
    accepted = set()
    for step in UPLOAD_STEPS:
        process = service.api(DOCSIEVE_FAULT=step)
        with pytest.raises(httpx.TransportError):
            service.upload(f"sent at {step}".encode(), key=step)
        assert process.wait(10) == -9, step
    service.api()
    for step in UPLOAD_STEPS:
        # the reply was lost; twenty clients try again at once with the same key
        with ThreadPoolExecutor(20) as pool:
            retries = [pool.submit(service.upload, f"sent at {step}".encode(), key=step) for _ in range(20)]
        answers = [retry.result() for retry in retries]
        assert {answer.status_code for answer in answers} == {200}, step
        assert len({answer.json()["id"] for answer in answers}) == 1, step
        accepted.add(answers[0].json()["id"])
    service.worker()
    for document_id in accepted:
        assert service.settled(document_id)["status"] == "ready"
    documents = check(service, accepted)
    assert len(documents) == len(UPLOAD_STEPS)


def test_a_worker_killed_at_any_step_of_a_job_is_replaced_and_the_result_is_there_once(service: Service) -> None:
    service.api()
    accepted = []
    for step in JOB_STEPS:
        document_id = service.upload(f"read until {step}".encode()).json()["id"]
        accepted.append(document_id)
        doomed = service.worker("default=1", DOCSIEVE_FAULT=step)
        children = descendants(doomed.pid)
        assert doomed.wait(30) == -9, step
        wait_for_end(children)
        survivor = service.worker()
        state = service.settled(document_id)
        assert (state["status"], step) == ("ready", step)
        survivor.terminate()
        assert survivor.wait(30) == 0
    check(service, accepted)


def test_a_job_that_kills_every_worker_is_quarantined_and_does_not_take_others_with_it(service: Service) -> None:
    service.api()
    document_id = service.upload(b"deadly").json()["id"]
    for _ in range(3):
        assert service.worker("default=1", DOCSIEVE_FAULT="job.claimed").wait(30) == -9
    service.worker()
    healthy = service.upload(b"healthy").json()["id"]
    assert service.settled(healthy)["status"] == "ready"
    state = service.settled(document_id)
    assert (state["status"], state["error"]["code"]) == ("failed", "quarantined")
    check(service, [document_id, healthy])


def test_a_worker_killed_at_any_step_of_unpacking_is_replaced_and_every_entry_is_there_once(service: Service) -> None:
    """In the first slice and in a later one: what was committed is neither lost nor unpacked again."""
    service.api()
    for step in (*UNPACK_STEPS, "unpack.slice_stored:2", "unpack.slice_written:2"):
        files = _letters(SLICE_FILES + 20, f"at {step}")
        archive_id = service.upload(zipped(*files), "letters.zip").raise_for_status().json()["id"]
        doomed = service.worker("archive=1", DOCSIEVE_FAULT=step)
        children = descendants(doomed.pid)
        assert doomed.wait(60) == -9, step
        wait_for_end(children)
        before = _newest_child(service, archive_id)
        survivor = service.worker("archive=1")
        assert (service.settled(archive_id)["status"], step) == ("unpacked", step)
        survivor.terminate()
        assert survivor.wait(30) == 0
        document = service.client.get(f"/documents/{archive_id}").json()
        assert (document["entries"]["total"], document["entries"]["created"]) == (len(files), len(files)), step
        found = service.client.get("/documents", params={"parent_id": archive_id, "limit": 1}).json()
        assert (found["total"], step) == (len(files), step)
        if step in ("unpack.slice_committed", "unpack.slice_written:2"):
            assert before is not None, step
        if before is not None:
            assert service.client.get(f"/documents/{before}").status_code == 200, step
        service.client.delete(f"/documents/{archive_id}").raise_for_status()
    check(service, [])


def _letters(count: int, text: str) -> list[tuple[str, bytes]]:
    return [(f"{number}.txt", f"Letter {number} {text}.".encode()) for number in range(count)]


def _newest_child(service: Service, archive_id: str) -> str | None:
    found = service.client.get("/documents", params={"parent_id": archive_id, "limit": 1}).json()["documents"]
    return found[0]["id"] if found else None


def test_cancelling_an_archive_between_two_slices_stops_it_and_leaves_nothing_to_read(service: Service) -> None:
    service.api()
    files = _letters(4 * SLICE_FILES, "of many")
    archive_id = service.upload(zipped(*files), "letters.zip").raise_for_status().json()["id"]
    worker = service.worker("archive=1")
    service.signals.until(named("unpack.slice_committed", pid=worker.pid))

    service.client.post("/documents/cancel", json={"ids": [archive_id]}).raise_for_status()

    assert service.settled(archive_id)["status"] == "cancelled"
    worker.terminate()
    assert worker.wait(30) == 0
    counts = {
        status: service.client.get("/documents", params={"parent_id": archive_id, "limit": 1, "status": status}).json()[
            "total"
        ]
        for status in ("pending", "cancelled")
    }
    assert counts["pending"] == 0
    assert SLICE_FILES <= counts["cancelled"] < len(files)
    check(service, [archive_id])


def test_cancelling_an_archive_stops_it_and_cancels_what_was_not_read(service: Service) -> None:
    service.api()
    files = _letters(30, "of few")
    archive_id = service.upload(zipped(*files), "letters.zip").raise_for_status().json()["id"]
    worker = service.worker("archive=1")
    assert service.settled(archive_id)["status"] == "unpacked"
    worker.terminate()
    assert worker.wait(30) == 0

    answer = service.client.post("/documents/cancel", json={"ids": [archive_id]}).raise_for_status().json()

    assert (answer["count"], answer["skipped"]) == (1, [])
    listed = service.client.get("/documents", params={"parent_id": archive_id, "limit": 50}).json()
    assert {child["status"] for child in listed["documents"]} == {"cancelled"}
    service.client.post(f"/documents/{archive_id}/reprocess").raise_for_status()
    job_id = service.client.get(f"/documents/{archive_id}").json()["processing_job_id"]
    service.client.post(f"/jobs/{job_id}/cancel").raise_for_status()
    assert service.status(archive_id)["status"] == "cancelled"
    check(service, [archive_id])
