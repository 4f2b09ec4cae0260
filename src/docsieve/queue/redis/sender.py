"""Keeps the first ready jobs of each queue in Redis, as messages to the pools.

There is no record of sent messages: the messages that Redis has are compared with the rows that are ready, and those
missing are sent. So the same call announces new work, sends again what Redis lost, and refills a long queue from which
only the first jobs are in Redis. It may run at any time and in any number of processes.
"""

import asyncio
import time
from collections.abc import Callable, Collection

from arq.connections import ArqRedis
from arq.constants import in_progress_key_prefix, job_key_prefix, retry_key_prefix

from docsieve import faults, metrics
from docsieve.db.connection.session import Database
from docsieve.db.queue import ready_jobs
from docsieve.errors import DatabaseUnavailable, RedisUnavailable
from docsieve.logs import get_logger
from docsieve.queue.redis.connection import count_messages, translate_outages
from docsieve.queue.redis.messages import arq_queue, message, place

log = get_logger()

WINDOW = 500
"""How many jobs of a queue are in Redis at most, per pass. The others wait in the database."""

_COALESCE_SECONDS = 0.01
_KEEP_MS = 24 * 3600 * 1000


class Sender:
    def __init__(self, database: Database, redis: ArqRedis, *, otherwise: Callable[[Collection[str]], None]) -> None:
        """`otherwise` announces queues without Redis: workers that cannot reach it claim from the database."""
        self.redis = redis
        self._database = database
        self._otherwise = otherwise
        self._due: set[str] = set()
        self._sending: asyncio.Task[None] | None = None
        self._reachable = True

    def send(self, queues: Collection[str]) -> None:
        """Send the ready jobs of these queues soon. Nothing waits for it, and nothing fails if it does."""
        if not queues:
            return
        self._due.update(queues)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._due:
            queues, self._due = self._due, set()
            try:
                for queue in queues:
                    await self.top_up(queue)
                self._reachable = True
            except RedisUnavailable as error:
                if self._reachable:
                    log.warning("redis_unreachable", error=error.reason)
                self._reachable = False
                self._otherwise(queues)
            except DatabaseUnavailable as error:
                log.warning("messages_not_sent", error=error.reason)
            await asyncio.sleep(_COALESCE_SECONDS)

    async def top_up(self, queue: str) -> int:
        """Send the first jobs of the queue that Redis does not have, or has in another place. Returns how many it has.

        Raises DatabaseUnavailable and RedisUnavailable.
        """
        async with self._database.system() as connection:
            ready = await ready_jobs.first(connection, queue, limit=WINDOW)
        if not ready:
            return 0
        name, now_ms = arq_queue(queue), int(time.time() * 1000)
        with translate_outages():
            known = await self.redis.zmscore(name, [str(job.id) for job in ready])
            missing = [job for job, score in zip(ready, known, strict=True) if score != place(job)]
            if missing:
                async with self.redis.pipeline(transaction=False) as pipe:
                    for job in missing:
                        pipe.psetex(f"{job_key_prefix}{job.id}", _KEEP_MS, message(job, now_ms=now_ms))
                        pipe.zadd(name, {str(job.id): place(job)})
                    await pipe.execute()
        if missing:
            metrics.messages_sent.labels(queue).inc(len(missing))
            faults.signal("messages.sent", queue, len(missing))
        return len(ready)

    async def acknowledge(self, queue: str, ids: Collection[object]) -> None:
        """Forget messages: from now on the lease in the database decides who runs these jobs. Raises RedisUnavailable.

        ARQ keeps a message until its function has ended. Every worker would then look at all running jobs in each poll,
        and one that died would block its job until ARQ's own lock expires.
        """
        prefixes = (job_key_prefix, in_progress_key_prefix, retry_key_prefix)
        with translate_outages():
            async with self.redis.pipeline(transaction=False) as pipe:
                pipe.zrem(arq_queue(queue), *map(str, ids))
                pipe.delete(*(f"{prefix}{each}" for each in ids for prefix in prefixes))
                await pipe.execute()

    async def backlog(self, queues: Collection[str]) -> dict[str, int]:
        return await count_messages(self.redis, queues)

    async def close(self) -> None:
        if self._sending is not None:
            await asyncio.gather(self._sending, return_exceptions=True)
