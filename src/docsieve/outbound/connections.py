"""Connections that are made to checked addresses only, and of which only so much is read."""

import ssl
import time
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from typing import Any

import httpcore

from docsieve.errors.outbound import AddressNotAllowed
from docsieve.outbound.addresses import Address, AddressPolicy
from docsieve.outbound.resolver import Resolve
from docsieve.outbound.streams import connect

MAX_RESPONSE_BYTES = 32 * 1024
"""Headers, interim responses and the part of the body that is read, together."""

MAX_AGE_SECONDS = 60.0
"""A connection is reused for so long; then the name is resolved and checked again."""

_CONNECT_SECONDS = 5.0
_MAX_ADDRESSES = 4


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Resolves a name once per connection, checks every address, and connects to one of those.

    TLS is not affected: the certificate is checked against the name.
    """

    def __init__(
        self, policy: AddressPolicy, resolve: Resolve, *, max_response_bytes: int = MAX_RESPONSE_BYTES
    ) -> None:
        self._policy = policy
        self._resolve = resolve
        self._max_response_bytes = max_response_bytes

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raises AddressNotAllowed if the name has an address that must not be called, even among others."""
        addresses = await self._addresses(host)
        if not all(self._policy.allows(each) for each in addresses):
            raise AddressNotAllowed(f"{host} has an address that is not allowed.")
        return _BoundedStream(await self._connect(addresses[:_MAX_ADDRESSES], port), self._max_response_bytes)

    async def _addresses(self, host: str) -> list[Address]:
        try:
            return [ip_address(host)]
        except ValueError:
            return await self._resolve(host)

    async def _connect(self, addresses: Sequence[Address], port: int) -> httpcore.AsyncNetworkStream:
        for address in addresses[:-1]:
            try:
                return await connect(str(address), port, timeout=_CONNECT_SECONDS)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await connect(str(addresses[-1]), port, timeout=_CONNECT_SECONDS)


class _BoundedStream(httpcore.AsyncNetworkStream):
    """Reads a limited number of bytes per response. What follows a write is a new response."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, max_bytes: int) -> None:
        self._stream = stream
        self._max_bytes = self._left = max_bytes
        self._expires = time.monotonic() + MAX_AGE_SECONDS

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._left <= 0:
            raise httpcore.RemoteProtocolError("The response is too large.")
        data = await self._stream.read(min(max_bytes, self._left), timeout)
        self._left -= len(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._left = self._max_bytes
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        secured = await self._stream.start_tls(ssl_context, server_hostname, timeout)
        return _BoundedStream(secured, self._max_bytes)

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable" and time.monotonic() > self._expires:
            return True  # the pool drops an idle connection that has something to say
        return self._stream.get_extra_info(info)
