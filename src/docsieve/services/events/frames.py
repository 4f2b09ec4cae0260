"""Events in the format of server-sent events."""

import json
from uuid import UUID

from docsieve.domain.events import Event

RETRY_MS = 2000
"""How long browsers wait before they connect again."""

START = UUID(int=0)
"""As Last-Event-ID: before the oldest event that is kept."""


def event_frame(event: Event, server: str | None) -> bytes:
    """`server` is the address at which clients reach the API, if it is known."""
    data = json.dumps(event.envelope(server), separators=(",", ":"))
    return f"id: {event.id}\nevent: {event.type}\ndata: {data}\n\n".encode()


def opening_frame(last_id: UUID | None) -> bytes:
    """The first frame. An id without data is what a client repeats if it loses the connection before an event."""
    return f"retry: {RETRY_MS}\n".encode() + _id_line(last_id) + b"\n"


def reset_frame() -> bytes:
    """The events after the client's Last-Event-ID are not known any more, so it must load everything again."""
    return b"event: reset\ndata: {}\n\n"


def heartbeat_frame(last_id: UUID | None) -> bytes:
    return b": heartbeat\n" + _id_line(last_id) + b"\n"


def _id_line(last_id: UUID | None) -> bytes:
    return b"" if last_id is None else f"id: {last_id}\n".encode()
