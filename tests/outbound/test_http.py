"""One POST to receivers on real sockets, most of them hostile."""

import asyncio
import gzip
from ipaddress import ip_network
from pathlib import Path

import pytest

from docsieve.errors.outbound import AddressNotAllowed, ReceiverTimeout, ReceiverUnreachable
from docsieve.outbound.addresses import AddressPolicy
from docsieve.outbound.connections import MAX_RESPONSE_BYTES
from docsieve.outbound.http import MAX_BODY_BYTES, OutboundClient, OutboundResponse
from tests.outbound.calls import BODY, PATIENT, Names, Opened, post
from tests.outbound.receivers import (
    OK,
    Behavior,
    Receiver,
    answering,
    breaking_off,
    certificate,
    deaf,
    dripping,
    endless,
    hanging,
    receiver,
    silent,
)

IMPATIENT = 0.4
# What the kernels of both ends may hold before a sender notices that nobody reads.
MAX_BUFFERED = 16 * 1024**2


async def post_to(
    client: OutboundClient, behave: Behavior, timeout: float = PATIENT
) -> tuple[OutboundResponse, Receiver]:
    async with receiver(behave) as hostile:
        response = await post(client, f"http://127.0.0.1:{hostile.port}/", timeout)
        return response, hostile


async def failure_at(client: OutboundClient, behave: Behavior, timeout: float = PATIENT) -> tuple[Exception, Receiver]:
    """The error of a call, after the receiver has seen its connection closed."""
    async with receiver(behave) as hostile:
        with pytest.raises((ReceiverTimeout, ReceiverUnreachable)) as raised:
            await post(client, f"http://127.0.0.1:{hostile.port}/", timeout)
        if behave is not deaf:
            await asyncio.wait_for(hostile.closed.wait(), PATIENT)
        return raised.value, hostile


async def test_a_receiver_gets_the_request_and_its_answer_comes_back(opened: Opened) -> None:
    async with receiver(answering(b"HTTP/1.1 202 Accepted\r\nX-One: 1\r\nContent-Length: 4\r\n\r\ndone")) as decent:
        response = await post(opened(), f"http://127.0.0.1:{decent.port}/hooks?a=b")

    assert (response.status, response.body_start, response.headers["x-one"]) == (202, b"done", "1")
    head, _, body = decent.heard[0].partition(b"\r\n\r\n")
    assert body == BODY
    assert head.split(b"\r\n")[0] == b"POST /hooks?a=b HTTP/1.1"
    assert f"Host: 127.0.0.1:{decent.port}".encode() in head
    assert b"Content-Type: application/json" in head and b"Accept-Encoding: identity" in head


@pytest.mark.parametrize("status", [204, 301, 400, 410, 429, 500, 503])
async def test_every_status_is_an_answer(opened: Opened, status: int) -> None:
    response, _ = await post_to(opened(), answering(b"HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n" % status))

    assert response.status == status


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(opened: Opened, status: int) -> None:
    async with receiver(answering(OK)) as canary:
        location = b"HTTP/1.1 %d X\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n" % (
            status,
            canary.port,
        )
        response, _ = await post_to(opened(), answering(location))

    assert response.status == status
    assert canary.peers == []


async def test_a_receiver_that_hangs_is_given_up(opened: Opened) -> None:
    error, _ = await failure_at(opened(), hanging, IMPATIENT)

    assert isinstance(error, ReceiverTimeout)


async def test_a_tls_handshake_that_hangs_is_given_up_and_closed(opened: Opened) -> None:
    async with receiver(silent) as hostile:
        with pytest.raises(ReceiverTimeout):
            await post(opened(), f"https://127.0.0.1:{hostile.port}/", IMPATIENT)
        await asyncio.wait_for(hostile.closed.wait(), PATIENT)


async def test_a_receiver_that_does_not_read_is_given_up(opened: Opened) -> None:
    async with receiver(deaf) as hostile:
        with pytest.raises(ReceiverTimeout):
            await opened().post(f"http://127.0.0.1:{hostile.port}/", {}, bytes(2 * MAX_BUFFERED), timeout=IMPATIENT)


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nX-Slow: "])
async def test_a_receiver_that_drips_headers_is_given_up(opened: Opened, start: bytes) -> None:
    piece = b"a" if start.endswith(b" ") else b"A: b\r\n" if start else b"HTTP/1.1 100 Continue\r\n\r\n"
    error, hostile = await failure_at(opened(), dripping(start, piece), IMPATIENT)

    assert isinstance(error, ReceiverTimeout)
    assert hostile.sent > len(start)


