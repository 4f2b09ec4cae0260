"""Clients for the tests of outgoing calls."""

import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack
from ipaddress import ip_network

import pytest

from docsieve.outbound.addresses import AddressPolicy
from docsieve.outbound.http import OutboundClient
from tests.outbound.calls import Names, Opened


@pytest.fixture
async def opened() -> AsyncIterator[Opened]:
    """Opens clients that may call the loopback."""
    async with AsyncExitStack() as stack:

        def open_client(
            names: Names | None = None, *, tls: ssl.SSLContext | None = None, allow: Iterable[str] = ("127.0.0.1/32",)
        ) -> OutboundClient:
            policy = AddressPolicy([ip_network(each) for each in allow])
            client = OutboundClient(policy, [(1, 65535)], resolve=names, tls=tls)
            stack.push_async_callback(client.close)
            return client

        yield open_client
