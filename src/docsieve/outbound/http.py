"""One POST to a user-given URL: no redirects, no proxies, no decompression; everything that comes back is limited."""

import asyncio
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

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


class OutboundClient:
    """Calls receivers, any number at a time."""

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
        self._pool = ConnectionPool(
            CheckedBackend(policy, resolve or SystemResolver()),
            tls or httpx.create_ssl_context(),  # honors SSL_CERT_FILE, for receivers with their own CA
        )

    async def post(self, url: str, headers: Mapping[str, str], body: bytes, *, timeout: float) -> OutboundResponse:
        """Send `body` and return what came back within `timeout` seconds, whatever its status.

        Raises UrlInvalid, AddressNotAllowed, ReceiverUnreachable and ReceiverTimeout.
        """
        target = parse_url(url)
        target.check(self._policy, self._ports)
        started = time.monotonic()
        connection = await self._pool.take(target)
        try:
            response = await _send(connection, _request(target, headers, body), timeout)
            try:
                left = timeout - (time.monotonic() - started)
                body_start = await _beginning(response, min(left, BODY_SECONDS))
            finally:
                await response.aclose()
        finally:
            await self._pool.give_back(target, connection)
        received = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        return OutboundResponse(response.status, received, body_start, time.monotonic() - started)

    async def close(self) -> None:
        await self._pool.close()


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> httpcore.Request:
    sent: list[tuple[bytes | str, bytes | str]] = [
        ("Host", target.authority),
        ("User-Agent", f"Docsieve/{__version__}"),
        ("Accept", "*/*"),
        ("Accept-Encoding", "identity"),
        ("Content-Length", str(len(body))),
        *headers.items(),
    ]
    return httpcore.Request(
        "POST",
        httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path),
        headers=sent,
        content=body,
    )


async def _send(connection: Connection, request: httpcore.Request, timeout: float) -> httpcore.Response:
    """Returns when the headers of the response are there."""
    try:
        async with asyncio.timeout(timeout):
            return await connection.handle_async_request(request)
    except (TimeoutError, httpcore.TimeoutException):
        raise ReceiverTimeout(f"The receiver did not respond within {timeout:g} seconds.") from None
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
    """What went wrong, in words of ours and of the TLS library; nothing of the receiver's."""
    cause = error.__cause__ or error.__context__ or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"The receiver's certificate is not valid: {cause.verify_message}."
    if isinstance(cause, ssl.SSLError):
        return "TLS with the receiver failed."
    if isinstance(error, httpcore.ConnectError):
        return "The receiver refused the connection or could not be reached."
    if isinstance(error, httpcore.ProtocolError):
        return "The receiver's response is not valid, is too large, or was cut off."
    return "The connection to the receiver was lost."
