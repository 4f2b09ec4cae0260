"""A server on loopback that speaks one provider's protocol, and fails in the ways that servers do."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from docsieve.llm.port import ChatModel

KEY = "sk-loopback-secret"
MODEL = "small-1"


@dataclass
class Reply:
    """`raw` replaces the JSON; `cut` closes the connection after so many bytes; `hang` says nothing until the end of
    the server, and `drip` says it so slowly that it does not get there."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    repeat: int = 1
    cut: int | None = None
    hang: bool = False
    drip: bool = False


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Said:
    """What the model behind the server says."""

    text: str = '{"total": 12.5, "currency": null}'
    finish: str = "stop"


@dataclass
class Heard:
    """What a request asks, whatever protocol it came by."""

    model: str
    system: str
    user: str
    schema: Any
    most_tokens: int
    images: list[tuple[str, bytes]] = field(default_factory=list)
    files: list[tuple[str, str]] = field(default_factory=list)


class Protocol(ABC):
    """One provider's documented protocol: 120 tokens go in, 40 of them cached, and 30 come out."""

    name: str
    key_header: str
    key_value: str = KEY

    @abstractmethod
    def open(self, url: str, **options: Any) -> ChatModel: ...

    @abstractmethod
    def heard(self, request: Request) -> Heard:
        """Raises KeyError, AssertionError … where the request is not as documented."""

    @abstractmethod
    def said(self, said: Said) -> Any: ...

    @abstractmethod
    def problem(self, status: int, code: str, message: str) -> Any: ...


class Loopback:
    """`replies` are given first, in their order; after that the protocol answers with `said`."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.url = ""
        self.said = Said()
        self.replies: list[Reply] = []
        self.requests: list[Request] = []
        self._asked = Event()
        self.sent_bytes = 0
        self.refuses_schemas = False
        self.ended = Event()

    def reply(self, request: Request) -> Reply:
        self.requests.append(request)
        self._asked.set()
        if self.replies:
            return self.replies.pop(0)
        if request.headers.get(self.protocol.key_header) != self.protocol.key_value:
            return self.problem(401, "invalid_api_key")
        heard = self.protocol.heard(request)
        if self.refuses_schemas and heard.schema is not None:
            return self.problem(400, "invalid_request", f"schema {heard.schema} is too complex")
        return Reply(body=self.protocol.said(self.said))

    def problem(self, status: int, code: str, message: str = "no", **headers: str) -> Reply:
        spelled = {name.replace("_", "-"): value for name, value in headers.items()}
        return Reply(status, self.protocol.problem(status, code, message), spelled)

    async def first_request(self) -> None:
        """Wait until a request has come."""
        assert await asyncio.to_thread(self._asked.wait, 30), "there was no request"

    def heard(self) -> list[Heard]:
        return [self.protocol.heard(request) for request in self.requests]


def _handler(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = loopback.reply(Request(self.path, headers, body))
            if reply.hang:
                loopback.ended.wait()
                self.close_connection = True
                return
            content = json.dumps(reply.body).encode() if reply.raw is None else reply.raw
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content) * reply.repeat))
            self.end_headers()
            if reply.drip:
                self._drip(content)
            else:
                self._send(content[: reply.cut], reply.repeat)
            self.close_connection = reply.cut is not None

        def _send(self, content: bytes, repeat: int) -> None:
            try:
                for _ in range(repeat):
                    self.wfile.write(content)
                    loopback.sent_bytes += len(content)
            except OSError:
                self.close_connection = True

        def _drip(self, content: bytes) -> None:
            self.close_connection = True
            try:
                while content and not loopback.ended.wait(0.05):
                    self.wfile.write(content[:1])
                    content = content[1:]
            except OSError:
                return

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    return Handler


@contextmanager
def serving(protocol: Protocol) -> Iterator[Loopback]:
    loopback = Loopback(protocol)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(loopback))
    server.daemon_threads = True
    loopback.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield loopback
    finally:
        loopback.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
