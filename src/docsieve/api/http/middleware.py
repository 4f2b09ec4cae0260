"""Wraps every request: request id for the logs, duration, response headers, and a body limit."""

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docsieve import faults, metrics
from docsieve.api.event_stream import rest_of_stream
from docsieve.api.http.body_limit import bounded
from docsieve.api.problems import FRAME_HEADERS
from docsieve.domain.ids import new_short_id
from docsieve.logs import get_logger

log = get_logger()

_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class RequestFrame:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        request_id = new_short_id()
        headers = {"x-request-id": request_id, "x-content-type-options": "nosniff"}
        inner = {**scope, FRAME_HEADERS: headers}
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = time.perf_counter()
        status = 500

        async def send_framed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                added = [(name.encode(), value.encode()) for name, value in headers.items()]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        try:
            await self._app(inner, bounded(inner, receive), send_framed)
            if (rest := rest_of_stream(inner)) is not None:
                # A stream may stay open for hours, and needs nothing of what routing put there, such as exit stacks.
                inner = {"route": inner.get("route")}
                await rest.send(receive, send)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(inner.get("route"), "path", "none")
            metrics.http_seconds.labels(scope["method"], route, status).observe(seconds)
            # The dashboard polls, so successful reads are logged at debug level only.
            say = log.debug if scope["method"] == "GET" and status < 400 else log.info
            say("request", method=scope["method"], route=route, status=status, duration_ms=round(seconds * 1000, 1))
            structlog.contextvars.unbind_contextvars("request_id")
            if scope["method"] not in _READING:
                faults.signal("request.ended", scope["method"], scope["path"], status)
