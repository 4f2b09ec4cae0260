"""One listening connection a worker: work has come, or a job of ours was cancelled."""

import asyncio
from collections.abc import Callable

import asyncpg

from docsieve.db.wake import CANCEL_CHANNEL, WAKE_CHANNEL
from docsieve.logs import get_logger
from docsieve.queue.persist import OUTAGE

log = get_logger()

_RECONNECT_SECONDS = 1.0


class Listener:
    def __init__(self, database_url: str, *, on_wake: Callable[[str], None], on_cancel: Callable[[str], None]) -> None:
        self._url = database_url
        self._on_wake = on_wake
        self._on_cancel = on_cancel

    async def run(self) -> None:
        """Listen until cancelled, through restarts of the database; polling covers the gaps."""
        while True:
            try:
                await self._listen()
            except OUTAGE as error:
                log.warning("listener_lost", error=type(error).__name__)
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen(self) -> None:
        closed = asyncio.Event()
        connection = await asyncpg.connect(self._url)
        try:
            connection.add_termination_listener(lambda _: closed.set())
            await connection.add_listener(WAKE_CHANNEL, lambda _c, _p, _ch, payload: self._on_wake(str(payload)))
            await connection.add_listener(CANCEL_CHANNEL, lambda _c, _p, _ch, payload: self._on_cancel(str(payload)))
            await closed.wait()
        finally:
            connection.terminate()
