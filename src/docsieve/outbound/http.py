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
from docsieve.outbound.resolver import Resolve, SystemResolver
from docsieve.outbound.urls import Target, parse_url
from docsieve.settings import PortRange

MAX_BODY_BYTES = 4096
BODY_SECONDS = 2.0
"""The status is the answer. The body is for the log, and is not waited for any longer."""

_MAX_IDLE_CONNECTIONS = 64
_IDLE_SECONDS = 1.0  # shorter than what servers grant, so that none closes a connection while it is being reused


@dataclass(frozen=True, slots=True)
class OutboundResponse:
    """`headers` have lower-case names. `body_start` is as it was sent, perhaps compressed."""

    status: int
    headers: Mapping[str, str]
    body_start: bytes
    seconds: float


class OutboundClient:
    """Calls receivers. Connections are kept per scheme, host and port."""

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
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls or httpx.create_ssl_context(),  # honors SSL_CERT_FILE, for receivers with their own CA
            max_connections=None,
            max_keepalive_connections=_MAX_IDLE_CONNECTIONS,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=CheckedBackend(policy, resolve or SystemResolver()),
        )

    async def post(self, url: str, headers: Mapping[str, str], body: bytes, *, timeout: float) -> OutboundResponse:
        """Send `body` and return what came back within `timeout` seconds, whatever its status.

        Raises UrlInvalid, AddressNotAllowed, ReceiverUnreachable and ReceiverTimeout.
        """
        target = parse_url(url)
        target.check(self._policy, self._ports)
        started = time.monotonic()
        response = await self._send(_request(target, headers, body), timeout)
        try:
            left = timeout - (time.monotonic() - started)
            body_start = await _beginning(response, min(left, BODY_SECONDS))
        finally:
            await response.aclose()
        received = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        return OutboundResponse(response.status, received, body_start, time.monotonic() - started)

    async def _send(self, request: httpcore.Request, timeout: float) -> httpcore.Response:
        """Until the headers of the response are there."""
        try:
            async with asyncio.timeout(timeout):
                return await self._pool.handle_async_request(request)
        except (TimeoutError, httpcore.TimeoutException):
            raise ReceiverTimeout(f"The receiver did not respond within {timeout:g} seconds.") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
            # Without a cause: that would hold the request, and with it the signature.
            raise ReceiverUnreachable(_reason(error)) from None

    async def close(self) -> None:
        await self._pool.aclose()


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> httpcore.Request:
    sent = {
        "Host": target.authority,
        "User-Agent": f"Docsieve/{__version__}",
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Content-Length": str(len(body)),
        **headers,
    }
    return httpcore.Request(
        "POST",
        httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path),
        headers=sent,
        content=body,
    )


async def _beginning(response: httpcore.Response, seconds: float) -> bytes:
    """What the body starts with. A body that breaks off or drips does not change the answer."""
    found = bytearray()
    try:
        async with asyncio.timeout(seconds), aclosing(response.aiter_stream()) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                found += piece
                if len(found) >= MAX_BODY_BYTES:
                    break
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
