"""Writes that must reach the database although it may be restarting under us."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger

log = get_logger()

T = TypeVar("T")


async def through_outages(write: Callable[[], Awaitable[T]], *, seconds: float) -> T:
    """Try a write until it is answered. Fenced writes may be repeated: the second finds the fence already moved."""
    deadline = asyncio.get_running_loop().time() + seconds
    pause = 0.05
    while True:
        try:
            return await write()
        except DatabaseUnavailable as error:
            if asyncio.get_running_loop().time() + pause > deadline:
                raise
            log.warning("database_unreachable", error=error.reason, retry_in=pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, 2.0)
