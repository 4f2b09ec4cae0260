"""A web server on loopback that documents are downloaded from; it answers as a test says."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


@dataclass(frozen=True)
class Reply:
    """`announced` is the length in the header: that of the body if it is None, and none at all if it is -1."""

    body: bytes = b""
    status: int = 200
    announced: int | None = None
    headers: dict[str, str] = field(default_factory=dict)


class FileServer:
    """`replies` are given by path, in their order; the last one is given again and again.

    While `open` is not set, only half of a body is sent; `waiting` is set as soon as it was.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.replies: dict[str, list[Reply]] = defaultdict(list)
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.open = Event()
        self.open.set()
        self.waiting = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def serve(self, path: str, *replies: Reply | bytes) -> str:
        """The URL that these replies are given to."""
        self.replies[path] = [Reply(each) if isinstance(each, bytes) else each for each in replies]
        return f"{self.url}{path}"

    def reply(self, path: str) -> Reply:
        planned = self.replies[path.partition("?")[0]]
        if not planned:
            return Reply(status=404)
        return planned.pop(0) if len(planned) > 1 else planned[0]


@contextmanager
def serving_files() -> Iterator[FileServer]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            files.asked.append(self.path)
            files.headers.append({name.lower(): value for name, value in self.headers.items()})
            reply = files.reply(self.path)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.announced != -1:
                length = len(reply.body) if reply.announced is None else reply.announced
                self.send_header("Content-Length", str(length))
            self.send_header("Connection", "close")
            self.end_headers()
            half = len(reply.body) // 2
            self.wfile.write(reply.body[:half])
            self.wfile.flush()
            files.waiting.set()
            files.open.wait(120)
            self.wfile.write(reply.body[half:])
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass  # a client that was killed

    server = Server(("127.0.0.1", 0), Handler)
    files = FileServer(server.server_address[1])
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield files
    finally:
        files.open.set()
        server.shutdown()
        server.server_close()
        thread.join()
