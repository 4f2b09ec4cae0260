"""kill -9 before, during and after sending: every message arrives, each time with the same id, and ends once."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docsieve.faults import STEPS
from tests.faults.checker import check
from tests.service import Service
from tests.signals import named
from tests.webhook_receiver import ALLOW, Answer, Received, Receiver, receiving

WEBHOOK_STEPS = [step for step in STEPS if step.startswith("webhook.")]
LANE = "webhook=8"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as started:
        yield started


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    service = start_service(DOCSIEVE_LEASE_SECONDS="2", DOCSIEVE_SHUTDOWN_SECONDS="5", **ALLOW)
    service.api()
    return service


def endpoint(service: Service, url: str, **settings: Any) -> str:
    body = {"url": url, **settings}
    created: str = service.client.post("/webhooks/endpoints", json=body).raise_for_status().json()["id"]
    return created


def message_to(service: Service, endpoint_id: str) -> dict[str, Any]:
    """A message that waits for a worker."""
    answer: dict[str, Any] = service.client.post(f"/webhooks/endpoints/{endpoint_id}/test").raise_for_status().json()
    return answer


def delivered(service: Service, delivery_id: str) -> dict[str, Any]:
    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = service.client.get(f"/webhooks/deliveries/{delivery_id}").raise_for_status().json()
        return found if found["status"] == "delivered" else None

    return service.wait_until(ended, what=f"delivery {delivery_id}")


def idle(service: Service) -> bool:
    counts = service.client.get("/jobs", params={"job_type": "deliver_webhook", "limit": 1}).raise_for_status().json()
    return bool(counts["pending_count"] + counts["processing_count"] == 0)


def test_a_worker_killed_before_or_after_sending_loses_no_message_and_changes_no_id(
    service: Service, receiver: Receiver
) -> None:
    to = endpoint(service, receiver.url)
    for step in ["job.claimed", *WEBHOOK_STEPS]:
        message = message_to(service, to)
        assert service.worker(LANE, DOCSIEVE_FAULT=step).wait(30) == -9, step
        assert idle(service) == (step == "webhook.recorded"), step  # the job ends with the record of its answer
        survivor = service.worker(LANE)
        delivery = delivered(service, message["id"])
        # once the answer was recorded, there is nothing left that could be interrupted
        interrupted = [] if step == "webhook.recorded" else [(None, "interrupted")]
        assert [(each["status"], each["error_code"]) for each in delivery["log"]] == [*interrupted, (200, None)], step
        service.wait_until(lambda: idle(service), what="no job is left")
        survivor.terminate()
        assert survivor.wait(30) == 0
        arrivals = [each.id for each in receiver.received].count(message["event_id"])
        # a message that was answered before the worker died is sent again, unless the answer was recorded
        assert arrivals == (2 if step == "webhook.answered" else 1), step
    check(service, [])


def test_a_worker_killed_while_the_receiver_works_on_the_message_is_replaced(
    service: Service, receiver: Receiver
) -> None:
    to = endpoint(service, receiver.url)
    message = message_to(service, to)
    receiver.open.clear()
    doomed = service.worker(LANE)
    receiver.until(1)
    os.kill(doomed.pid, signal.SIGKILL)
    assert doomed.wait(30) == -9
    receiver.open.set()
    service.worker(LANE)
    delivery = delivered(service, message["id"])
    assert {each.id for each in receiver.until(2)} == {message["event_id"]}
    assert [each["error_code"] for each in delivery["log"]] == ["interrupted", None]
    check(service, [])


def test_a_worker_that_lost_its_lease_while_sending_records_nothing(service: Service, receiver: Receiver) -> None:
    to = endpoint(service, receiver.url)
    message = message_to(service, to)
    may_answer = receiver.open
    may_answer.clear()
    frozen = service.worker(LANE)
    receiver.until(1)
    frozen.send_signal(signal.SIGSTOP)
    other = service.worker(LANE)
    receiver.until(2)
    receiver.answer = lambda _: Answer(200, body=b"late")
    may_answer.set()
    delivery = delivered(service, message["id"])
    frozen.send_signal(signal.SIGCONT)
    service.signals.until(named("lease.lost", pid=frozen.pid))
    assert service.client.get(f"/webhooks/deliveries/{message['id']}").json()["log"] == delivery["log"]
    assert [each["error_code"] for each in delivery["log"]] == ["interrupted", None]
    assert other.poll() is None


def test_two_workers_never_send_the_same_attempt(service: Service, receiver: Receiver) -> None:
    to = endpoint(service, receiver.url)
    failed_once: set[str] = set()

    def every_third_fails(received: Received) -> Answer:
        if len(failed_once) < 30 and received.id not in failed_once and hash(received.id) % 3 == 0:
            failed_once.add(received.id)
            return Answer(500)
        return Answer()

    receiver.answer = every_third_fails
    messages = [message_to(service, to) for _ in range(100)]
    service.worker(LANE)
    service.worker(LANE)
    ended = [delivered(service, each["id"]) for each in messages]
    arrived = Counter(each.id for each in receiver.received)
    for delivery in ended:
        assert arrived[delivery["event_id"]] == delivery["attempts"] == len(delivery["log"])