async def test_a_receiver_that_drips_the_body_has_answered(opened: Opened) -> None:
    response, _ = await post_to(opened(), dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", b"x"), IMPATIENT)

    assert response.status == 200
    assert 0 < len(response.body_start) < 1000


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n", b"x" * 65_536),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65_536),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65_536 + b"\r\n"),
    ],
    ids=["10-GB", "no-length", "chunked"],
)
async def test_only_the_beginning_of_a_large_body_is_read(opened: Opened, start: bytes, piece: bytes) -> None:
    async with receiver(endless(start, piece)) as hostile:
        response = await post(opened(), f"http://127.0.0.1:{hostile.port}/")
        await asyncio.wait_for(hostile.closed.wait(), PATIENT)

    assert response.body_start == b"x" * MAX_BODY_BYTES
    assert hostile.sent < MAX_BUFFERED


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"x" * 1000 + b"\r\n"),
        (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x" * 1000),
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"),
        (b"HTTP/1.1 200 ", b"x" * 1000),
        (b"", b"\r\n" * 500),
    ],
    ids=["many-headers", "a-long-header", "interim-responses", "a-long-reason", "empty-lines"],
)
async def test_endless_headers_are_cut_off(opened: Opened, start: bytes, piece: bytes) -> None:
    error, hostile = await failure_at(opened(), endless(start, piece))

    assert isinstance(error, ReceiverUnreachable)
    assert hostile.sent < MAX_BUFFERED


async def test_endless_headers_are_cut_off_inside_tls(opened: Opened, tmp_path: Path) -> None:
    server, trusting = certificate(tmp_path, "127.0.0.1")
    async with receiver(endless(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100), tls=server) as hostile:
        with pytest.raises(ReceiverUnreachable):
            await post(opened(tls=trusting), f"https://127.0.0.1:{hostile.port}/", IMPATIENT * 10)


