"""Files from servers on real sockets, some of them hostile."""

import asyncio

import pytest

from docsieve.errors.outbound import AddressNotAllowed, ReceiverTimeout, ReceiverUnreachable
from docsieve.outbound.connections import MAX_RESPONSE_BYTES
from docsieve.outbound.http import OutboundClient
from tests.outbound.calls import PATIENT, Names, Opened
from tests.outbound.receivers import OK, Behavior, answering, breaking_off, hanging, receiver

FILE = b"%PDF" + bytes(range(256)) * 4096
WHOLE = b"HTTP/1.1 200 OK\r\nX-One: 1\r\nContent-Length: %d\r\n\r\n" % len(FILE) + FILE
IMPATIENT = 0.4


async def download(client: OutboundClient, url: str, timeout: float = PATIENT) -> tuple[int, bytes]:
    async with client.get(url, timeout=timeout) as response:
        return response.status, b"".join([chunk async for chunk in response.chunks])


async def test_a_file_comes_in_chunks_and_may_be_large(opened: Opened) -> None:
    assert len(FILE) > MAX_RESPONSE_BYTES
    async with receiver(answering(WHOLE)) as server:
        found = await download(opened(), f"http://127.0.0.1:{server.port}/a.pdf?b=c")
    assert found == (200, FILE)
    assert server.heard[0].startswith(b"GET /a.pdf?b=c HTTP/1.1\r\n")
    assert b"accept-encoding: identity" in server.heard[0].lower()
    assert b"authorization" not in server.heard[0].lower()


@pytest.mark.parametrize(
    "response",
    [WHOLE[:-1], b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"],
    ids=["length", "chunked"],
)
async def test_a_body_that_breaks_off_is_an_error(opened: Opened, response: bytes) -> None:
    async with receiver(breaking_off(response)) as server:
        with pytest.raises(ReceiverUnreachable):
            await download(opened(), f"http://127.0.0.1:{server.port}/")


async def _stalling(server: object, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(WHOLE[:1000])
    await reader.read()


@pytest.mark.parametrize("behave", [hanging, _stalling], ids=["before the headers", "in the body"])
async def test_a_server_that_says_nothing_for_long_is_given_up(opened: Opened, behave: Behavior) -> None:
    async with receiver(behave) as server:
        with pytest.raises(ReceiverTimeout):
            await download(opened(), f"http://127.0.0.1:{server.port}/", IMPATIENT)
        await asyncio.wait_for(server.closed.wait(), PATIENT)


async def test_a_redirect_is_not_followed(opened: Opened) -> None:
    async with receiver(answering(OK)) as canary:
        moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n" % canary.port
        async with receiver(answering(moved)) as server:
            assert await download(opened(), f"http://127.0.0.1:{server.port}/") == (302, b"")
    assert canary.peers == []


async def test_a_name_that_leads_to_a_forbidden_address_is_not_connected_to(opened: Opened) -> None:
    async with receiver(answering(OK)) as canary:
        client = opened(Names("127.0.0.1"), allow=())
        with pytest.raises(AddressNotAllowed):
            await download(client, f"http://files.example.com:{canary.port}/")
        with pytest.raises(AddressNotAllowed):
            await download(client, f"http://127.0.0.1:{canary.port}/")
    assert canary.peers == []


async def test_a_proxy_of_the_environment_is_not_used(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiver(answering(OK)) as proxy, receiver(answering(WHOLE)) as server:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert await download(opened(), f"http://127.0.0.1:{server.port}/") == (200, FILE)
    assert proxy.peers == []
