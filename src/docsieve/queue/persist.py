"""Writes that must reach the database although it may be restarting under us."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg

from docsieve.logs import get_logger

log = get_logger()

T = TypeVar("T")

# What a client sees while PostgreSQL restarts, fails over or drops the connection; all of it passes.
OUTAGE = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)


async def through_outages(write: Callable[[], Awaitable[T]], *, seconds: float) -> T:
    """Try a write until it is answered. Fenced writes may be repeated: the second finds the fence already moved."""
    deadline = asyncio.get_running_loop().time() + seconds
    pause = 0.05
    while True:
        try:
            return await write()
        except OUTAGE as error:
            if asyncio.get_running_loop().time() + pause > deadline:
                raise
            log.warning("database_unreachable", error=type(error).__name__, retry_in=pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, 2.0)
