"""Workers of this process, fed by a real Redis."""

from collections.abc import AsyncIterator

import pytest

from docsieve.queue.redis.sender import Sender
from tests.queue.conftest import Driver
from tests.queue.redis.dispatching import dispatched_by_redis
from tests.redis_server import RedisServer


@pytest.fixture
async def sender(queue: Driver, redis: RedisServer) -> AsyncIterator[Sender]:
    async with dispatched_by_redis(queue, redis.url) as sender:
        yield sender
