"""Redis killed, restarted empty and cut off under load: a dispatcher may lose everything, and no document is lost."""

import threading
from collections.abc import Callable, Iterator

import pytest

from docsieve.wiring import POOLS
from tests.faults.checker import check
from tests.redis_server import Line, RedisServer
from tests.service import Service
from tests.signals import named


@pytest.fixture
def server() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


@pytest.fixture
def line(server: RedisServer) -> Iterator[Line]:
    with Line(server.port) as line:
        yield line


@pytest.fixture
def service(start_service: Callable[..., Service], line: Line) -> Service:
    # no worker dies while it holds a job, so that no lease has to end, however slow the machine is
    return start_service(DOCSIEVE_REDIS_URL=line.url, DOCSIEVE_LEASE_SECONDS="300")


def reported(service: Service) -> dict[tuple[int, str], str]:
    """What each lane of each process reported last about Redis. It does so again at each attempt to reach it."""
    about = ("lane.serving", "lane.without_redis")
    return {(each.pid, each.subject): each.name for each in list(service.signals.seen) if each.name in about}


def test_redis_killed_restarted_empty_and_cut_off_under_load_loses_and_doubles_nothing(
    service: Service, server: RedisServer, line: Line
) -> None:
    service.api()
    pools = [service.pool("default").pid for _ in range(2)]

    def all_report(state: str) -> None:
        """Each lane of both pools: one that Redis is killed under while it starts, too."""
        every = {(pid, queue): state for pid in pools for queue in POOLS["default"]}
        service.wait_until(lambda: reported(service) == every, what=f"all lanes report {state}")

    all_report("lane.serving")
    accepted: list[str] = []

    def send(part: int) -> None:
        for number in range(10):
            accepted.append(service.upload(f"{part} {number}".encode()).raise_for_status().json()["id"])

    senders = [threading.Thread(target=send, args=(part,)) for part in range(3)]
    for sender in senders:
        sender.start()
    service.signals.until(named("upload.committed"), times=5)
    server.kill()
    all_report("lane.without_redis")
    service.signals.until(named("upload.committed"), times=10)
    server.start()
    all_report("lane.serving")
    line.cut()
    all_report("lane.without_redis")
    line.mend()
    for sender in senders:
        sender.join()
    for document_id in accepted:
        state = service.settled(document_id)
        assert (state["status"], state["job"]["attempts"]) == ("ready", 1)
    assert len(check(service, accepted)) == 30


def test_uploads_are_accepted_and_read_while_redis_is_dead_and_it_is_said_that_it_is(
    service: Service, server: RedisServer
) -> None:
    service.api()
    pool = service.pool("default").pid
    service.signals.until(named("lane.serving"))
    server.kill()  # while other lanes of the pool start: they claim from the database, and the worker stays
    document_id = service.upload(b"no Redis").raise_for_status().json()["id"]
    assert service.settled(document_id)["status"] == "ready"
    ready = service.client.get(f"{service.url}/readyz")
    assert (ready.status_code, ready.text) == (200, "Redis does not respond: workers claim jobs from PostgreSQL")
    assert "docsieve_redis_up 0.0" in service.client.get(f"{service.url}/metrics").text
    server.start()
    every = {(pool, queue): "lane.serving" for queue in POOLS["default"]}
    service.wait_until(lambda: reported(service) == every)
    assert not service.signals.has(named("worker.draining"))
    assert service.client.get(f"{service.url}/readyz").text == "ok"
    shown = service.client.get(f"{service.url}/metrics").text
    assert "docsieve_redis_up 1.0" in shown and 'docsieve_redis_messages{queue="default"}' in shown
    check(service, [document_id])


def test_a_pool_killed_with_a_job_is_replaced_by_another_pool(service: Service) -> None:
    service.environment["DOCSIEVE_LEASE_SECONDS"] = "2"
    service.api()
    doomed = service.worker("default=1", DOCSIEVE_FAULT="job.claimed")
    document_id = service.upload(b"killed").raise_for_status().json()["id"]
    doomed.wait(60)
    service.pool("default")
    state = service.settled(document_id)
    assert (state["status"], state["job"]["attempts"]) == ("ready", 2)
    check(service, [document_id])
