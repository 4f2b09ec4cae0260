"""A real PostgreSQL for the run: the project's embedded server, durable as by default, the same for every contender."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from docsieve.db.server.embedded import EmbeddedServer

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
        with tempfile.TemporaryDirectory(prefix="bench-pg-") as folder:
            # The server's own account must be able to enter, or the cluster is placed elsewhere and left behind.
            Path(folder).chmod(0o755)
            server = EmbeddedServer(Path(folder))
            dsn = server.start()
            try:
                yield cls(dsn, await _check_durable(dsn))
            finally:
                server.stop()

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


async def postmaster(dsn: str) -> int:
    """The process that all processes of the server are below."""
    connection = await asyncpg.connect(dsn)
    try:
        backend = await connection.fetchval("select pg_backend_pid()")
        return int(Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()[1])
    finally:
        await connection.close()


async def _check_durable(dsn: str) -> str:
    connection = await asyncpg.connect(dsn)
    try:
        for setting in DURABLE:
            if await connection.fetchval("select current_setting($1)", setting) != "on":
                raise RuntimeError(f"{setting} is off: figures without durability mean nothing here")
        return str(await connection.fetchval("show server_version"))
    finally:
        await connection.close()