async def test_headers_over_the_limit_are_refused_although_they_end(opened: Opened) -> None:
    many = b"".join(b"X-%d: %s\r\n" % (at, b"v" * 1000) for at in range(MAX_RESPONSE_BYTES // 900))
    response = b"HTTP/1.1 200 OK\r\n" + many + b"Content-Length: 0\r\n\r\n"
    error, _ = await failure_at(opened(), answering(response))

    assert isinstance(error, ReceiverUnreachable)


async def test_headers_within_the_limit_are_returned(opened: Opened) -> None:
    many = b"".join(b"X-%d: %s\r\n" % (at, b"v" * 1000) for at in range(MAX_RESPONSE_BYTES // 1100))
    response, _ = await post_to(opened(), answering(b"HTTP/1.1 200 OK\r\n" + many + b"Content-Length: 0\r\n\r\n"))

    assert response.headers["x-20"] == "v" * 1000


async def test_chunks_with_endless_extensions_end_the_body_and_not_the_answer(opened: Opened) -> None:
    start = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1;"
    async with receiver(endless(start, b"x" * 1000)) as hostile:
        response = await post(opened(), f"http://127.0.0.1:{hostile.port}/")
        await asyncio.wait_for(hostile.closed.wait(), PATIENT)

    assert (response.status, response.body_start) == (200, b"ok")


async def test_a_compression_bomb_stays_compressed(opened: Opened) -> None:
    bomb = gzip.compress(bytes(50 * 1024**2))
    headers = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    response, _ = await post_to(opened(), answering(headers + bomb))

    assert response.body_start == bomb[:MAX_BODY_BYTES]


@pytest.mark.parametrize(
    "said",
    [
        b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nContent-Le", b"SSH-2.0-OpenSSH_9.6\r\n", b"\x15\x03\x01\x00\x02",
        b"+OK redis\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", b"\0" * 100,
    ],
    ids=["nothing", "status", "header", "ssh", "tls", "redis", "length", "no-number", "two-lengths", "zeros"],
)  # fmt: skip
async def test_a_receiver_that_closes_early_or_speaks_something_else_is_unreachable(
    opened: Opened, said: bytes
) -> None:
    error, _ = await failure_at(opened(), breaking_off(said))

    assert isinstance(error, ReceiverUnreachable)


async def test_a_body_that_breaks_off_does_not_change_the_answer(opened: Opened) -> None:
    response, _ = await post_to(opened(), breaking_off(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"))

    assert (response.status, response.body_start) == (200, b"half")


async def test_a_closed_port_is_unreachable(opened: Opened) -> None:
    async with receiver(deaf) as gone:
        pass

    with pytest.raises(ReceiverUnreachable, match="refused"):
        await post(opened(), f"http://127.0.0.1:{gone.port}/")


async def test_proxies_of_the_environment_are_not_used(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiver(answering(OK)) as proxy, receiver(answering(OK)) as decent:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        await post(opened(), f"http://127.0.0.1:{decent.port}/")

    assert (len(proxy.peers), len(decent.peers)) == (0, 1)


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "64:ff9b::7f00:1"])
async def test_a_name_is_refused_if_one_of_its_addresses_is_not_allowed(opened: Opened, address: str) -> None:
    async with receiver(answering(OK)) as canary:
        for addresses in ([address], ["192.0.2.1", address], [address, "192.0.2.1"]):
            with pytest.raises(AddressNotAllowed) as raised:
                await post(opened(Names(*addresses), allow=["192.0.2.1/32"]), f"http://receiver.test:{canary.port}/")
            assert address not in raised.value.detail

    assert canary.peers == []


async def test_the_next_address_is_tried_if_one_does_not_answer(opened: Opened) -> None:
    async with receiver(answering(OK)) as decent:
        client = opened(Names("::1", "127.0.0.1"), allow=["127.0.0.1/32", "::1/128"])
        assert (await post(client, f"http://receiver.test:{decent.port}/")).status == 200


async def test_a_literal_address_is_checked_when_a_message_is_sent(opened: Opened) -> None:
    async with receiver(answering(OK)) as canary:
        with pytest.raises(AddressNotAllowed):
            await post(opened(allow=[]), f"http://127.0.0.1:{canary.port}/")

    assert canary.peers == []


async def test_a_port_is_checked_when_a_message_is_sent() -> None:
    client = OutboundClient(AddressPolicy([ip_network("127.0.0.1/32")]), [(443, 443)])
    async with receiver(answering(OK)) as canary:
        with pytest.raises(AddressNotAllowed, match="Port"):
            await post(client, f"http://127.0.0.1:{canary.port}/")

    assert canary.peers == []


async def test_a_certificate_is_checked_against_the_name_and_not_the_address(opened: Opened, tmp_path: Path) -> None:
    server, trusting = certificate(tmp_path, "receiver.test")
    client = opened(Names("127.0.0.1"), tls=trusting)
    async with receiver(answering(OK), tls=server) as decent:
        assert (await post(client, f"https://receiver.test:{decent.port}/")).status == 200
        for host in ("another.test", "127.0.0.1"):
            with pytest.raises(ReceiverUnreachable, match=r"certificate is not valid: .*mismatch"):
                await post(client, f"https://{host}:{decent.port}/")

    assert len(decent.heard) == 1


async def test_a_certificate_of_an_unknown_authority_is_refused(opened: Opened, tmp_path: Path) -> None:
    server, _ = certificate(tmp_path, "receiver.test")
    async with receiver(answering(OK), tls=server) as impostor:
        with pytest.raises(ReceiverUnreachable, match="certificate is not valid"):
            await post(opened(Names("127.0.0.1")), f"https://receiver.test:{impostor.port}/")

    assert impostor.heard == []


async def test_plain_http_on_a_tls_port_and_the_reverse_are_unreachable(opened: Opened, tmp_path: Path) -> None:
    server, trusting = certificate(tmp_path, "127.0.0.1")
    client = opened(tls=trusting)
    async with receiver(answering(OK), tls=server) as tls, receiver(answering(OK)) as plain:
        for url in (f"http://127.0.0.1:{tls.port}/", f"https://127.0.0.1:{plain.port}/"):
            with pytest.raises((ReceiverUnreachable, ReceiverTimeout)):
                await post(client, url, IMPATIENT * 5)


async def test_a_hundred_hanging_receivers_do_not_delay_a_decent_one(opened: Opened) -> None:
    client = opened()
    async with receiver(hanging) as hostile, receiver(answering(OK)) as decent, asyncio.TaskGroup() as group:
        stuck = [group.create_task(post(client, f"http://127.0.0.1:{hostile.port}/{at}")) for at in range(100)]
        while len(hostile.heard) < 100:
            await asyncio.sleep(0)
        assert (await post(client, f"http://127.0.0.1:{decent.port}/")).status == 200
        assert not any(task.done() for task in stuck)
        for task in stuck:
            task.cancel()
