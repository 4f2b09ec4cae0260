"""A real PgBouncer in front of a test's database, in transaction mode unless said otherwise."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.service import poll_until, reserve_port, start_bound

_PROGRAM = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"

_CONFIGURATION = """
[databases]
* = host={host} port={port} user={user}{password}
[pgbouncer]
"""
_OPTIONS: Mapping[str, object] = MappingProxyType(
    {
        "listen_addr": "127.0.0.1",
        "unix_socket_dir": "",
        "auth_type": "any",
        "pool_mode": "transaction",
        # Few server connections, so that sessions have to share them; session state of one would appear in another.
        "default_pool_size": 3,
        "max_client_conn": 200,
    }
)


class PgBouncer:
    """In front of all databases of a server. It can be stopped and started on the same port, with other options."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self._parts = urlsplit(database_url)
        self._reservation = reserve_port()
        self.port: int = self._reservation.getsockname()[1]
        self.home = folder / "pgbouncer"
        self.home.mkdir()
        given = {name: values[0] for name, values in parse_qs(self._parts.query).items()}
        self._server = {
            "host": given.get("host", self._parts.hostname),
            "port": given.get("port", self._parts.port or 5432),
            "user": self._parts.username or given.get("user", "postgres"),
            "password": f" password={self._parts.password}" if self._parts.password else "",
        }
        # it refuses to run as root, and only the account of the server may use its socket
        socket_folder = Path(given.get("host", "/nonexistent"))
        self.account = socket_folder.owner() if socket_folder.exists() else "postgres"
        self._process: subprocess.Popen[Any] | None = None

    def start(self, **options: object) -> None:
        self.stop()
        written = {**_OPTIONS, "listen_port": self.port, "logfile": self.home / "log", **options}
        lines = "".join(f"{name} = {value}\n" for name, value in written.items())
        (self.home / "pgbouncer.ini").write_text(_CONFIGURATION.format(**self._server) + lines)
        command = [_PROGRAM, "--quiet", str(self.home / "pgbouncer.ini")]
        if os.geteuid() == 0:
            for path in (self.home, *self.home.iterdir()):
                shutil.chown(path, self.account)
            command.insert(1, f"--user={self.account}")
        self._process = start_bound(command)
        poll_until(lambda: _listens(self.port), seconds=20, what=f"PgBouncer on port {self.port}")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.stop()
        self._reservation.close()


@contextmanager
def pgbouncer(folder: Path, database_url: str, **options: object) -> Iterator[str]:
    """The URL of the same database through PgBouncer."""
    bouncer = PgBouncer(folder, database_url)
    try:
        bouncer.start(**options)
        yield f"postgresql://anyone@127.0.0.1:{bouncer.port}{urlsplit(database_url).path}"
    finally:
        bouncer.close()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
