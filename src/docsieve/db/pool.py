"""Connections kept open and lent out.

asyncpg's own pool starts a task for every return and wraps every call, which was a tenth of what a request cost. We
need less: every setting we make ends with its transaction, so a connection can be lent again as it is.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from docsieve.db.driver import Connection, Record

_COMMAND_SECONDS = 60.0


class Pool:
    """At most `most` connections, opened when first needed. One that is closed, or was left in the middle of
    something, is not lent again."""

    def __init__(self, url: str, *, most: int, statement_cache_size: int, settings: Mapping[str, str] | None) -> None:
        self._url = url
        self._statement_cache_size = statement_cache_size
        self._settings = settings
        self._free: list[Connection] = []
        self._slots = asyncio.Semaphore(most)

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Connection]:
        async with self._slots:
            connection = await self._take()
            try:
                yield connection
            except Exception:
                self._give_back(connection)
                raise
            except BaseException:
                # cancelled: a statement may be under way, and the server ends it when we hang up
                connection.terminate()
                raise
            self._give_back(connection)

    async def _take(self) -> Connection:
        while self._free:
            connection = self._free.pop()
            if not connection.is_closed():
                return connection
        return await asyncpg.connect(
            self._url,
            command_timeout=_COMMAND_SECONDS,
            statement_cache_size=self._statement_cache_size,
            server_settings=dict(self._settings) if self._settings else None,
        )

    def _give_back(self, connection: Connection) -> None:
        if connection.is_in_transaction():
            connection.terminate()
        if not connection.is_closed():
            self._free.append(connection)

    async def execute(self, query: str, *arguments: Any) -> str:
        async with self.acquire() as connection:
            return await connection.execute(query, *arguments)

    async def fetch(self, query: str, *arguments: Any) -> list[Record]:
        async with self.acquire() as connection:
            return await connection.fetch(query, *arguments)

    async def fetchrow(self, query: str, *arguments: Any) -> Record | None:
        async with self.acquire() as connection:
            return await connection.fetchrow(query, *arguments)

    async def fetchval(self, query: str, *arguments: Any) -> Any:
        async with self.acquire() as connection:
            return await connection.fetchval(query, *arguments)

    async def close(self) -> None:
        while self._free:
            await self._free.pop().close()
