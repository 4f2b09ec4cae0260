"""A service with documents, a place for backups, and an empty database to restore into."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from docsieve.domain.ids import new_id
from tests import backends
from tests.cli.terminal import CommandLine, Ran
from tests.service import Service


@dataclass(frozen=True)
class Installation:
    """Where `docsieve` works: the settings of a service, or of a machine that is to become one."""

    environment: dict[str, str]
    place: Path

    def backup(self, *arguments: object, **settings: str) -> Ran:
        return CommandLine({**self.environment, **settings})("backup", self.place, *arguments)

    def restore(self, *arguments: object, **settings: str) -> Ran:
        return CommandLine({**self.environment, **settings})("restore", self.place, *arguments)


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    """Its blobs are in its folder, whatever store the other tests use: these look at files."""
    return start_service(DOCSIEVE_BLOB_URL="")


@pytest.fixture
def running(service: Service, tmp_path: Path) -> Installation:
    return Installation(service.environment, tmp_path / "backups")


@pytest.fixture
def empty(service: Service, tmp_path: Path, postgres: str, administer: Callable[[str], None]) -> Iterator[Installation]:
    """Another machine: nothing in its database, nothing on its disk."""
    name = f"t_{new_id().hex}"
    administer(f"create database {name}")
    url = urlunsplit(urlsplit(postgres)._replace(path=f"/{name}"))
    changed = {**backends.service_settings(url), "DOCSIEVE_DATA_DIR": str(service.folder / "restored")}
    yield Installation({**service.environment, **changed, "DOCSIEVE_BLOB_URL": ""}, tmp_path / "backups")
    administer(f"drop database {name} with (force)")
