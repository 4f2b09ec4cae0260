"""An HTTP proxy in front of a server on loopback that misbehaves as it is told to."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    """What happens to one request with the method, any if it is empty.

    `status` answers without asking the server, with `body`. `keep` cuts the answer off after so many bytes of its
    body. `stall` never answers. `flip` changes one byte in the middle of the body.
    """

    method: str = ""
    status: int | None = None
    body: bytes = b""
    keep: int | None = None
    stall: bool = False
    flip: bool = False


@dataclass
class FaultyProxy:
    """`faults` are used up one by one; `always` applies when there are none left."""

    upstream: int
    port: int = 0
    faults: deque[Fault] = field(default_factory=deque)
    always: Fault | None = None
    seen: list[str] = field(default_factory=list)

    def _fault(self, method: str) -> Fault:
        if self.faults and self.faults[0].method in ("", method):
            return self.faults.popleft()
        if self.always is not None and self.always.method in ("", method):
            return self.always
        return Fault()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._forward(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
        body = await reader.readexactly(int(headers.get(b"content-length", b"0")))
        method = lines[0].split()[0].decode()
        self.seen.append(lines[0].decode())
        fault = self._fault(method)
        if fault.stall:
            await reader.read()  # until the client gives up
            return
        if fault.status is not None:
            writer.write(b"HTTP/1.1 %d Fault\r\nContent-Length: %d\r\n" % (fault.status, len(fault.body)))
            writer.write(b"Connection: close\r\n\r\n" + fault.body)
            await writer.drain()
            return
        kept = [line for line in lines[1:] if not line.lower().startswith(b"connection:") and line]
        answer = await self._ask(b"\r\n".join([lines[0], *kept, b"Connection: close", b"", b""]) + body)
        writer.write(_damaged(answer, fault))
        await writer.drain()

    async def _ask(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        try:
            writer.write(request)
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()


def _damaged(answer: bytes, fault: Fault) -> bytes:
    head, blank, body = answer.partition(b"\r\n\r\n")
    if fault.keep is not None:
        body = body[: fault.keep]
    if fault.flip and body:
        middle = len(body) // 2
        body = body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]
    return head + blank + body


@asynccontextmanager
async def faulty_proxy(upstream: int) -> AsyncIterator[FaultyProxy]:
    proxy = FaultyProxy(upstream)
    server = await asyncio.start_server(proxy.handle, "127.0.0.1", 0, limit=2**20)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
