"""Notifies idle workers of new work, after the commit and not inside the transaction.

NOTIFY in the inserting transaction takes a lock that all committing sessions share. Sent afterwards and coalesced, the
first is sent immediately and the rest are batched for a few milliseconds. A lost one costs a worker's poll interval.
Only after a quiet period may a single enqueue include the NOTIFY itself, which saves an idle system a round trip.
"""

import asyncio
import time
from collections.abc import Collection, Mapping
from typing import Protocol

from docsieve.db.connection.pool import Pool
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger

WAKE_CHANNEL = "docsieve_wake"
CANCEL_CHANNEL = "docsieve_cancel"
_COALESCE_SECONDS = 0.01
_QUIET_SECONDS = 0.02

# Without a wait for the disk: a notification that a crash of the server loses finds no one who listens anyway.
_NOTIFY = """
select pg_notify(channel, payload)
from set_config('synchronous_commit', 'off', true), unnest($1::text[], $2::text[]) as note (channel, payload)
"""

log = get_logger()


class Dispatcher(Protocol):
    """Brings work to workers in another way than by notification."""

    def send(self, queues: Collection[str]) -> None:
        """Jobs of these queues may have become ready. Neither waits nor raises."""
        ...

    async def backlog(self, queues: Collection[str]) -> Mapping[str, int]:
        """How many messages of each queue wait for a worker. Raises RedisUnavailable."""
        ...


class Waker:
    """With a `dispatcher`, work is announced by that; cancellations are always sent as notifications."""

    def __init__(self, pool: Pool) -> None:
        self.dispatcher: Dispatcher | None = None
        self._pool = pool
        self._due: set[tuple[str, str]] = set()
        self._sending: asyncio.Task[None] | None = None
        self._last_sent = float("-inf")

    def may_wake_now(self, queues: Collection[str]) -> bool:
        """Whether an enqueue may send the NOTIFY itself, because this process was quiet. It then counts as sent."""
        now = time.monotonic()
        if self.dispatcher is not None or len(queues) != 1 or now - self._last_sent < _QUIET_SECONDS:
            return False
        self._last_sent = now
        return True

    def wake(self, queues: Collection[str]) -> None:
        if self.dispatcher is not None:
            self.dispatcher.send(queues)
        else:
            self.notify(queues)

    def notify(self, queues: Collection[str]) -> None:
        self._notify({(WAKE_CHANNEL, queue) for queue in queues})

    def cancel(self, job_ids: Collection[object]) -> None:
        """Tell the workers that run these jobs to stop immediately instead of at their next heartbeat."""
        self._notify({(CANCEL_CHANNEL, str(job_id)) for job_id in job_ids})

    def _notify(self, notes: set[tuple[str, str]]) -> None:
        if not notes:
            return
        self._due |= notes
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._due:
            notes, self._due = self._due, set()
            self._last_sent = time.monotonic()
            channels, payloads = zip(*notes, strict=True)
            try:
                await self._pool.execute(_NOTIFY, channels, payloads)
            except DatabaseUnavailable as error:
                log.warning("wake_not_sent", error=error.reason)
            await asyncio.sleep(_COALESCE_SECONDS)

    async def close(self) -> None:
        if self._sending is not None:
            await asyncio.gather(self._sending, return_exceptions=True)
