"""kill -9 at every named step of upload and processing: nothing that was answered is lost, nothing is done twice."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest

from docsieve.faults import STEPS
from tests.faults.checker import all_gone, check, descendants
from tests.faults.test_exports import STEPS as EXPORT_STEPS
from tests.faults.test_paid_answers import STEPS as PAID_STEPS
from tests.service import Service, wait_until

UPLOAD_STEPS = [step for step in STEPS if step.startswith("upload.")]
JOB_STEPS = [step for step in STEPS if step.startswith("job.")]


def test_every_step_is_killed_at_by_one_of_the_tests() -> None:
    assert {*UPLOAD_STEPS, *JOB_STEPS, *PAID_STEPS, *EXPORT_STEPS} == set(STEPS)


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
        # the reply was lost; fifty clients try again at once with the same key
        with ThreadPoolExecutor(50) as pool:
            retries = [pool.submit(service.upload, f"sent at {step}".encode(), key=step) for _ in range(50)]
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
        wait_until(partial(all_gone, children), what=f"children of {step} gone")
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
