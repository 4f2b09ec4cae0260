"""Providers cost money: what was answered and kept is not paid for again, and cancelling stops the spending."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.asked_model import AskedModel, asked_model, said_to
from tests.faults.checker import check
from tests.jobs.conftest import SCHEMA, ready, settled, start
from tests.provider_server import problem
from tests.service import Service, wait_until
from tests.signals import named

ANSWER = {"invoice_number": "INV-7", "invoice_date": None, "total": 12.5, "purchase_order": None}
STEPS = {
    "answer.received": 2,  # nobody knows yet that it came
    "answer.kept": 1,
    "extract.answered": 1,
    "extract.finished": 1,
    "job.results_written": 1,
    "job.committed": 1,
}
"""At each, how often a question is asked in all if its worker is killed there."""


@pytest.fixture
def model() -> Iterator[AskedModel]:
    with asked_model(ANSWER) as model:
        yield model


@pytest.fixture
def service(start_service: Callable[..., Service], model: AskedModel) -> Service:
    service = start_service(DOCSIEVE_LEASE_SECONDS="2", DOCSIEVE_SHUTDOWN_SECONDS="5", **model.settings)
    service.api()
    service.client.post("/schemas", json={"name": "bill", "schema": SCHEMA}).raise_for_status()
    return service


def test_a_worker_killed_after_the_provider_answered_does_not_pay_twice(service: Service, model: AskedModel) -> None:
    reader = service.worker()
    documents = [ready(service, f"Invoice INV-7 of {step}\nTotal 12.50\n".encode()) for step in STEPS]
    reader.terminate()
    assert reader.wait(30) == 0
    for (step, times), document_id in zip(STEPS.items(), documents, strict=True):
        model.questions.clear()
        asked = start(service, document_id, engine="llm")
        doomed = service.worker("default=1", DOCSIEVE_FAULT=step)
        assert doomed.wait(60) == -9, step
        survivor = service.worker("default=1")
        found = settled(service, asked["id"])
        assert (found["status"], found["value"], step) == ("completed", ANSWER, step)
        assert found["metadata"]["total"]["grounded"] is True
        survivor.terminate()
        assert survivor.wait(30) == 0
        assert len(model.questions) == times, f"paid too often at {step}"
    assert found["model"] == "compatible:tiny"
    check(service, documents)


def test_an_upload_killed_after_the_provider_answered_is_read_and_paid_once(
    service: Service, model: AskedModel
) -> None:
    document_id = service.upload(b"Invoice INV-7\nTotal 12.50\n", schema="bill", engine="llm").json()["id"]
    assert service.worker("default=1", DOCSIEVE_FAULT="extract.finished").wait(60) == -9
    service.worker("default=1")
    state = service.settled(document_id)
    assert (state["status"], state["extraction"]["status"]) == ("ready", "completed")
    assert (state["reading"]["cache_hit"], len(model.questions)) == (True, 1)
    check(service, [document_id])


def test_the_same_question_again_is_answered_from_what_was_kept_unless_that_is_refused(
    service: Service, model: AskedModel
) -> None:
    service.worker()
    document_id = ready(service, b"Invoice INV-7\nTotal 12.50\n")
    for _ in range(2):
        found = settled(service, start(service, document_id, engine="llm")["id"])
    assert (len(model.questions), found["usage"]["cache_hits"], found["usage"]["calls"]) == (1, 1, 0)
    settled(service, start(service, document_id, engine="llm", cache=False)["id"])
    assert len(model.questions) == 2


def test_a_provider_that_asks_to_wait_burns_no_attempt(service: Service, model: AskedModel) -> None:
    service.worker()
    document_id = ready(service, b"Invoice INV-7\nTotal 12.50\n")
    model.server.replies = [problem(429, "rate_limit_exceeded", **{"Retry-After": "12"})]
    asked = start(service, document_id, engine="llm")
    jobs = f"/jobs/{asked['job_id']}"
    waiting = wait_until(lambda: _waiting(service, jobs), what="the job waits")
    assert (waiting["attempts"], waiting["status"]) == (0, "pending")
    assert service.client.get(f"/extractions/{asked['id']}").json()["status"] == "pending"
    found = settled(service, asked["id"])
    assert found["status"] == "completed"
    assert service.client.get(jobs).json()["attempts"] == 1


def _waiting(service: Service, path: str) -> dict[str, Any] | None:
    job: dict[str, Any] = service.client.get(path).json()
    return job if job["run_at"] is not None else None


def test_cancelling_stops_the_spending(service: Service, model: AskedModel) -> None:
    service.worker()
    rows = "".join(f"{number} widgets of the very best quality and finish 12.50\n" for number in range(3_000))
    document_id, later = ready(service, rows.encode()), ready(service, b"Invoice INV-8\nTotal 12.50\n")
    wanted = {
        "type": "object",
        "properties": {
            "lines": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}}
        },
    }
    model.answer = {"lines": []}
    model.may_answer.clear()
    asked = start(service, document_id, schema=wanted, engine="llm")
    wait_until(lambda: len(model.questions) >= 4, what="the model is asked")
    assert service.client.post(f"/extractions/{asked['id']}/cancel").json()["status"] == "cancelled"
    service.signals.until(named("attempt.ended", f"{asked['job_id']} cancelled"))
    model.may_answer.set()
    # the same worker asks for another document, after every opportunity to continue with the cancelled one
    settled(service, start(service, later, engine="llm")["id"])
    assert ["INV-8" in said_to(each) for each in model.questions] == [False] * 4 + [True], "it asked on"
    found = service.client.get(f"/extractions/{asked['id']}").json()
    assert (found["status"], found["value"]) == ("cancelled", None)
    check(service, [document_id, later])
