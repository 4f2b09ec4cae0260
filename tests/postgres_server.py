"""PostgreSQL as an operator runs it: over TCP with a password, with its usual settings, perhaps with a standby."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import asyncpg

from docsieve.db.server.account import account_of, place_binaries
from docsieve.db.server.processes import processes_of
from tests.service import poll_until, reserve_port
from tests.signals import wait_for_end

PASSWORD = "p4ssword-of-the-test"


class PostgresServer:
    """`programs` is a folder with `postgres` and `initdb`; that of the embedded server by default."""

    def __init__(
        self,
        folder: Path,
        *,
        programs: Path | None = None,
        parameters: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._folder = folder
        self.cluster = folder / "cluster"
        self.account = account_of(self.cluster)
        self._programs = programs or place_binaries(self.account)
        self._reservation = reserve_port()
        self.port: int = self._reservation.getsockname()[1]
        self._parameters = dict(parameters)
        self._process: subprocess.Popen[bytes] | None = None
        self.account.make_private(self.cluster)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def create(self) -> None:
        password = self._folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self._run(
            "initdb", "-D", self.cluster, "--username=postgres", f"--pwfile={password}", "--encoding=UTF8",
            "--auth=scram-sha-256", "--no-locale", "--no-sync",
        )  # fmt: skip

    def create_standby_of(self, primary: "PostgresServer", name: str) -> None:
        """A copy that follows the primary, which knows it by this name."""
        source = f"host=127.0.0.1 port={primary.port} user=postgres password={PASSWORD} application_name={name}"
        self._run(
            "pg_basebackup", "-D", self.cluster, "-d", source, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"
        )

    def start(self) -> None:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
            **self._parameters,
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._process = self.account.spawn([self._programs / "postgres", "-D", self.cluster, *options], log)
        poll_until(self._answers, seconds=120, what=f"PostgreSQL on port {self.port}")

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self._folder / "log").read_text()[-3000:]
        try:
            return self.ask("select true") is True
        except (OSError, asyncpg.PostgresError):
            return False

    def ask(self, *statements: str) -> Any:
        """The first value of the last statement's answer."""

        async def run() -> Any:
            connection = await asyncpg.connect(self.url(), timeout=10)
            try:
                return [await connection.fetchval(each) for each in statements][-1]
            finally:
                await connection.close()

        return asyncio.run(run())

    def fence(self) -> None:
        """Kill it at once, as a node is before its standby is promoted: what it had not sent is lost."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None
        left = processes_of(self.cluster)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_for_end(left)

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None
        self._reservation.close()

    def _run(self, program: str, *arguments: object) -> None:
        with (self._folder / "log").open("ab") as log:
            started = self.account.spawn([self._programs / program, *map(str, arguments)], log)
        assert started.wait() == 0, (self._folder / "log").read_text()[-3000:]
