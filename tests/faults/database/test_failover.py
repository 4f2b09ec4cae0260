"""A primary lost under load and its standby promoted: two real servers, with synchronous replication."""

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.checker import check
from tests.faults.database.test_restart import until_answered
from tests.postgres_server import PASSWORD, PostgresServer
from tests.service import Service, poll_until
from tests.signals import named

pytestmark = [pytest.mark.process, pytest.mark.slow]


def _folder(parent: Path) -> Path:
    folder = Path(tempfile.mkdtemp(dir=parent))
    folder.chmod(0o755)
    return folder


@pytest.fixture
def primary(open_folder: Path) -> Iterator[PostgresServer]:
    server = PostgresServer(_folder(open_folder))
    server.create()
    server.start()
    server.ask("create database docsieve")
    yield server
    server.stop()


@pytest.fixture
def standby(primary: PostgresServer, open_folder: Path) -> Iterator[PostgresServer]:
    """Has every commit that the primary has reported."""
    server = PostgresServer(_folder(open_folder))
    server.create_standby_of(primary, "standby")
    server.start()
    primary.ask("alter system set synchronous_standby_names = 'standby'", "select pg_reload_conf()")
    follows = "select count(*) from pg_stat_replication where sync_state = 'sync' and state = 'streaming'"
    poll_until(lambda: primary.ask(follows), what="the standby is synchronous")
    yield server
    server.stop()


@pytest.fixture
def service(primary: PostgresServer, standby: PostgresServer, open_folder: Path) -> Iterator[Service]:
    hosts = f"127.0.0.1:{primary.port},127.0.0.1:{standby.port}"
    url = f"postgresql://postgres:{PASSWORD}@{hosts}/docsieve?target_session_attrs=read-write"
    service = Service(_folder(open_folder), {"DOCSIEVE_DATABASE_URL": url, "DOCSIEVE_LEASE_SECONDS": "3"})
    yield service
    service.stop()


def test_a_failover_under_load_loses_no_answered_upload_and_doubles_nothing(
    service: Service, primary: PostgresServer, standby: PostgresServer
) -> None:
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
    service.signals.until(named("upload.committed"), times=20)
    primary.fence()
    answered_before = list(accepted)
    assert standby.ask("select pg_promote()") is True
    for sender in senders:
        sender.join()
    assert len(set(accepted)) == 60
    assert set(answered_before) <= set(accepted)
    for document_id in accepted:
        assert service.settled(document_id)["status"] == "ready"
    assert len(check(service, accepted)) == 60
    assert "internal_error" not in service.logs()
    assert standby.ask("select pg_is_in_recovery()") is False
