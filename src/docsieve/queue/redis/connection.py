"""Connections to Redis, and what counts as its outage."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from arq.connections import ArqRedis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import RedisError

from docsieve.errors import RedisUnavailable
from docsieve.errors.setup import InvalidSettings
from docsieve.queue.redis import messages
from docsieve.settings import Settings

_CONNECT_SECONDS = 1.0
_ANSWER_SECONDS = 2.0


def open_connections(settings: Settings) -> ArqRedis:
    """A pool of connections that are opened when they are first needed. Raises InvalidSettings for a malformed URL."""
    assert settings.redis_url is not None
    url = settings.redis_url.get_secret_value()
    # redis-py verifies the certificate but not whose it is, unless the URL says `ssl_check_hostname=true`
    verified: dict[str, Any] = {"ssl_check_hostname": True} if url.startswith("rediss:") else {}
    try:
        redis: ArqRedis = ArqRedis.from_url(
            url, socket_connect_timeout=_CONNECT_SECONDS, socket_timeout=_ANSWER_SECONDS, **verified
        )
    except ValueError as error:
        raise InvalidSettings("DOCSIEVE_REDIS_URL must be a redis://, rediss:// or unix:// URL.") from error
    pool = redis.connection_pool
    pool.connection_class = type("Connection", (_ResetIsAnOutage, pool.connection_class), {})
    redis.job_serializer = messages.serialize
    redis.job_deserializer = messages.deserialize
    return redis


class _ResetIsAnOutage(AbstractConnection):
    """uvloop answers a write to a connection that was just reset with a RuntimeError, which redis-py passes on."""

    async def send_packed_command(self, *arguments: Any, **options: Any) -> None:
        try:
            await super().send_packed_command(*arguments, **options)
        except RuntimeError as error:
            raise ConnectionLost(str(error)) from error


async def count_messages(redis: ArqRedis, queues: Collection[str]) -> dict[str, int]:
    """How many messages of each queue wait in Redis. Raises RedisUnavailable."""
    with translate_outages():
        await redis.ping()
        return {queue: await redis.zcard(messages.arq_queue(queue)) for queue in queues}


@contextmanager
def translate_outages() -> Iterator[None]:
    """Raise RedisUnavailable for every failure of Redis: a server that refuses is of no more use than one that is away.

    Only calls of Redis may run inside: an OSError or a timeout of other work would be mistaken for one of Redis.
    """
    try:
        yield
    except (RedisError, OSError, TimeoutError) as error:
        raise RedisUnavailable from error
