"""Limits on the size of a request body: small at first, and raised once the caller and the route are known."""

import math

from starlette.requests import Request
from starlette.types import Message, Receive, Scope

from docsieve.errors import TooLarge

UNKNOWN_SENDER_BYTES = 16 * 1024
KNOWN_SENDER_BYTES = 1024**2

_LIMIT = "docsieve.body_limit"


class _BodyLimit:
    bytes: float = UNKNOWN_SENDER_BYTES


def bounded(scope: Scope, receive: Receive) -> Receive:
    """Raises TooLarge once the received bytes exceed the current limit."""
    limit = scope[_LIMIT] = _BodyLimit()
    seen = 0

    async def receive_bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit.bytes:
            raise TooLarge(f"The body is larger than {limit.bytes} bytes.")
        return message

    return receive_bounded


def allow_known_sender(request: Request) -> None:
    request.scope[_LIMIT].bytes = KNOWN_SENDER_BYTES


def allow_stream(request: Request) -> None:
    """For a route that never holds the whole body in memory and limits its size itself."""
    request.scope[_LIMIT].bytes = math.inf
