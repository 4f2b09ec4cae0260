"""A server on loopback that speaks OpenAI's protocol: embeddings and chat completions, and the ways they fail."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

KEY = "sk-loopback-secret"
NATIVE_DIMENSIONS = 24


@dataclass
class Reply:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None


@dataclass
class ProviderServer:
    """`replies` are given first, in their order; after them the server does its work."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    counts_tokens: bool = True
    answer: Callable[[dict[str, Any]], Any] = lambda request: {}

    def respond(self, path: str, key: str | None, body: dict[str, Any]) -> Reply:
        self.requests.append(body)
        if self.replies:
            return self.replies.pop(0)
        if key != f"Bearer {KEY}":
            return problem(401, "invalid_api_key")
        if path == "/v1/embeddings":
            return _embeddings(body, counts_tokens=self.counts_tokens)
        if path == "/v1/chat/completions":
            return _completion(body, self.answer(body))
        return problem(404, "unknown_url")


def problem(status: int, code: str, message: str = "no", **headers: str) -> Reply:
    return Reply(status, {"error": {"message": message, "type": "error", "param": None, "code": code}}, headers)


def _embeddings(body: dict[str, Any], *, counts_tokens: bool) -> Reply:
    texts = body["input"]
    if not texts or len(texts) > 2048 or any(not text for text in texts):
        return problem(400, "invalid_input", f"cannot embed {texts}")
    size = body.get("dimensions", NATIVE_DIMENSIONS)
    data = [{"object": "embedding", "index": at, "embedding": _letters(text, size)} for at, text in enumerate(texts)]
    data.reverse()  # the index says which is which, not the order
    usage = {"usage": {"prompt_tokens": 1}} if counts_tokens else {}
    return Reply(body={"object": "list", "data": data, "model": body["model"], **usage})


def _letters(text: str, size: int) -> list[float]:
    """How often each letter occurs: near for texts that share words."""
    counts = [0.01] * size
    for character in text.casefold():
        counts[ord(character) % size] += 1.0
    return [round(count * 7, 6) for count in counts]


def _completion(body: dict[str, Any], answer: Any) -> Reply:
    wanted = body["response_format"]
    if wanted["type"] != "json_schema" or wanted["json_schema"]["schema"]["type"] != "object":
        return problem(400, "invalid_schema")
    message = {"role": "assistant", "content": json.dumps(answer), "refusal": None}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return Reply(body={"object": "chat.completion", "model": body["model"], "choices": [choice]})


@contextmanager
def serving() -> Iterator[ProviderServer]:
    provider = ProviderServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = provider.respond(self.path, self.headers["Authorization"], body)
            content = json.dumps(reply.body).encode() if reply.raw is None else reply.raw
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
