"""A response that goes on until the client leaves or the stream is ended."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress

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
        self._frames = frames
        self._on_leave = on_leave
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        leaving = asyncio.create_task(self._await_leave(receive))
        try:
            async with aclosing(self._frames):
                # an event that happens after the client got the headers belongs to the stream
                first = await anext(self._frames, b"")
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                await send({"type": "http.response.body", "body": first, "more_body": True})
                with suppress(DatabaseUnavailable):  # the client resumes where the response ends
                    async for frame in self._frames:
                        await send({"type": "http.response.body", "body": frame, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._on_end()

    async def _await_leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._on_leave()
