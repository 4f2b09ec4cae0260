"""Wakes requests that wait for the status of a document to change, with one query per tick for all of them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from docsieve.db.connection.session import Database
from docsieve.db.documents import rows as documents
from docsieve.db.documents.rows import StatusRow
from docsieve.services.events.ticker import Ticker


class Watch:
    """A request that waits for one document. It is woken once at first, because it may have read before it waited."""

    __slots__ = ("_changed", "document", "seen")

    def __init__(self, tenant_id: UUID, document_id: UUID) -> None:
        self.document = (tenant_id, document_id)
        self.seen: StatusRow | None = None
        self._changed = asyncio.Event()

    def wake(self) -> None:
        self._changed.set()

    async def changed(self, *, seconds: float) -> bool:
        """Wait for a change, but no longer than this."""
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return False
        self._changed.clear()
        return True


class StatusWatch:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._watches: set[Watch] = set()
        self._ticker = Ticker(self._tick)
        self.ending = False

    @contextmanager
    def watch(self, tenant_id: UUID, document_id: UUID) -> Iterator[Watch]:
        """The caller must have seen that the document belongs to the tenant."""
        watch = Watch(tenant_id, document_id)
        self._watches.add(watch)
        self._ticker.start()
        try:
            yield watch
        finally:
            self._watches.discard(watch)

    def end_waits(self) -> None:
        """Before the process stops. Requests that wait answer with the current status."""
        self.ending = True
        for each in self._watches:
            each.wake()

    async def close(self) -> None:
        self.end_waits()
        await self._ticker.close()

    async def _tick(self) -> bool:
        watches = list(self._watches)
        if not watches:
            return False
        async with self._database.system() as connection:
            found = await documents.statuses(connection, {each.document for each in watches})
        for each in watches:
            row = found.get(each.document[1])
            if row is None or row != each.seen:
                each.seen = row
                each.wake()
        return bool(self._watches)
