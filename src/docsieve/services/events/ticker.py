"""Work that is repeated while someone waits for its result."""

import asyncio
from collections.abc import Awaitable, Callable

from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger

log = get_logger()

TICK_SECONDS = 0.25
_PAUSE_SECONDS = 1.0


class Ticker:
    """Calls `tick` again and again until it returns false. A failure only delays it."""

    def __init__(self, tick: Callable[[], Awaitable[bool]]) -> None:
        self._tick = tick
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            pause = TICK_SECONDS
            try:
                if not await self._tick():
                    return
            except DatabaseUnavailable as error:
                log.warning("tick_delayed", reason=error.reason)
                pause = _PAUSE_SECONDS
            except Exception:
                log.exception("tick_failed")
                pause = _PAUSE_SECONDS
            await asyncio.sleep(pause)
