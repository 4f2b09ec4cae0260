"""Which connections are used again."""

import asyncio

import pytest

from docsieve.errors.outbound import AddressNotAllowed
from docsieve.outbound import connections, pool
from docsieve.outbound.connections import MAX_RESPONSE_BYTES
from tests.outbound.calls import PATIENT, Names, Opened, post
from tests.outbound.receivers import OK, Receiver, answering, receiver


async def test_a_connection_is_reused_and_its_name_resolved_once(opened: Opened) -> None:
    names = Names("127.0.0.1")
    client = opened(names)
    body = bytes(MAX_RESPONSE_BYTES // 4)  # together, the responses exceed what one may have
    async with receiver(answering(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)) as decent:
        for _ in range(8):
            await post(client, f"http://receiver.test:{decent.port}/")

    assert (len(decent.heard), len(decent.peers), names.asked) == (8, 1, ["receiver.test"])


async def test_a_connection_that_the_receiver_closed_is_not_reused(opened: Opened) -> None:
    hang_up = asyncio.Event()

    async def behave(receiver: Receiver, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await receiver.request(reader)
        await receiver.send(writer, OK)
        await hang_up.wait()

    client = opened()
    async with receiver(behave) as decent:
        await post(client, f"http://127.0.0.1:{decent.port}/")
        hang_up.set()
        await asyncio.wait_for(decent.closed.wait(), PATIENT)
        assert (await post(client, f"http://127.0.0.1:{decent.port}/")).body_start == b"ok"

    assert len(decent.peers) == 2


async def test_only_so_many_idle_connections_are_kept(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MAX_IDLE", 2)
    client = opened(Names("127.0.0.1"))
    async with receiver(answering(OK)) as decent:
        for name in ("a", "b", "c", "c", "b", "a"):
            await post(client, f"http://{name}.test:{decent.port}/")

    assert len(decent.peers) == 4  # the one to a was closed for c's


async def test_a_connection_is_not_reused_for_another_host_at_the_same_address(opened: Opened) -> None:
    client = opened(Names("127.0.0.1"))
    async with receiver(answering(OK)) as shared:
        for name in ("one.test", "two.test"):
            await post(client, f"http://{name}:{shared.port}/")

    assert len(shared.peers) == 2
    assert f"Host: one.test:{shared.port}".encode() in shared.heard[0]
    assert f"Host: two.test:{shared.port}".encode() in shared.heard[1]


async def test_a_connection_of_some_age_is_not_reused(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_AGE_SECONDS", 0.0)
    names = Names("127.0.0.1")
    client = opened(names)
    async with receiver(answering(OK)) as decent:
        await post(client, f"http://receiver.test:{decent.port}/")
        names.addresses = ("10.0.0.1",)
        with pytest.raises(AddressNotAllowed):
            await post(client, f"http://receiver.test:{decent.port}/")

    assert len(decent.heard) == 1
