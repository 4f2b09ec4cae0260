"""Workers that stop, hang, lose their lease or run poison: real signals to real processes."""

import random
import signal
import threading
import time

import pytest

from tests.faults.checker import check, descendants
from tests.service import Service
from tests.signals import either, named, wait_for_end


def test_a_worker_stopped_past_its_lease_writes_nothing_when_it_wakes(service: Service) -> None:
    service.api()
    frozen = service.worker(DOCSIEVE_LEASE_SECONDS="6")
    go_on = service.folder / "go-on"
    document_id = service.upload(f"%POISON until {go_on}".encode()).json()["id"]
    service.wait_until(lambda: (service.status(document_id)["progress"] or {}).get("page"), what="reading began")
    # only the worker sleeps: its child goes on and finishes, so that the late worker has a result in its hands
    frozen.send_signal(signal.SIGSTOP)
    go_on.touch()
    service.worker(DOCSIEVE_LEASE_SECONDS="30")
    state = service.settled(document_id)
    assert (state["status"], state["job"]["attempts"]) == ("ready", 2)
    before = service.client.get(f"/documents/{document_id}").json(), service.client.get("/jobs").json()
    frozen.send_signal(signal.SIGCONT)
    service.signals.until(named("lease.lost", pid=frozen.pid))
    assert before == (service.client.get(f"/documents/{document_id}").json(), service.client.get("/jobs").json())
    check(service, [document_id])


def test_a_killed_worker_takes_its_children_with_it(service: Service) -> None:
    service.api()
    doomed = service.worker()
    document_id = service.upload(b"%POISON sleep").json()["id"]
    service.signals.until(named("job.claimed", pid=doomed.pid))
    service.signals.until(named("child.started", pid=doomed.pid))
    children = descendants(doomed.pid)
    assert children
    doomed.kill()
    wait_for_end(children)
    service.client.post(f"/jobs/{service.status(document_id)['job']['id']}/cancel").raise_for_status()


def test_cancelling_kills_the_child_at_once_and_nothing_is_written(service: Service) -> None:
    service.api()
    worker = service.worker()
    document_id = service.upload(b"%POISON slow 5000").json()["id"]
    service.wait_until(lambda: (service.status(document_id)["progress"] or {}).get("page"), what="reading began")
    children = descendants(worker.pid)
    assert children
    job_id = service.status(document_id)["job"]["id"]
    assert service.client.post(f"/jobs/{job_id}/cancel").json()["status"] == "cancelled"
    wait_for_end(children)
    assert service.status(document_id)["status"] == "cancelled"
    check(service, [document_id])


def test_a_terminated_worker_hands_back_its_job_without_burning_the_attempt(service: Service) -> None:
    service.api()
    service.environment["DOCSIEVE_LEASE_SECONDS"] = "30"  # handed back, not rescued
    first = service.worker(DOCSIEVE_SHUTDOWN_SECONDS="0.2")
    go_on = service.folder / "go-on"
    document_id = service.upload(f"%POISON until {go_on}".encode()).json()["id"]
    service.signals.until(named("job.claimed", pid=first.pid))
    first.terminate()
    assert first.wait(60) == 0
    state = service.status(document_id)
    assert (state["status"], state["job"]["attempts"]) == ("pending", 0)
    go_on.touch()
    service.worker()
    state = service.settled(document_id)
    assert (state["status"], state["job"]["attempts"]) == ("ready", 1)
    check(service, [document_id])


@pytest.mark.parametrize(
    "poisons",
    [
        pytest.param({"segfault": "parser_crashed", "alloc": "out_of_memory", "error": "parser_crashed"}, id="crashes"),
        pytest.param({"hang": "parser_timeout"}, id="hangs", marks=pytest.mark.slow),
        pytest.param({"fork": "parser_timeout"}, id="forks", marks=pytest.mark.slow),
    ],
)
def test_poison_costs_one_document_its_attempts_and_its_neighbors_nothing(
    service: Service, poisons: dict[str, str]
) -> None:
    service.api(DOCSIEVE_MAX_ATTEMPTS="2")
    # healthy documents must be read within the time that poison is given, also on a busy machine
    worker = service.worker(DOCSIEVE_PARSER_SECONDS="8", DOCSIEVE_LEASE_SECONDS="30", DOCSIEVE_PARSER_PROCESSES="2")
    poisoned = {what: service.upload(f"%POISON {what}".encode(), "poison.bin").json()["id"] for what in poisons}
    healthy = [service.upload(f"healthy {number}".encode()).json()["id"] for number in range(5)]
    for document_id in healthy:
        assert service.settled(document_id)["status"] == "ready"
    for what, document_id in poisoned.items():
        state = service.settled(document_id)
        assert (state["status"], state["error"]["code"]) == ("failed", poisons[what])
        assert state["job"]["attempts"] == 2
        assert "sk-live" not in service.logs() + str(state)
    assert worker.poll() is None
    check(service, [*poisoned.values(), *healthy])


def test_cancel_raced_with_completion_ends_as_one_or_the_other(service: Service) -> None:
    service.api()
    service.worker()
    accepted, cancelled = [], set()
    chance = random.Random(7)
    for number in range(24):
        answer = service.upload(f"race {number}".encode()).json()
        accepted.append(answer["id"])
        time.sleep(chance.uniform(0, 0.04))  # the race is the point: there is no signal to wait for
        reply = service.client.post(f"/jobs/{answer['processing_job_id']}/cancel")
        assert reply.status_code in (200, 409)
        if reply.status_code == 200:
            cancelled.add(answer["id"])
        else:
            assert reply.json()["code"] == "job_not_cancellable"
    for document_id in accepted:
        service.settled(document_id)
    # where workers cannot listen, one hears of a cancellation when it renews its lease
    ends = either(named("attempt.ended"), named("lease.lost"))
    service.wait_until(lambda: service.signals.count(ends) >= service.signals.count(named("job.claimed")))
    documents = check(service, accepted)
    for document_id in accepted:
        expected = "cancelled" if document_id in cancelled else "ready"
        assert documents[document_id]["status"] == expected


def test_uploads_and_workers_at_once_with_a_worker_killed_in_between(service: Service) -> None:
    service.api()
    workers = [service.worker(), service.worker()]
    accepted: list[str] = []

    def send(part: int) -> None:
        for number in range(10):
            accepted.append(service.upload(f"{part} {number}".encode()).raise_for_status().json()["id"])

    senders = [threading.Thread(target=send, args=(part,)) for part in range(4)]
    for sender in senders:
        sender.start()
    service.signals.until(named("upload.committed"), times=12)
    workers[0].kill()
    workers[0].wait()
    for sender in senders:
        sender.join()
    for document_id in accepted:
        assert service.settled(document_id)["status"] == "ready"
    # a killed worker's folder is removed by the next worker that starts
    service.worker()
    assert len(check(service, accepted)) == 40
