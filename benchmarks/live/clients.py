"""Many clients with a socket each, as cheap as Python allows: they share the machine with the service."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

from benchmarks.dashboards.polling import LATEST_SECONDS, SLOWER_BY, SOONEST_SECONDS
from benchmarks.uploads.serving import KEY

_OPENING_AT_ONCE = 50


@dataclass
class Audience:
    """The clients of all streams. Delays are those of the first: to take the time of all of them would take a core."""

    heard: list[int]
    delays: list[float] = field(default_factory=list)
    more: asyncio.Event = field(default_factory=asyncio.Event)

    async def heard_all(self, count: int) -> None:
        while min(self.heard) < count:
            self.more.clear()
            await self.more.wait()

    async def listen(self, place: int, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if line.startswith(b"data: "):
                self.heard[place] += 1
                self.more.set()
                if place == 0:
                    written = datetime.fromisoformat(json.loads(line[6:])["created_at"])
                    self.delays.append((time.time() - written.timestamp()) * 1000)


@asynccontextmanager
async def audience(port: int, count: int) -> AsyncIterator[Audience]:
    """So many open streams of all events."""
    present = Audience([0] * count)
    async with _connections(port, count) as connections:
        for reader, writer in connections:
            writer.write(_request("/api/v1/events"))
            assert b" 200 " in await reader.readline()
        listening = [asyncio.create_task(present.listen(place, each[0])) for place, each in enumerate(connections)]
        try:
            yield present
        finally:
            for task in listening:
                task.cancel()


async def poll_each(port: int, document_ids: Sequence[str], seconds: float) -> list[float]:
    """One client per document that asks for its status as the dashboard does; the seconds that each answer took."""
    took: list[float] = []
    async with _connections(port, len(document_ids)) as connections, asyncio.TaskGroup() as group:
        end = time.perf_counter() + seconds
        for document_id, (reader, writer) in zip(document_ids, connections, strict=True):
            path = f"/api/v1/documents/{document_id}/status"
            group.create_task(_poll(path, reader, writer, end, took))
    return took


async def _poll(
    path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, end: float, took: list[float]
) -> None:
    etag, wait = "", SOONEST_SECONDS
    await asyncio.sleep(random.uniform(0, LATEST_SECONDS))
    while (asked := time.perf_counter()) < end:
        writer.write(_request(path, f"If-None-Match: {etag}\r\n"))
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
        await reader.readexactly(int(headers.get("content-length", "0")))
        took.append(time.perf_counter() - asked)
        wait = min(LATEST_SECONDS, wait * SLOWER_BY) if " 304 " in head else SOONEST_SECONDS
        etag = headers["etag"]
        await asyncio.sleep(min(wait, max(0.0, end - time.perf_counter())))


def _request(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: {KEY}\r\n{more}\r\n".encode()


Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def _connections(port: int, count: int) -> AsyncIterator[list[Connection]]:
    opening = asyncio.Semaphore(_OPENING_AT_ONCE)

    async def connect() -> Connection:
        async with opening:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            # one that says nothing for ten seconds is closed
            writer.write(b"GET /livez HTTP/1.1\r\nHost: bench\r\n\r\n")
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            await reader.readexactly(int(head.partition("content-length: ")[2].split("\r\n")[0]))
            return reader, writer

    connections = await asyncio.gather(*(connect() for _ in range(count)))
    try:
        yield connections
    finally:
        for _, writer in connections:
            writer.close()
