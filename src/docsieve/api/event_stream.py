"""A response that goes on until the client leaves or the stream is ended."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from docsieve.errors import DatabaseUnavailable

_HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would collect events before it passes them on
}


class EventStream(Response):
    """Server-sent events. `on_leave` is called when the client has left, `on_end` when the response is over."""

    media_type = "text/event-stream"

    def __init__(
        self, frames: AsyncGenerator[bytes], *, on_leave: Callable[[], None], on_end: Callable[[], None]
    ) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._rest = Rest(frames, on_leave, on_end)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin the response, and leave the rest to `RequestFrame`: what waits for hours must not keep the stack."""
        try:
            # an event that happens after the client got the headers belongs to the stream
            first = await anext(self._rest.frames, b"")
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": first, "more_body": True})
        except BaseException:
            await self._rest.end()
            raise
        scope[_REST] = self._rest


@dataclass(frozen=True, slots=True)
class Rest:
    """All that is kept of a request whose response goes on."""

    frames: AsyncGenerator[bytes]
    on_leave: Callable[[], None]
    on_end: Callable[[], None]

    async def send(self, receive: Receive, send: Send) -> None:
        """Until the client leaves or the stream ends."""
        leaving = asyncio.create_task(self._await_leave(receive))
        try:
            with suppress(DatabaseUnavailable):  # the client resumes where the response ends
                async for frame in self.frames:
                    await send({"type": "http.response.body", "body": frame, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            await self.end()

    async def _await_leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.on_leave()

    async def end(self) -> None:
        try:
            await self.frames.aclose()
        finally:
            self.on_end()


_REST = "docsieve.rest_of_stream"


def rest_of_stream(scope: Scope) -> Rest | None:
    """The rest to send, if the response goes on."""
    rest: Rest | None = scope.get(_REST)
    return rest
