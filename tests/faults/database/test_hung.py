"""PostgreSQL stopped by SIGSTOP: connections stay open, and nothing is answered until SIGCONT."""

import os
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from docsieve.db.server.embedded import EmbeddedServer
from docsieve.db.server.processes import processes_of
from tests.service import ADMIN_KEY, Service, poll_until

PATIENCE = 25.0
"""The API answers well within this; a client that waited longer fails the test."""


@pytest.fixture
def cluster(open_folder: Path) -> Path:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    return folder / "postgres"


@pytest.fixture
def server(cluster: Path) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(cluster.parent)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def service(server: EmbeddedServer, cluster: Path) -> Iterator[Service]:
    folder = cluster.parent.with_name(f"{cluster.parent.name}-service")
    folder.mkdir()
    service = Service(folder, {"DOCSIEVE_DATABASE_URL": server.url, "DOCSIEVE_LEASE_SECONDS": "3"})
    yield service
    service.stop()


@contextmanager
def stopped(cluster: Path) -> Iterator[None]:
    pids = processes_of(cluster)
    assert pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def test_every_request_is_answered_while_the_database_hangs_and_works_again_after_it(
    service: Service, cluster: Path
) -> None:
    service.api()
    service.worker()
    before = service.upload(b"before").raise_for_status().json()["id"]
    assert service.settled(before)["status"] == "ready"

    with stopped(cluster), httpx.Client(headers={"X-API-Key": ADMIN_KEY}, timeout=PATIENCE) as client:
        for path in ("/readyz", "/api/v1/documents", f"/api/v1/documents/{before}/text", "/readyz"):
            answer = client.get(f"{service.url}{path}")
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), path
            assert answer.headers["retry-after"]
        sent = client.post(f"{service.url}/api/v1/documents", files={"file": ("a.txt", b"during")})
        assert sent.status_code == 503
        assert client.get(f"{service.url}/livez").status_code == 200
        assert client.get(f"{service.url}/metrics").status_code == 200

    service.wait_ready()
    after = service.upload(b"after").raise_for_status().json()["id"]
    assert service.settled(after)["status"] == "ready"


def test_more_requests_than_connections_are_all_answered_while_the_database_hangs(
    service: Service, cluster: Path
) -> None:
    service.api()
    service.client.get("/documents").raise_for_status()
    with stopped(cluster):
        answers = _at_once(service, 30)
    assert {answer.status_code for answer in answers} == {503}
    poll_until(lambda: service.client.get("/documents").status_code == 200, what="the API recovers")


def _at_once(service: Service, count: int) -> list[httpx.Response]:
    def ask(_: int) -> httpx.Response:
        return httpx.get(f"{service.url}/api/v1/documents", headers={"X-API-Key": ADMIN_KEY}, timeout=PATIENCE)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(ask, range(count)))
