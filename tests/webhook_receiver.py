"""A receiver of webhooks on loopback: keeps what it gets, and answers as a test says."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Event, Thread
from typing import Any

ALLOW = {"DOCSIEVE_OUTBOUND_ALLOW": "127.0.0.0/8"}
"""The setting of a service that may call it."""


@dataclass(frozen=True)
class Received:
    """Header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.body)
        return message


@dataclass(frozen=True)
class Answer:
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class Receiver:
    """`answers` are given first, in their order, then `answer` decides. While `open` is not set, none is given."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: list[Answer] = []
        self.answer: Callable[[Received], Answer] = lambda _: Answer()
        self.received: list[Received] = []
        self.open = Event()
        self.open.set()
        self._came = Condition()

    def take(self, received: Received) -> Answer:
        with self._came:
            self.received.append(received)
            self._came.notify_all()
            planned = self.answers.pop(0) if self.answers else None
        self.open.wait(60)
        return planned or self.answer(received)

    def until(self, times: int, *, seconds: float = 60) -> list[Received]:
        """What it got, once it is so much."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.received) >= times, seconds), (
                f"{len(self.received)} of {times} messages came"
            )
            return list(self.received)

    def of_type(self, kind: str) -> list[Received]:
        return [each for each in list(self.received) if each.message.get("type") == kind]


@contextmanager
def receiving() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = receiver.take(Received(self.path, headers, body))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 512

        def handle_error(self, *_: object) -> None:
            pass  # a client that was killed

    server = Server(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_address[1]}/hook")
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.open.set()
        server.shutdown()
        server.server_close()
        thread.join()
