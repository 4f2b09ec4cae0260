"""A primary lost under load and its standby promoted: two real servers, with synchronous replication."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.database.load import Load
from tests.postgres_server import PASSWORD, PostgresServer
from tests.service import Service, poll_until

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
    load = Load.started(service)
    load.until_committed(20)
    primary.fence()
    assert standby.ask("select pg_promote()") is True
    load.check()
    assert "internal_error" not in service.logs()
    assert standby.ask("select pg_is_in_recovery()") is False
