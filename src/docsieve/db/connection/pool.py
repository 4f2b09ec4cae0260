"""Connections kept open and lent out.

asyncpg's own pool starts a task for every return and wraps every call, which was a tenth of what a request cost. We
need less: every setting we make ends with its transaction, so a connection can be lent again as it is.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from docsieve.db.connection.driver import Connection, Record
from docsieve.db.connection.outage import connect, translate_outages
from docsieve.errors import DatabaseUnavailable

_CLOSE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a connection, and for the answer to one statement unless it names its own timeout."""

    acquire_seconds: float
    command_seconds: float


PATIENT = Patience(acquire_seconds=60.0, command_seconds=60.0)
"""For workers and commands, which keep no one waiting."""


BULK_SECONDS = 60.0
"""Timeout of a statement whose work grows with the request, such as deleting many documents."""


class Pool:
    """At most `most` connections, opened when first needed. One that is closed, or was left in the middle of
    something, is not lent again."""

    def __init__(
        self,
        url: str,
        *,
        most: int,
        statement_cache_size: int,
        settings: Mapping[str, str] | None,
        patience: Patience = PATIENT,
    ) -> None:
        self._url = url
        self._statement_cache_size = statement_cache_size
        self._settings = settings
        self._patience = patience
        self._free: list[Connection] = []
        self._slots = asyncio.Semaphore(most)

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Connection]:
        """Raises DatabaseUnavailable for an outage, while connecting and while the connection is lent."""
        connection = await self._take()
        try:
            with translate_outages(connection):
                yield connection
            self._give_back(connection)
        except DatabaseUnavailable:
            # a statement may still be under way, and waiting for its end is what timed out
            connection.terminate()
            raise
        except Exception:
            self._give_back(connection)
            raise
        except BaseException:
            # cancelled: a statement may be under way, and the server ends it when we hang up
            connection.terminate()
            raise
        finally:
            self._slots.release()

    async def _take(self) -> Connection:
        if self._slots.locked():
            with translate_outages():
                async with asyncio.timeout(self._patience.acquire_seconds):
                    await self._slots.acquire()
        else:
            await self._slots.acquire()
        try:
            while self._free:
                connection = self._free.pop()
                if not connection.is_closed():
                    return connection
            return await connect(
                self._url,
                seconds=self._patience.acquire_seconds,
                command_seconds=self._patience.command_seconds,
                statement_cache_size=self._statement_cache_size,
                **(self._settings or {}),
            )
        except BaseException:
            self._slots.release()
            raise

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
            # one that does not answer is cut off, which is as good
            with suppress(DatabaseUnavailable), translate_outages():
                await self._free.pop().close(timeout=_CLOSE_SECONDS)
