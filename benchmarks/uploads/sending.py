"""The client's process: `python -m benchmarks.uploads.sending PORT PATH KEY SIZE CONNECTIONS REQUESTS`.

It prints one JSON object: seconds for all requests, and each one's latency. Bodies are made before the clock starts
and go out over kept connections as they are, so that the client costs little beside the server.
"""

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from uuid import uuid4

import uvloop

BOUNDARY = "bench-boundary"
OPENING = (
    f"--{BOUNDARY}\r\n"
    'Content-Disposition: form-data; name="file"; filename="bench.txt"\r\n'
    "Content-Type: text/plain\r\n\r\n"
).encode()
CLOSING = f"\r\n--{BOUNDARY}--\r\n".encode()
LINE = b"A line of an invoice, 12 pieces at 3.50 each, 42.00 in all, thank you very much.\n"
STREAM_BYTES = 256 * 1024


@dataclass
class Sender:
    port: int
    path: str
    key: str
    content: bytes
    latencies: list[float] = field(default_factory=list)

    def head(self, framing: str) -> bytes:
        return (
            f"POST {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {self.key}\r\n"
            f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n{framing}\r\n\r\n"
        ).encode()

    async def send(self, requests: int, start: asyncio.Barrier) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        await self._request(reader, writer)
        await start.wait()
        for _ in range(requests):
            begun = time.perf_counter()
            await self._request(reader, writer)
            self.latencies.append(time.perf_counter() - begun)
        writer.close()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # no two documents are the same
        first = f"{uuid4()}\n".encode()
        length = len(OPENING) + len(first) + len(self.content) + len(CLOSING)
        writer.write(self.head(f"Content-Length: {length}") + OPENING + first)
        writer.write(self.content)
        writer.write(CLOSING)
        await writer.drain()
        await read_answer(reader)

    async def stream(self, size: int) -> bytes:
        """Send one document in chunks made on the way; the answer's body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(self.head("Transfer-Encoding: chunked") + _chunk(OPENING))
        piece = _chunk((LINE * (STREAM_BYTES // len(LINE) + 1))[:STREAM_BYTES])
        for _ in range(size // STREAM_BYTES):
            writer.write(piece)
            await writer.drain()
        writer.write(_chunk(CLOSING) + b"0\r\n\r\n")
        answer = await read_answer(reader)
        writer.close()
        return answer


def _chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


async def read_answer(reader: asyncio.StreamReader) -> bytes:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    body = await reader.readexactly(length)
    if not head.startswith(b"http/1.1 200"):
        raise RuntimeError(f"an upload was refused: {head[:12]!r} {body[:500]!r}")
    return body


async def _send_all(sender: Sender, connections: int, requests: int) -> float:
    start = asyncio.Barrier(connections + 1)
    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(sender.send(requests // connections, start))
        await start.wait()
        begun = time.perf_counter()
    return time.perf_counter() - begun


def main() -> None:
    port, path, key, *counts = sys.argv[1:]
    size, connections, requests = map(int, counts)
    sender = Sender(int(port), path, key, (LINE * (size // len(LINE) + 1))[:size])
    seconds = uvloop.run(_send_all(sender, connections, requests))
    print(json.dumps({"seconds": seconds, "latencies": sender.latencies}))


if __name__ == "__main__":
    main()
