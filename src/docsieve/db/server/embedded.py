"""An embedded PostgreSQL, run as a child process on a data directory. Linux only.

Everything here blocks for up to some seconds. One process at a time owns a data directory, by a lock that dies with it.
"""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import MappingProxyType

from docsieve.db.server.account import (
    SOCKET_NAME,
    ServerAccount,
    account_of,
    locate_cluster,
    place_binaries,
    place_cluster,
    socket_directory,
)
from docsieve.db.server.processes import POLL_SECONDS, STOP_SECONDS, end_leftovers, recorded_state
from docsieve.errors.setup import DirectoryInUse, ServerFailed

PARAMETERS = MappingProxyType(
    {
        # Only the socket: who may connect is decided by who may enter its private directory, so trust is safe.
        "listen_addresses": "",
        # API, workers and command line each bring a pool; an idle connection costs little.
        "max_connections": "200",
        # The hot part of the queue and its indexes fit, on a machine of 2 GB too.
        "shared_buffers": "256MB",
        # A forgotten transaction keeps vacuum from cleaning the queue, which then slows down tenfold.
        "idle_in_transaction_session_timeout": "60s",
        # Each job leaves several dead rows; at the default minute they pile up between two visits.
        "autovacuum_naptime": "5s",
        # Fewer checkpoints, and fewer full pages in the log after each, under a steady stream of small commits.
        "max_wal_size": "2GB",
        "checkpoint_timeout": "10min",
        "wal_compression": "on",
        # Compiling costs more than it saves on short queries.
        "jit": "off",
        # Detail lines quote the values of rows, and no document text may reach a log.
        "log_error_verbosity": "terse",
    }
)

DATABASE = "docsieve"

# Crash recovery replays up to max_wal_size before the server accepts anyone; a dead child is noticed at once.
_START_SECONDS = 300.0
_PROBE_SECONDS = 5.0
_LOG_BYTES = 10 * 1024 * 1024
_QUOTED_LOG_LINES = 15

_INITDB_FLAGS = (
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--encoding=UTF8",
    "--auth=trust",
    "--username=postgres",
    "--no-instructions",
)

_CREATE_DATABASE = f"""
select 'create database {DATABASE}' where not exists (select from pg_database where datname = '{DATABASE}') \\gexec
"""


