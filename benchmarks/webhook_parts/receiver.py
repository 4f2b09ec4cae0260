"""A receiver in a separate process: answers `/ok` at once, `/report` with its counts, and other paths badly."""

import asyncio
import json
import sys
import time

_ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
_BAD_ANSWERS = {
    b"/500": b"HTTP/1.1 500 Error\r\ncontent-length: 0\r\n\r\n",
    b"/302": b"HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/latest\r\ncontent-length: 0\r\n\r\n",
    b"/410": b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n",
}
_DRIP_SECONDS = 0.5
_PIECE = b"x" * 65_536


class Counts:
    first = last = 0.0
    answered = held = 0


class Receiver(asyncio.Protocol):
    def __init__(self) -> None:
        self._buffer = b""
        self._endless = self._paused = False

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._flood()

    def _flood(self) -> None:
        if self._endless and not self._paused and not self._transport.is_closing():
            self._transport.write(_PIECE)
            asyncio.get_running_loop().call_soon(self._flood)

    def _drip(self, rest: bytes) -> None:
        if rest and not self._transport.is_closing():
            self._transport.write(rest[:1])
            asyncio.get_running_loop().call_later(_DRIP_SECONDS, self._drip, rest[1:])

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            length = 0
            if (at := head.find(b"content-length:")) >= 0:
                length = int(head[at + 15 :].split(b"\r\n", 1)[0])
            if len(self._buffer) < end + 4 + length:
                return
            self._buffer = self._buffer[end + 4 + length :]
            self._respond(head.split(b" ", 2)[1])

    def _respond(self, path: bytes) -> None:
        if path == b"/report":
            body = json.dumps(vars_of(Counts)).encode()
            self._transport.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        elif path.startswith(b"/hang"):
            Counts.held += 1
        elif path in _BAD_ANSWERS:
            self._transport.write(_BAD_ANSWERS[path])
        elif path == b"/close":
            self._transport.close()
        elif path == b"/drip":
            self._drip(b"HTTP/1.1 200 OK\r\nx-slow: " + b"x" * 1000)
        elif path == b"/endless":
            self._transport.write(b"HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n")
            self._endless = True
            self._flood()
        else:
            Counts.last = time.monotonic()
            Counts.first = Counts.first or Counts.last
            Counts.answered += 1
            self._transport.write(_ANSWER)


def vars_of(counts: type[Counts]) -> dict[str, float]:
    return {"first": counts.first, "last": counts.last, "answered": counts.answered, "held": counts.held}


async def main(port: int) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Receiver, "0.0.0.0", port, backlog=4096)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
