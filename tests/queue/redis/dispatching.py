"""Workers of this process that get their jobs through Redis."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from pydantic import SecretStr

from docsieve.queue.redis.lane import RedisLane
from docsieve.queue.redis.sender import Sender
from docsieve.settings import Settings
from docsieve.wiring import open_redis
from tests.queue.conftest import Driver


@asynccontextmanager
async def dispatched_by_redis(queue: Driver, url: str) -> AsyncIterator[Sender]:
    async with open_redis(Settings(redis_url=SecretStr(url))) as redis:
        sender = Sender(queue.database, redis, otherwise=queue.database.waker.notify)
        queue.database.waker.dispatcher = sender
        queue.lane = partial(RedisLane, sender=sender, job_types=["noop"])
        try:
            yield sender
        finally:
            queue.database.waker.dispatcher = None
            await sender.close()
