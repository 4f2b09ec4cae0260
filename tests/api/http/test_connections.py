"""Clients that send byte by byte, or nothing at all, or stop reading: the server lets go of their connections."""

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Send

from docsieve.api.http.connections import TimedConnection
from tests.api.forms import CONTENT_TYPE, file, form
from tests.service import ADMIN_KEY, Service, poll_until

BOUND_SECONDS = 120.0

WHOLE = "GET /livez HTTP/1.1\r\nHost: docsieve\r\n\r\n"
UPLOAD = (
    f"POST /api/v1/documents HTTP/1.1\r\nHost: docsieve\r\nX-API-Key: {ADMIN_KEY}\r\nContent-Type: {CONTENT_TYPE}\r\n"
)
CHUNKED = UPLOAD + "Transfer-Encoding: chunked\r\n\r\n"
STRANGER = "POST /api/v1/jobs/retry HTTP/1.1\r\nHost: docsieve\r\nContent-Length: 100000\r\n\r\n"

# What each client sends at once, and what it then sends each second.
SLOW = {
    "says nothing": ("", b""),
    "stops within its headers": ("GET /livez HTTP/1.1\r\nHost: doc", b""),
    "sends its headers byte by byte": ("GET /livez HTTP/1.1\r\nHost: ", b"a"),
    "sends its second headers byte by byte": (WHOLE + "GET /livez HTTP/1.1\r\nHost: ", b"a"),
    "sends empty lines between requests": (WHOLE, b"\r\n"),
    "stops within its body": (UPLOAD + "Content-Length: 100000\r\n\r\n--", b""),
    "sends its body byte by byte": (UPLOAD + "Content-Length: 100000\r\n\r\n--", b"a"),
    "sends its chunks byte by byte": (CHUNKED, b"1\r\n-\r\n"),
    "goes on after it was refused": (STRANGER, b"a" * 1000),
}  # fmt: skip


@pytest.fixture(scope="module")
def service(share_service: Callable[..., Service]) -> Service:
    service = share_service()
    service.api()
    return service


def _connect(service: Service, opening: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=30)
    connection.sendall(opening.encode())
    return connection


def _closed(connection: socket.socket) -> bool:
    """Called when there is something to read: the answer to an earlier request, or the end."""
    try:
        return connection.recv(65536) == b""
    except ConnectionError:
        return True


def _send_each_second(clients: dict[str, socket.socket]) -> set[str]:
    """Go on as each client does until it is cut off; the names of those who were not, after a generous time."""
    left = dict(clients)
    deadline, due = time.monotonic() + BOUND_SECONDS, time.monotonic()
    while left and time.monotonic() < deadline:
        readable, _, _ = select.select(list(left.values()), [], [], max(due - time.monotonic(), 0.0))
        left = {name: each for name, each in left.items() if each not in readable or not _closed(each)}
        if time.monotonic() < due:
            continue
        due += 1.0
        for name, each in list(left.items()):
            try:
                each.sendall(SLOW[name][1])
            except ConnectionError:
                del left[name]
    return set(left)


def test_clients_that_send_too_slowly_are_cut_off(service: Service) -> None:
    clients = {name: _connect(service, opening) for name, (opening, _) in SLOW.items()}
    try:
        assert _send_each_second(clients) == set()
    finally:
        for each in clients.values():
            each.close()


def _steadily(content: bytes, piece: int, seconds: float) -> Iterator[bytes]:
    """In pieces, one after each pause; the pause is the client's slowness itself."""
    for start in range(0, len(content), piece):
        yield content[start : start + piece]
        time.sleep(seconds)


def test_a_slow_but_steady_upload_is_accepted(service: Service) -> None:
    """At four times the slowest rate, for longer than a body's period."""
    content = b"x" * 50_000
    answer = service.client.post(
        "/documents", content=_steadily(form(file(content)), 1_000, 0.5), headers={"Content-Type": CONTENT_TYPE}
    )
    assert (answer.status_code, answer.json()["size"]) == (200, len(content))


def test_a_client_that_stops_reading_is_cut_off(service: Service) -> None:
    size = 32 * 1024**2
    document = service.upload(b"x" * size, "large.txt").json()
    path = f"/api/v1/documents/{document['id']}/file"
    with _connect(service, f"GET {path} HTTP/1.1\r\nHost: docsieve\r\nX-API-Key: {ADMIN_KEY}\r\n\r\n") as connection:
        poll_until(lambda: _ended(service, "/file"), seconds=BOUND_SECONDS, what="the end of the response")
        received = 0
        with suppress(ConnectionError):
            while piece := connection.recv(1 << 20):
                received += len(piece)
    assert 0 < received < size


def _ended(service: Service, route: str) -> bool:
    metrics = httpx.get(f"{service.url}/metrics", verify=False).text
    return any("http_seconds_count" in line and f'{route}"' in line for line in metrics.splitlines())


@pytest.mark.parametrize(
    ("opening", "more"),
    [
        ("GET /livez HTTP/1.1\r\nEndless: ", b"a" * 65536),
        ("GET /livez HTTP/1.1\r\n", b"A: a\r\n" * 10000),
        ("POST /api/v1/session HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nEndless: ", b"a" * 65536),
        ("POST /api/v1/session HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"a" * 65536),
    ],
    ids=["one header", "headers", "a trailer", "a chunk's extension"],
)
def test_headers_without_end_are_cut_off(service: Service, opening: str, more: bytes) -> None:
    with _connect(service, opening) as connection, pytest.raises(ConnectionError):
        for piece in repeat(more, 1000):
            connection.sendall(piece)


def test_a_connection_is_used_for_request_after_request(service: Service) -> None:
    with httpx.Client(base_url=service.url) as client:
        for _ in range(3):
            assert client.get("/livez").text == "ok"
            assert client.post("/api/v1/session", json={"key": "wrong"}).status_code == 401


class _Hasty(TimedConnection):
    body_seconds = 0.1


@contextmanager
def _counting_server() -> Iterator[int]:
    """The port of a server that reads bodies to their end."""

    async def app(_: object, receive: Receive, send: Send) -> None:
        while (message := await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200 if message["type"] == "http.request" else 400})
        await send({"type": "http.response.body"})

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, http=_Hasty, lifespan="off", log_level="critical"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def test_a_body_must_arrive_faster_the_longer_it_takes() -> None:
    """20,000 bytes per period are enough for the first ten, and would be enough for all if the limit did not grow."""
    with (
        _counting_server() as port,
        socket.create_connection(("127.0.0.1", port)) as client,
        pytest.raises(ConnectionError),
    ):
        client.sendall(b"POST / HTTP/1.1\r\nHost: docsieve\r\nContent-Length: 10000000\r\n\r\n")
        for piece in _steadily(b"x" * 600_000, 1_000, _Hasty.body_seconds / 20):
            client.sendall(piece)
