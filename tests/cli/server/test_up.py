"""`docsieve up` as a person runs it: one command, real children, real signals."""

import os
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from docsieve import faults
from tests.faults.checker import check, descendants
from tests.forks import Forked
from tests.service import ADMIN_KEY, Service
from tests.signals import either, ended, named, wait_for_end

PARTS: dict[tuple[str, ...], faults.Signal] = {
    ("-m docsieve worker",): "worker.started",
    ("-m docsieve api",): "api.ready",
    ("postgres", "-D"): "database.started",
}
"""The words of each part's command line, and what is reported once it runs."""


@pytest.fixture
def service(open_folder: Path) -> Iterator[Service]:
    folder = open_folder / f"up-{time.monotonic_ns()}"
    folder.mkdir()
    service = Service(folder, {"DOCSIEVE_LEASE_SECONDS": "2", "DOCSIEVE_WORKER_PROCESSES": "1"})
    yield service
    service.stop()


def start(service: Service) -> Forked:
    api, worker = named("api.ready"), named("worker.started")
    before = service.signals.count(api), service.signals.count(worker)
    process = service.run("up")
    for part, times in zip((api, worker), before, strict=True):
        service.signals.until(either(part, ended(process.pid)), times=times + 1, seconds=120)
    assert process.poll() is None, service.logs()[-3000:]
    return process


def pids(supervisor: int, *words: str) -> list[int]:
    found = []
    for pid in descendants(supervisor):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if (
            all(word in command for word in words)
            and Path(f"/proc/{pid}/status").read_text().find(f"PPid:\t{supervisor}\n") > 0
        ):
            found.append(pid)
    return found


def worker_pids(supervisor: int) -> list[int]:
    return pids(supervisor, "-m docsieve worker")


@contextmanager
def paused(pid: int) -> Iterator[None]:
    """Stop a process for a while; one that stayed stopped would outlive its supervisor."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def read_through(service: Service, content: bytes) -> str:
    document_id: str = service.upload(content).raise_for_status().json()["id"]
    assert service.settled(document_id)["status"] == "ready"
    return document_id


def test_one_command_serves_survives_the_death_of_any_part_and_stops_cleanly(service: Service) -> None:
    supervisor = start(service)
    accepted = [read_through(service, b"before")]
    for words, back in PARTS.items():
        [pid] = pids(supervisor.pid, *words)
        before = service.signals.count(named(back))
        os.kill(pid, signal.SIGKILL)
        service.signals.until(named(back), times=before + 1)
        service.wait_ready(supervisor)
        accepted.append(read_through(service, f"after the death of {words}".encode()))
    family = descendants(supervisor.pid)
    supervisor.terminate()
    assert supervisor.wait(40) == 0
    wait_for_end(family)
    assert "database system is shut down" in (service.folder / "data" / "postgres.log").read_text()
    start(service)
    service.environment["DOCSIEVE_DATABASE_URL"] = _embedded_url(service)
    check(service, accepted)


def _embedded_url(service: Service) -> str:
    from docsieve.db.server.embedded import running_url

    url = running_url(service.folder / "data")
    assert url is not None
    return url


def test_killing_the_supervisor_ends_all_its_parts_and_the_next_start_has_everything(service: Service) -> None:
    supervisor = start(service)
    document_id = read_through(service, b"kept")
    family = descendants(supervisor.pid)
    supervisor.kill()
    supervisor.wait()
    wait_for_end(family)
    start(service)
    assert service.status(document_id)["status"] == "ready"


def test_without_a_terminal_the_first_start_writes_a_key_to_a_private_file_and_a_second_up_is_refused(
    service: Service,
) -> None:
    del service.environment["DOCSIEVE_API_KEY"]
    first = start(service)
    kept = service.data_dir / "admin-key"
    key = kept.read_text().strip()
    assert key not in service.logs() and str(kept) in service.logs()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    answer = httpx.get(f"{service.url}/api/v1/documents", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 200
    assert httpx.get(f"{service.url}/api/v1/documents", headers={"X-API-Key": ADMIN_KEY}).status_code == 401

    same_port = service.run("up")
    assert same_port.wait(30) == 2 and "port_taken" in service.logs()
    same_folder = service.run("up", DOCSIEVE_PORT="0")
    assert same_folder.wait(30) == 1 and "directory_in_use" in service.logs()
    assert first.poll() is None

    first.terminate()
    assert first.wait(40) == 0
    start(service)
    assert service.logs().count("The new admin key is in") == 1
