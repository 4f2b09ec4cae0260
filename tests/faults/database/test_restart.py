"""PostgreSQL killed and restarted under load, with durability on."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from docsieve.db.server.embedded import EmbeddedServer
from tests.faults.database.load import Load
from tests.service import Service
from tests.signals import wait_for_end


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
    load = Load.started(service)
    for reached in (10, 30):
        load.until_committed(reached)
        postmaster = int((cluster / "postmaster.pid").read_text().split()[0])
        os.kill(postmaster, signal.SIGQUIT)  # what `pg_ctl stop -m immediate` sends
        wait_for_end([postmaster])
        server.stop()
        server.start()
    load.check(seconds=90)
