"""One running service for all tests of the command line: they change nothing that another would notice."""

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest

from docsieve.domain.ids import new_id
from tests.cli.terminal import CommandLine
from tests.service import Service


@pytest.fixture(scope="package")
def empty_database(postgres: str) -> Callable[[], str]:
    """Makes databases without tables; they go with the server at the end of the run."""

    async def create(name: str) -> None:
        connection = await asyncpg.connect(postgres)
        await connection.execute(f"create database {name}")
        await connection.close()

    def make() -> str:
        name = f"cli_{new_id().hex}"
        asyncio.run(create(name))
        return postgres.replace("/docsieve?", f"/{name}?")

    return make


@pytest.fixture(scope="package")
def service(open_folder: Path, new_database: Callable[[], str]) -> Iterator[Service]:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    service = Service(folder, {"DOCSIEVE_DATABASE_URL": new_database()})
    try:
        service.api()
        service.worker("default=2", "archive=1")
        yield service
    finally:
        service.stop()


@pytest.fixture
def docsieve(service: Service) -> CommandLine:
    return CommandLine(service.environment)
