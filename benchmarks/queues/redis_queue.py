"""Our queue with Redis as the dispatcher: the same jobs, claims and completions, named by messages of ARQ.

The address of Redis comes from DOCSIEVE_REDIS_URL, in the benchmark and in its workers.
"""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial

from benchmarks.queues.docsieve_queue import SLOTS, Docsieve, DocsieveClient, Noop
from benchmarks.queues.port import Gate, Job
from docsieve.db.connection.session import Database
from docsieve.domain.scope import Scope
from docsieve.logs import configure
from docsieve.queue.kinds import Attempt, Kind
from docsieve.queue.redis.lane import RedisLane
from docsieve.queue.redis.sender import Sender
from docsieve.queue.worker import Worker
from docsieve.settings import Settings
from docsieve.wiring import open_redis


class RedisClient(DocsieveClient):
    def __init__(self, database: Database, scope: Scope, stack: AsyncExitStack) -> None:
        super().__init__(database, scope)
        self._stack = stack

    async def close(self) -> None:
        await self._stack.aclose()
        await super().close()


async def _dispatched(database: Database, stack: AsyncExitStack) -> Sender:
    redis = await stack.enter_async_context(open_redis(Settings.from_environment()))
    sender = Sender(database, redis, otherwise=database.waker.notify)
    stack.push_async_callback(sender.close)
    database.waker.dispatcher = sender
    return sender


@dataclass(frozen=True)
class DocsieveWithRedis(Docsieve):
    name: str = "docsieve with Redis"
    settings: str = f"ARQ, redis-py with hiredis, uvloop, {SLOTS} slots"
    drained_jobs: int = 2_000

    async def connect(self, dsn: str) -> RedisClient:
        client, stack = await super().connect(dsn), AsyncExitStack()
        await _dispatched(client.database, stack)
        return RedisClient(client.database, client.scope, stack)

    async def work(self, dsn: str, gate: Gate, job: Job) -> None:
        settings = Settings(log_level="warning")
        configure(settings)

        async def noop(_: Noop, __: Attempt) -> None:
            job()

        database = await Database.open(dsn)
        async with AsyncExitStack() as stack:
            sender = await _dispatched(database, stack)
            kinds = {Noop.job_type: Kind(Noop, noop)}
            lane = partial(RedisLane, sender=sender, job_types=list(kinds))
            await gate()
            await Worker(database, kinds, {Noop.queue: SLOTS}, settings, lane=lane).run(asyncio.Event())


contender = DocsieveWithRedis()
