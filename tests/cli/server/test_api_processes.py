"""`docsieve api` with several processes: one port, one limit, one page of metrics."""

import os
import re
import signal
from collections.abc import Callable

import httpx

from tests.cli.server.test_up import pids
from tests.faults.checker import descendants
from tests.service import ADMIN_KEY, Service
from tests.signals import named, wait_for_end


def ask(service: Service, path: str = "/api/v1/documents") -> httpx.Response:
    """Over a new connection, which any of the processes may accept."""
    return httpx.get(f"{service.url}{path}", headers={"X-API-Key": ADMIN_KEY}, timeout=60)


def counts(service: Service) -> tuple[float, float]:
    """Requests answered and refused, of all processes."""
    page = ask(service, "/metrics").text
    served = re.search(r'http_seconds_count\{method="GET",route="[^"]*/documents",status="200"\} ([\d.]+)', page)
    refused = re.search(r'docsieve_rate_limited_total\{limit="requests"\} ([\d.]+)', page)
    return float(served[1]) if served else 0, float(refused[1]) if refused else 0


def test_two_processes_share_one_limit_and_one_page_of_metrics_and_one_dies_without_the_other(
    start_service: Callable[..., Service],
) -> None:
    service = start_service(DOCSIEVE_API_PROCESSES="2", DOCSIEVE_LIMITS="requests=20/h")
    supervisor = service.run("api")
    service.signals.until(named("api.ready"), times=2, seconds=120)
    first, second = pids(supervisor.pid, "-m docsieve api")

    # while one is stopped the other accepts, so both are asked
    answers = []
    for stopped in (first, second):
        os.kill(stopped, signal.SIGSTOP)
        answers += [ask(service).status_code for _ in range(8)]
        os.kill(stopped, signal.SIGCONT)
    answers += [ask(service).status_code for _ in range(8)]
    assert answers == [200] * 20 + [429] * 4

    # a process writes what it has counted once a second
    service.wait_until(lambda: counts(service) == (20, 4), what="the metrics of both processes")

    os.kill(first, signal.SIGKILL)
    assert ask(service, "/livez").status_code == 200
    service.signals.until(named("api.ready"), times=3, seconds=120)
    os.kill(second, signal.SIGSTOP)
    assert ask(service).status_code == 429, "the limit holds in the process that replaces a dead one"
    os.kill(second, signal.SIGCONT)

    family = descendants(supervisor.pid)
    supervisor.terminate()
    assert supervisor.wait(40) == 0
    wait_for_end(family)
