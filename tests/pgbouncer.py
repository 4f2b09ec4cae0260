"""A real PgBouncer in transaction mode in front of a test's database."""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.service import poll_until, reserve_port, start_bound

_PROGRAM = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"

# Few server connections, so that sessions have to share them; session state of one would appear in another.
_CONFIGURATION = """
[databases]
* = host={host} port={port} user={user}{password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
logfile = {log}
"""


@contextmanager
def pgbouncer(folder: Path, database_url: str) -> Iterator[str]:
    """The URL of the same database through PgBouncer."""
    parts = urlsplit(database_url)
    options = {name: values[0] for name, values in parse_qs(parts.query).items()}
    reservation = reserve_port()
    port = reservation.getsockname()[1]
    home = folder / "pgbouncer"
    home.mkdir()
    command = [_PROGRAM, "--quiet", str(home / "pgbouncer.ini")]
    if os.geteuid() == 0:
        # it refuses to run as root, and only the account of the server may use its socket
        account = Path(options["host"]).owner()
        shutil.chown(home, account)
        command.insert(1, f"--user={account}")
    (home / "pgbouncer.ini").write_text(
        _CONFIGURATION.format(
            host=options.get("host", parts.hostname),
            port=options.get("port", parts.port or 5432),
            user=parts.username or options.get("user", "postgres"),
            password=f" password={parts.password}" if parts.password else "",
            listen=port,
            log=home / "log",
        )
    )
    process = start_bound(command)
    try:
        poll_until(lambda: _listens(port), seconds=20, what=f"PgBouncer on port {port}")
        yield f"postgresql://anyone@127.0.0.1:{port}{parts.path}"
    finally:
        process.kill()
        process.wait()
        reservation.close()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
