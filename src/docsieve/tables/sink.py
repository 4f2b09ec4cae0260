"""A file whose bytes are taken away while it is written."""

import io

from typing_extensions import Buffer


class Sink(io.RawIOBase):
    """It cannot be rewound, because its bytes may already have been sent."""

    def __init__(self) -> None:
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer, /) -> int:
        before = len(self._held)
        self._held += memoryview(data)
        return len(self._held) - before

    def take(self) -> bytes:
        taken = bytes(self._held)
        self._held.clear()
        return taken
