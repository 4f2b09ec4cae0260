"""`/metrics` of `docsieve up`: one page for all processes, read as strictly as Prometheus reads it."""

import os
import re
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.cli.server.test_up import paused, read_through, start, worker_pids
from tests.faults.checker import all_gone
from tests.service import Service, wait_until

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
def service(open_folder: Path) -> Iterator[Service]:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    service = Service(folder, {"DOCSIEVE_LEASE_SECONDS": "2", "DOCSIEVE_WORKER_PROCESSES": "1"})
    yield service
    service.stop()


def scrape(service: Service) -> Samples:
    """All samples, having made sure that each family and each series is there once."""
    text = httpx.get(f"{service.url}/metrics", timeout=30).raise_for_status().text
    for keyword in ("HELP", "TYPE"):
        names = Counter(re.findall(rf"^# {keyword} (\S+)", text, re.MULTILINE))
        assert [name for name, count in names.items() if count > 1] == []
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    series = Counter((sample.name, tuple(sorted(sample.labels.items()))) for sample in samples)
    assert [each for each, count in series.items() if count > 1] == []
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value for sample in samples}


def pending(samples: Samples) -> float:
    return samples.get(("docsieve_queue_jobs", (("queue", "default"), ("status", "pending"))), 0.0)


def completed(samples: Samples) -> float:
    labels = (("job_type", "process_document"), ("outcome", "completed"))
    return samples.get(("docsieve_job_attempts_total", labels), 0.0)


def test_each_family_is_there_once_and_finished_work_leaves_no_gauge_behind(service: Service) -> None:
    supervisor = start(service)
    [worker] = worker_pids(supervisor.pid)
    with paused(worker):
        document_id = service.upload(b"waits").raise_for_status().json()["id"]
        shown = scrape(service)
        assert pending(shown) == 1
        queue = {"docsieve_queue_jobs", "docsieve_queue_oldest_seconds", "docsieve_oldest_transaction_seconds"}
        assert queue | {"docsieve_database_up", "docsieve_uploads_total"} <= {name for name, _ in shown}
    assert service.settled(document_id)["status"] == "ready"

    wait_until(lambda: completed(scrape(service)) == 1, what="the worker's counter")
    assert pending(scrape(service)) == 0


def test_what_a_dead_worker_counted_stays_counted_and_nothing_is_there_twice(service: Service) -> None:
    supervisor = start(service)
    read_through(service, b"first")
    wait_until(lambda: completed(scrape(service)) == 1, what="the first worker's counter")
    [worker] = worker_pids(supervisor.pid)
    os.kill(worker, signal.SIGKILL)
    wait_until(partial(all_gone, [worker]), what="the worker is dead")
    read_through(service, b"second")

    wait_until(lambda: completed(scrape(service)) == 2, what="both workers' counters")
