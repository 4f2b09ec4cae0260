"""Messages between the pool and its children: JSON with a length prefix of four bytes, limited in size."""

import json
import socket
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Not in a child, which would load TLS with it and copy all of that at every fork.
    from asyncio import StreamReader

MAX_FRAME_BYTES = 1024 * 1024

_LENGTH = struct.Struct(">I")


class BadFrame(Exception):
    """The other side sent something that is not a frame of ours."""


def encode(message: dict[str, Any]) -> bytes:
    body = json.dumps(message).encode()
    if len(body) > MAX_FRAME_BYTES:
        raise BadFrame(f"a frame of {len(body)} bytes is larger than {MAX_FRAME_BYTES}")
    return _LENGTH.pack(len(body)) + body


async def read(reader: "StreamReader") -> dict[str, Any]:
    """The next frame; raises IncompleteReadError if the other side is gone."""
    length = _checked_length(await reader.readexactly(_LENGTH.size))
    return _decode(await reader.readexactly(length))


def receive(connection: socket.socket) -> dict[str, Any] | None:
    """The next frame, or None if the other side is gone."""
    head = _receive_exactly(connection, _LENGTH.size)
    body = _receive_exactly(connection, _checked_length(head)) if head else b""
    return _decode(body) if body else None


def _receive_exactly(connection: socket.socket, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        part = connection.recv(size - len(received))
        if not part:
            return b""
        received += part
    return bytes(received)


def _checked_length(head: bytes) -> int:
    length: int = _LENGTH.unpack(head)[0]
    if length > MAX_FRAME_BYTES:
        raise BadFrame(f"a frame of {length} bytes is larger than {MAX_FRAME_BYTES}")
    return length


def _decode(body: bytes) -> dict[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadFrame("a frame is not JSON") from error
    if not isinstance(message, dict):
        raise BadFrame("a frame is not an object")
    return message
