"""Calls to a user-given URL: no redirects, no proxies, no decompression; everything that comes back is limited.

A message is posted, and what comes back is small. A file is got in chunks, and the reader limits how many.
"""

import asyncio
import ssl
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from types import MappingProxyType

import httpcore
import httpx

from docsieve import __version__
from docsieve.errors.outbound import ReceiverTimeout, ReceiverUnreachable
from docsieve.outbound.addresses import AddressPolicy
from docsieve.outbound.connections import CheckedBackend
from docsieve.outbound.pool import Connection, ConnectionPool
from docsieve.outbound.resolver import Resolve, SystemResolver
from docsieve.outbound.urls import Target, parse_url
from docsieve.settings import PortRange

MAX_BODY_BYTES = 4096
BODY_SECONDS = 2.0
"""The status is the answer. The body is for the log, and is not waited for any longer."""


@dataclass(frozen=True, slots=True)
class OutboundResponse:
    """`headers` have lower-case names. `body_start` is as it was sent, perhaps compressed."""

    status: int
    headers: Mapping[str, str]
    body_start: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class OutboundDownload:
    """`headers` have lower-case names. `chunks` raises if the body is not complete in the end."""

    status: int
    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]


class OutboundClient:
    """Calls receivers and sources, any number at a time."""

    def __init__(
        self,
        policy: AddressPolicy,
        ports: Sequence[PortRange],
        *,
        resolve: Resolve | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._ports = ports
        resolve = resolve or SystemResolver()
        tls = tls or httpx.create_ssl_context()  # honors SSL_CERT_FILE, for receivers with their own CA
        self._pool = ConnectionPool(CheckedBackend(policy, resolve), tls)
        # A connection that carried a file is not used again.
        self._downloads = ConnectionPool(CheckedBackend(policy, resolve, max_response_bytes=sys.maxsize), tls)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes, *, timeout: float) -> OutboundResponse:
        """Send `body` and return what came back within `timeout` seconds, whatever its status.

        Raises UrlInvalid, AddressNotAllowed, ReceiverUnreachable and ReceiverTimeout.
        """
        target = parse_url(url)
        target.check(self._policy, self._ports)
        started = time.monotonic()
        connection = await self._pool.take(target)
        try:
            length = {"Content-Length": str(len(body))}
            response = await _send(connection, _request("POST", target, {**length, **headers}, body), timeout)
            try:
                left = timeout - (time.monotonic() - started)
                body_start = await _beginning(response, min(left, BODY_SECONDS))
            finally:
                await response.aclose()
        finally:
            await self._pool.give_back(target, connection)
        return OutboundResponse(response.status, _headers(response), body_start, time.monotonic() - started)

    @asynccontextmanager
    async def get(
        self, url: str, *, timeout: float, headers: Mapping[str, str] = MappingProxyType({})
    ) -> AsyncIterator[OutboundDownload]:
        """Request a file, whatever the status of the response. Each step may take `timeout` seconds.

        Raises UrlInvalid, AddressNotAllowed, ReceiverUnreachable and ReceiverTimeout.
        """
        target = parse_url(url)
        target.check(self._policy, self._ports)
        connection = await self._downloads.take(target)
        try:
            response = await _send(connection, _request("GET", target, headers), timeout)
            try:
                yield OutboundDownload(response.status, _headers(response), _chunks(response, timeout))
            finally:
                await response.aclose()
        finally:
            await connection.aclose()

    async def close(self) -> None:
        await self._pool.close()


def _headers(response: httpcore.Response) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}


def _request(method: str, target: Target, headers: Mapping[str, str], body: bytes = b"") -> httpcore.Request:
    sent: list[tuple[bytes | str, bytes | str]] = [
        ("Host", target.authority),
        ("User-Agent", f"Docsieve/{__version__}"),
        ("Accept", "*/*"),
        ("Accept-Encoding", "identity"),
        *headers.items(),
    ]
    return httpcore.Request(
        method,
        httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path),
        headers=sent,
        content=body,
    )


async def _send(connection: Connection, request: httpcore.Request, timeout: float) -> httpcore.Response:
    """Returns when the headers of the response are there."""
    with _as_ours(timeout):
        async with asyncio.timeout(timeout):
            return await connection.handle_async_request(request)


async def _chunks(response: httpcore.Response, timeout: float) -> AsyncIterator[bytes]:
    async with aclosing(response.aiter_stream()) as pieces:  # type: ignore[type-var]
        while True:
            with _as_ours(timeout):
                async with asyncio.timeout(timeout):
                    piece = await anext(pieces, None)
            if piece is None:
                return
            yield piece


@contextmanager
def _as_ours(timeout: float) -> Iterator[None]:
    try:
        yield
    except (TimeoutError, httpcore.TimeoutException):
        raise ReceiverTimeout(f"The server did not respond within {timeout:g} seconds.") from None
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        # Without a cause: that would hold the request, and with it the signature.
        raise ReceiverUnreachable(_reason(error)) from None


async def _beginning(response: httpcore.Response, seconds: float) -> bytes:
    """What the body starts with. A body that breaks off, drips or is too large does not change the answer."""
    found = bytearray()
    try:
        async with asyncio.timeout(seconds), aclosing(response.aiter_stream()) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                found += piece
    except (TimeoutError, httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, OSError):
        pass
    return bytes(found[:MAX_BODY_BYTES])


def _reason(error: Exception) -> str:
    """What went wrong, in words of ours and of the TLS library; nothing of the server's."""
    cause = error.__cause__ or error.__context__ or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"The server's certificate is not valid: {cause.verify_message}."
    if isinstance(cause, ssl.SSLError):
        return "TLS with the server failed."
    if isinstance(error, httpcore.ConnectError):
        return "The server refused the connection or could not be reached."
    if isinstance(error, httpcore.ProtocolError):
        return "The server's response is not valid, is too large, or was cut off."
    return "The connection to the receiver was lost."
