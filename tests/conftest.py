"""Real parts for every test: one PostgreSQL for the run, a fresh database for each test, real processes on request."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import asyncpg
import pytest
from hypothesis import HealthCheck, settings

from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database
from docsieve.db.server.embedded import EmbeddedServer
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.services.access import tenants
from tests.service import Service, is_setting

TEMPLATE = "docsieve_template"
FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "max_wal_size": "256MB", "autovacuum": "off"}
MEMORY = Path("/dev/shm")
ROOM_BYTES = 1024**3
STARTING_PROCESSES = frozenset({"service", "start_service", "docsieve", "sandbox", "poison", "server", "servers"})

# Hundreds of processes are started: where this is set, each of them would compile all sources anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples in every run, however slow the machine; to look for new ones: --hypothesis-profile=exploring
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("exploring", _PATIENT)
settings.register_profile("repeatable", _PATIENT, derandomize=True, database=None)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files whose tests start processes take longest; they come first, so that none is left alone with the last."""
    starting = {item.path for item in items if STARTING_PROCESSES.intersection(getattr(item, "fixturenames", ()))}
    items.sort(key=lambda item: item.path not in starting)


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder that the database's unprivileged account can enter, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="docsieve-tests-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server shared by the run. Durability is off: tests of durability run servers of their own.

    It lies in memory where there is room: a database for each test costs the kernel ten times as much on a disk.
    """
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_BYTES
    with tempfile.TemporaryDirectory(
        prefix="docsieve-tests-", dir=MEMORY if roomy else None, ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o755)
        server = EmbeddedServer(Path(folder, "shared"), parameters=FORGETFUL)
        try:
            url = server.start()
            asyncio.run(_make_template(url))
            yield url
        finally:
            server.stop()


async def _make_template(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(f"create database {TEMPLATE}")
    await connection.close()
    await migrate(_named(url, TEMPLATE))


def _named(url: str, database: str) -> str:
    return url.replace("/docsieve?", f"/{database}?")


@pytest.fixture
async def database_url(postgres: str) -> AsyncIterator[str]:
    """A migrated database of this test's own."""
    name = f"t_{new_id().hex}"
    connection = await asyncpg.connect(postgres)
    await connection.execute(f"create database {name} template {TEMPLATE} strategy file_copy")
    yield _named(postgres, name)
    await connection.execute(f"drop database {name} with (force)")
    await connection.close()


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = await Database.open(database_url)
    yield database
    await database.close()


@pytest.fixture
async def scope(database: Database) -> Scope:
    """A tenant with its default project."""
    async with database.system() as connection, connection.transaction():
        return Scope((await tenants.create(connection, f"t-{new_id().hex[-12:]}")).id)


@pytest.fixture
def start_service(open_folder: Path, database_url: str) -> Iterator[Callable[..., Service]]:
    """Starts `docsieve` processes on this test's database; everything started is stopped at the end."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(dir=open_folder))
        folder.chmod(0o755)

        def start(**settings: str) -> Service:
            service = Service(folder, {"DOCSIEVE_DATABASE_URL": database_url, **settings})
            stack.callback(service.stop)
            return service

        yield start


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if is_setting(name):
            monkeypatch.delenv(name)
