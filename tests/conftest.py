"""Real parts for every test: one PostgreSQL per run, a fresh database per test, real processes on request.

A test that starts processes is marked `process` by what it uses (`starts_processes`), and `make unit` leaves it out.
"""

import asyncio
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest
from hypothesis import HealthCheck, settings

from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database
from docsieve.db.server.embedded import EmbeddedServer
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.sandbox.kernel.isolation import die_with_parent
from docsieve.services.access import tenants
from tests import backends
from tests.redis_server import RedisServer
from tests.service import Service, is_setting

TEMPLATE = "docsieve_template"
FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "max_wal_size": "256MB", "autovacuum": "off"}
MEMORY = Path("/dev/shm")
ROOM_BYTES = 1024**3
PROCESS_FIXTURES = frozenset({"postgres", "open_folder", "sandbox", "shared_redis", "s3", "az", "gs"})
"""Every fixture that starts a process uses one of these."""
PROCESS_MODULES = frozenset(
    {
        "subprocess",
        "tests.native",
        "tests.cli.terminal",
        "tests.sandbox.conftest",
        "docsieve.sandbox.pool",
        "docsieve.offline.session",
    }
)
"""A test module that imports from one of these starts processes itself."""

# Hundreds of processes are started, and with this variable each would compile all sources again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples in every run, however slow the machine. `make test-all` takes the profile "thorough"; to look for
# new examples: --hypothesis-profile=exploring
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("exploring", _PATIENT)
settings.register_profile("thorough", _PATIENT, derandomize=True, database=None)
settings.register_profile("repeatable", _PATIENT, derandomize=True, database=None, max_examples=25)
settings.load_profile("repeatable")


# Collecting makes a million objects that live to the end. Looking through them again and again for garbage took a
# fifth of the time to collect, and some of each test.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    """A worker of `-n` ends when the run is killed, and with it everything that its tests have started."""
    if hasattr(config, "workerinput"):
        die_with_parent(os.getppid(), by=signal.SIGTERM)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they use. Files that start processes take longest, so they run first."""
    for item in items:
        if starts_processes(item):
            item.add_marker("process")
    starting = {item.path for item in items if item.get_closest_marker("process") is not None}
    items.sort(key=lambda item: item.path not in starting)


def starts_processes(item: pytest.Item) -> bool:
    if not PROCESS_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
        return True
    return isinstance(item, pytest.Function) and not PROCESS_MODULES.isdisjoint(_imported_by(item.module))


@cache
def _imported_by(module: ModuleType) -> frozenset[str]:
    """The modules that the values in this one come from."""
    values = vars(module).values()
    return frozenset(each.__name__ if isinstance(each, ModuleType) else _home(each) for each in values)


def _home(value: object) -> str:
    return str(getattr(value, "__module__", ""))


@pytest.fixture(autouse=True)
def _only_marked_tests_start_processes(request: pytest.FixtureRequest) -> Iterator[None]:
    """`make unit` is fast because of this rule, so a test that breaks it fails."""
    global _may_start_processes
    _may_start_processes = request.node.get_closest_marker("process") is not None
    yield
    _may_start_processes = True


def _refuse_processes(event: str, arguments: tuple[object, ...]) -> None:
    if _may_start_processes or event not in ("subprocess.Popen", "os.fork", "os.posix_spawn"):
        return
    if arguments[:1] != ("uname",):  # which the module `platform` runs for the user agents of SDKs
        raise AssertionError("This test starts a process. Mark it with `pytest.mark.process`.")


_may_start_processes = True
sys.addaudithook(_refuse_processes)


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder that the database's unprivileged account can enter, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="docsieve-tests-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server shared by the run. Durability is off: tests of durability run separate servers.

    It is embedded unless `tests.backends` names another.

    It lies in memory where there is room: a database for each test costs the kernel ten times as much on a disk.
    """
    if (external := backends.external_server()) is not None:
        asyncio.run(_make_template(external))
        yield external
        return
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
    await connection.execute(f"drop database if exists {TEMPLATE}")
    await connection.execute(f"create database {TEMPLATE}")
    await connection.close()
    await migrate(_named(url, TEMPLATE))


def _named(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


@pytest.fixture(scope="session")
def administer(postgres: str) -> Iterator[Callable[[str], None]]:
    """Runs statements on one connection: opening one for each test would cost a tenth of what its database does."""
    with asyncio.Runner() as runner, ThreadPoolExecutor(1) as thread:
        connection = thread.submit(runner.run, asyncpg.connect(postgres)).result()

        def execute(statement: str) -> None:
            thread.submit(runner.run, connection.execute(statement)).result()

        yield execute
        thread.submit(runner.run, connection.close()).result()


@pytest.fixture(scope="session")
def new_database(postgres: str, administer: Callable[[str], None]) -> Callable[[], str]:
    """Creates migrated databases for services that several tests share; they go with the server."""

    def make() -> str:
        name = f"shared_{new_id().hex}"
        administer(f"create database {name} template {TEMPLATE} strategy file_copy")
        return _named(postgres, name)

    return make


@pytest.fixture
def direct_url(postgres: str, administer: Callable[[str], None]) -> Iterator[str]:
    """A separate migrated database for this test, reached without a pooler."""
    name = f"t_{new_id().hex}"
    administer(f"create database {name} template {TEMPLATE} strategy file_copy")
    yield _named(postgres, name)
    administer(f"drop database {name} with (force)")


@pytest.fixture
def database_url(direct_url: str) -> str:
    """The same database as a service reaches it."""
    return backends.pooled(direct_url)


@pytest.fixture
async def database(database_url: str, direct_url: str) -> AsyncIterator[Database]:
    database = await Database.open(database_url, direct_url=direct_url)
    yield database
    await database.close()


@pytest.fixture
async def scope(database: Database) -> Scope:
    """A tenant with its default project."""
    async with database.system() as connection, connection.transaction():
        return Scope((await tenants.create(connection, f"t-{new_id().hex[-12:]}")).id)


@pytest.fixture
def start_service(open_folder: Path, direct_url: str) -> Iterator[Callable[..., Service]]:
    """Starts `docsieve` processes on this test's database; everything started is stopped at the end."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(dir=open_folder))
        folder.chmod(0o755)

        def start(**settings: str) -> Service:
            service = Service(folder, {**backends.service_settings(direct_url), **settings})
            stack.callback(service.stop)
            return service

        yield start


@pytest.fixture(scope="module")
def share_service(open_folder: Path, new_database: Callable[[], str]) -> Iterator[Callable[..., Service]]:
    """As `start_service`, for all tests of a module, on a separate database.

    A service costs seconds of processor time to start. Share it where a test leaves nothing that another would notice,
    or remove what is left with `Service.delete_documents`.
    """
    with ExitStack() as stack:

        def start(**settings: str) -> Service:
            folder = Path(tempfile.mkdtemp(dir=open_folder))
            folder.chmod(0o755)
            service = Service(folder, {**backends.service_settings(new_database()), **settings})
            stack.callback(service.stop)
            return service

        yield start


@pytest.fixture(scope="session")
def shared_redis() -> Iterator[RedisServer]:
    """Tests that kill Redis start a separate one."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def redis(shared_redis: RedisServer) -> RedisServer:
    """A running Redis without keys."""
    shared_redis.clear()
    return shared_redis


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if is_setting(name):
            monkeypatch.delenv(name)