class EmbeddedServer:
    def __init__(self, data_dir: Path, *, parameters: Mapping[str, str] = MappingProxyType({})) -> None:
        self._data_dir = data_dir.resolve()
        self._parameters = {**PARAMETERS, **parameters}
        self._log_file = self._data_dir / "postgres.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._locks: list[int] = []

    @property
    def url(self) -> str:
        return _url(self._data_dir)

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> str:
        """Own the directory, start the server on it, which is created if necessary, and return its DSN.

        Call it from a thread that lives as long as the server is needed, such as the main thread: the kernel tells
        the server to shut down when the thread that started it ends, which is how it never outlives a killed process.

        Raises DirectoryInUse, or ServerFailed with the end of the server's log.
        """
        if self.alive():
            return self.url
        with ExitStack() as undo:
            undo.callback(self.stop)
            try:
                self._start()
            except OSError as error:
                raise ServerFailed(f"PostgreSQL cannot run on {self._data_dir}: {error}") from error
            undo.pop_all()
        return self.url

    def stop(self) -> None:
        """Shut down fast but cleanly, or at once if that takes too long, and give up the directory."""
        if self._process is not None:
            for order, seconds in (
                (signal.SIGINT, STOP_SECONDS),
                (signal.SIGQUIT, STOP_SECONDS),
                (signal.SIGKILL, None),
            ):
                self._process.send_signal(order)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(seconds)
                    break
            self._process = None
        while self._locks:
            os.close(self._locks.pop())

    def _start(self) -> None:
        self._data_dir.mkdir(parents=True, exist_ok=True)
        if not self._locks:
            self._lock(self._data_dir / "lock")
        cluster = place_cluster(self._data_dir)
        # A copied data directory has its own lock, but a link in it leads to the same cluster.
        if cluster.parent != self._data_dir and len(self._locks) == 1:
            self._lock(cluster.with_name(f"{cluster.name}.lock"))
        account = account_of(cluster)
        binaries = place_binaries(account)
        log_start = self._rotate_log()
        end_leftovers(cluster)
        _sweep_halves(cluster)
        if not (cluster / "PG_VERSION").exists():
            self._initialize(cluster, account, binaries, log_start)
        sockets = socket_directory(self._data_dir)
        account.make_private(sockets)
        # No server runs on the cluster, even if another process has the recorded pid by now.
        for stale in (cluster / "postmaster.pid", sockets / f"{SOCKET_NAME}.lock"):
            stale.unlink(missing_ok=True)
        settings = {**self._parameters, "unix_socket_directories": str(sockets)}
        overrides = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self._log_file.open("ab") as output:
            self._process = account.spawn([binaries / "postgres", "-D", cluster, *overrides], output)
        self._wait_until_ready(cluster, log_start)
        self._create_database(binaries)

    def _lock(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self._locks.append(descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(descriptor, 20).decode() or "unknown"
            raise DirectoryInUse(
                f"{self._data_dir} is in use by process {holder}."
                " Stop that process, or set DOCSIEVE_DATA_DIR to a different directory."
            ) from error
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)

    def _rotate_log(self) -> int:
        """Move a log that grew large aside; returns where this start's lines will begin."""
        size = self._log_file.stat().st_size if self._log_file.exists() else 0
        if size <= _LOG_BYTES:
            return size
        self._log_file.replace(self._log_file.with_name(f"{self._log_file.name}.1"))
        return 0

    def _initialize(self, cluster: Path, account: ServerAccount, binaries: Path, log_start: int) -> None:
        """Create the cluster aside and move it into place whole, so that one cut short is never started."""
        half = cluster.with_name(f"{cluster.name}.new-{os.getpid()}")
        account.make_private(half)
        with self._log_file.open("ab") as output:
            # Killed, not interrupted: it would clean up, at the same time as the next owner sweeps.
            initdb = account.spawn([binaries / "initdb", "-D", half, *_INITDB_FLAGS], output, ended_by=signal.SIGKILL)
        if initdb.wait() != 0:
            raise self._failure("PostgreSQL could not create its files", log_start)
        half.rename(cluster)
        parent = os.open(cluster.parent, os.O_RDONLY)
        try:
            os.fsync(parent)
        finally:
            os.close(parent)

    def _wait_until_ready(self, cluster: Path, log_start: int) -> None:
        process = self._process
        assert process is not None
        deadline = time.monotonic() + _START_SECONDS
        while recorded_state(cluster) != (process.pid, "ready"):
            if process.poll() is not None:
                raise self._failure("PostgreSQL did not start", log_start)
            if time.monotonic() > deadline:
                raise self._failure(f"PostgreSQL was not ready after {_START_SECONDS:.0f} s", log_start)
            time.sleep(POLL_SECONDS)

    def _failure(self, what: str, log_start: int) -> ServerFailed:
        with self._log_file.open("rb") as file:
            file.seek(log_start)
            lines = file.read().decode(errors="replace").splitlines()
        return ServerFailed("\n".join([f"{what}; the end of {self._log_file}:", *lines[-_QUOTED_LOG_LINES:]]))

    def _create_database(self, binaries: Path) -> None:
        try:
            created = subprocess.run(
                [binaries / "psql", "-Xq", "-v", "ON_ERROR_STOP=1", _url(self._data_dir, "postgres")],
                input=_CREATE_DATABASE,
                capture_output=True,
                text=True,
                env={"PATH": os.defpath},
                check=False,
                timeout=_START_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise ServerFailed(f"PostgreSQL did not respond within {_START_SECONDS:.0f} s.") from error
        if created.returncode != 0:
            raise ServerFailed(f"The database could not be created: {created.stderr.strip()}")


def _sweep_halves(cluster: Path) -> None:
    """Remove what an initdb cut short left; what its last process still changes meanwhile goes at the next start."""
    for half in cluster.parent.glob(f"{cluster.name}.new-*"):
        end_leftovers(half)
        shutil.rmtree(half, ignore_errors=True)


def running_url(data_dir: Path) -> str | None:
    """The DSN of the server that some process runs on this directory, if it accepts connections from us."""
    data_dir = data_dir.resolve()
    cluster = locate_cluster(data_dir)
    sockets = socket_directory(data_dir)
    try:
        if recorded_state(cluster)[1] != "ready" or not account_of(cluster).owns_privately(sockets):
            return None
        # The record of a killed server still says ready, but nothing is listening.
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(_PROBE_SECONDS)  # a hanging server accepts no connections once its queue is full
            probe.connect(str(sockets / SOCKET_NAME))
    except OSError:
        return None
    return _url(data_dir)


def _url(data_dir: Path, database: str = DATABASE) -> str:
    # With the port, or a stray PGPORT in a client's environment would name another socket.
    return f"postgresql://postgres@/{database}?host={socket_directory(data_dir)}&port=5432"
