"""What `docsieve doctor` says about Redis. Where the database dispatches jobs, the check of the queue says enough."""

import asyncio

from docsieve.cli.doctor.findings import Finding, bad, doubtful, good
from docsieve.errors import RedisUnavailable
from docsieve.errors.setup import InvalidSettings
from docsieve.settings import Settings
from docsieve.wiring import DEFAULT_LANES, open_redis

_CHECK = "redis"


def examine(settings: Settings) -> list[Finding]:
    return [] if settings.redis_url is None else [asyncio.run(_redis(settings))]


async def _redis(settings: Settings) -> Finding:
    """Without Redis, workers claim jobs from the database, so its outage is not one of the service."""
    try:
        async with open_redis(settings) as redis:
            from docsieve.queue.redis.connection import count_messages  # which needs ARQ, as `open_redis` has checked

            waiting = await count_messages(redis, DEFAULT_LANES)
    except InvalidSettings as error:
        return bad(_CHECK, error.detail, "Fix or unset DOCSIEVE_REDIS_URL.")
    except RedisUnavailable as error:
        return doubtful(
            _CHECK,
            f"does not respond ({error.reason}), so workers claim jobs from PostgreSQL",
            "Start Redis, or unset DOCSIEVE_REDIS_URL.",
        )
    return good(_CHECK, f"responds; {sum(waiting.values())} messages wait for workers")
