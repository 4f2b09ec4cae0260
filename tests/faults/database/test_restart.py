"""PostgreSQL killed and restarted under load, with durability on."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from docsieve.db.server.embedded import EmbeddedServer
from tests.faults.checker import check
from tests.service import Service, poll_until
from tests.signals import named, wait_for_end


@pytest.fixture
def server(open_folder: Path) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(open_folder / "restarted")
    server.start()
    yield server
    server.stop()


def test_an_immediate_restart_of_the_database_under_load_loses_no_accepted_document(
    server: EmbeddedServer, open_folder: Path
) -> None:
    folder = open_folder / "restarted-service"
    folder.mkdir()
    service = Service(folder, {"DOCSIEVE_DATABASE_URL": server.url, "DOCSIEVE_LEASE_SECONDS": "3"})
    try:
        _restart_under_load(service, server, open_folder / "restarted" / "postgres")
    finally:
        service.stop()


def _restart_under_load(service: Service, server: EmbeddedServer, cluster: Path) -> None:
    service.api()
    service.worker()
    service.worker()
    accepted: list[str] = []

    def send(part: int) -> None:
        for number in range(15):
            accepted.append(until_answered(service, f"{part} {number}"))

    senders = [threading.Thread(target=send, args=(part,)) for part in range(4)]
    for sender in senders:
        sender.start()
    for reached in (10, 30):
        service.signals.until(named("upload.committed"), times=reached)
        postmaster = int((cluster / "postmaster.pid").read_text().split()[0])
        os.kill(postmaster, signal.SIGQUIT)  # what `pg_ctl stop -m immediate` sends
        wait_for_end([postmaster])
        server.stop()
        server.start()
    for sender in senders:
        sender.join()
    assert len(set(accepted)) == 60
    for document_id in accepted:
        assert service.settled(document_id, seconds=90)["status"] == "ready"
    assert len(check(service, accepted)) == 60


def until_answered(service: Service, content: str) -> str:
    """A client as it should be: the same Idempotency-Key until there is an answer."""

    def attempt() -> str | None:
        try:
            answer = service.upload(content.encode(), key=content.replace(" ", "-"))
        except httpx.TransportError:
            return None
        if answer.status_code in (500, 503):
            assert answer.status_code == 503, answer.text
            return None
        document_id: str = answer.raise_for_status().json()["id"]
        return document_id

    document_id: str = poll_until(attempt, seconds=60, what=f"upload {content} answered")
    return document_id
