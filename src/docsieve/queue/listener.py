"""One listening connection a worker: work has come, or a job of ours was cancelled."""

import asyncio
from collections.abc import Callable

from docsieve.db.connection.outage import connect, translate_outages
from docsieve.db.queue.wake import CANCEL_CHANNEL, WAKE_CHANNEL
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger

log = get_logger()

_RECONNECT_SECONDS = 1.0
_PATIENCE_SECONDS = 10.0


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
            except DatabaseUnavailable as error:
                log.warning("listener_lost", error=error.reason)
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen(self) -> None:
        closed = asyncio.Event()
        connection = await connect(self._url, seconds=_PATIENCE_SECONDS, command_seconds=_PATIENCE_SECONDS)
        connection.add_termination_listener(lambda _: closed.set())
        heard = {WAKE_CHANNEL: self._on_wake, CANCEL_CHANNEL: self._on_cancel}
        try:
            with translate_outages(connection):
                for channel in heard:
                    await connection.add_listener(channel, lambda _c, _p, said, payload: heard[said](str(payload)))
            await closed.wait()
        finally:
            connection.terminate()
