"""A connection for httpcore, directly on the event loop: a message is sent in one piece, and little is read ahead.

httpcore's own streams lead through anyio and send headers and body separately. At low rates that was a third of the
processor time of a delivery.
"""

import asyncio
import select
import ssl
from typing import Any, cast

import httpcore

_READ_AHEAD_BYTES = 64 * 1024


class Stream(httpcore.AsyncNetworkStream):
    """Sends what was written with the first read after it."""

    def __init__(self, transport: asyncio.Transport, incoming: "_Incoming") -> None:
        self._transport = transport
        self._incoming = incoming
        self._unsent: list[bytes] = []

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Raises httpcore.ReadError if the connection was lost, once everything that came before was read."""
        self._send()
        try:
            async with asyncio.timeout(timeout):
                return await self._incoming.take(max_bytes)
        except TimeoutError as error:
            raise httpcore.ReadTimeout(str(error)) from error
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if buffer:
            self._unsent.append(buffer)

    def _send(self) -> None:
        """A connection that is lost meanwhile says so when it is read: the server may have responded before."""
        unsent, self._unsent = self._unsent, []
        if unsent and not self._transport.is_closing():
            self._transport.write(b"".join(unsent))

    async def aclose(self) -> None:
        self._transport.abort()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                secured = await loop.start_tls(
                    self._transport, self._incoming, ssl_context, server_hostname=server_hostname
                )
            if secured is None:
                raise ConnectionAbortedError
        except TimeoutError as error:
            self._transport.abort()
            raise httpcore.ConnectTimeout(str(error)) from error
        except OSError as error:  # among them all errors of TLS
            self._transport.abort()
            raise httpcore.ConnectError(str(error)) from error
        except BaseException:
            self._transport.abort()
            raise
        self._incoming.transport = secured
        return Stream(secured, self._incoming)

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            return self._incoming.has_news or _has_unread(self._transport)
        return self._transport.get_extra_info(info)


class _Incoming(asyncio.Protocol):
    """What has been received and not been read."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._received = bytearray()
        self._waiting: asyncio.Future[None] | None = None
        self._ended = self._paused = False
        self._error: Exception | None = None

    @property
    def has_news(self) -> bool:
        return self._ended or bool(self._received)

    async def take(self, max_bytes: int) -> bytes:
        """Nothing at the end. Raises OSError if the connection was lost."""
        if not self._received and not self._ended:
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        if not self._received and self._error is not None:
            raise ConnectionResetError(str(self._error)) from self._error
        taken = bytes(self._received[:max_bytes])
        del self._received[:max_bytes]
        if self._paused and len(self._received) < _READ_AHEAD_BYTES:
            self._paused = False
            self.transport.resume_reading()
        return taken

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's own class

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._paused and len(self._received) >= _READ_AHEAD_BYTES:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        self._ended, self._error = True, error
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


def _has_unread(transport: asyncio.Transport) -> bool:
    """Whether the kernel has something that the event loop has not passed on yet, such as the end."""
    poll = select.poll()
    poll.register(transport.get_extra_info("socket"), select.POLLIN)
    return bool(poll.poll(0))


async def connect(host: str, port: int, *, timeout: float) -> Stream:
    """Raises httpcore.ConnectError and httpcore.ConnectTimeout."""
    try:
        async with asyncio.timeout(timeout):
            transport, incoming = await asyncio.get_running_loop().create_connection(_Incoming, host, port)
    except TimeoutError as error:
        raise httpcore.ConnectTimeout(str(error)) from error
    except OSError as error:
        raise httpcore.ConnectError(str(error)) from error
    return Stream(transport, incoming)
