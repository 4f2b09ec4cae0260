"""How much of a request body is read, for every operation of the OpenAPI document: nothing without a key."""

import json
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import httpx

from docsieve.api.routing import API_PREFIX
from tests.api.forms import CONTENT_TYPE, file, form
from tests.api.operations import OPERATIONS, filled
from tests.api.running import Running, assert_problem
from tests.service import Service

SIGN_IN = f"POST {API_PREFIX}/session"
PART = f"PUT {API_PREFIX}/uploads/{{upload_id}}/parts/{{number}}"
WITHOUT_KEY = {SIGN_IN, PART}
LIMIT = 1024**2
SIGN_IN_LIMIT = 16 * 1024
PIECE = 4096


@dataclass
class Sent:
    """A body that is made as it is read, so that it knows how much of it was read."""

    content: bytes
    read: int = 0

    async def stream(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self.content), PIECE):
            piece = self.content[start : start + PIECE]
            self.read += len(piece)
            yield piece


def _taking_a_body(openapi: dict[str, Any]) -> dict[str, str]:
    """The operations that take a body, each with its content type."""
    return {
        f"{method.upper()} {path}": next(iter(operation["requestBody"]["content"]))
        for path, operations in openapi["paths"].items()
        for method, operation in operations.items()
        if "requestBody" in operation
    }


async def _send(client: httpx.AsyncClient, name: str, media_type: str, sent: Sent) -> httpx.Response:
    method, path = name.split(" ", 1)
    content_type = CONTENT_TYPE if media_type.startswith("multipart") else media_type
    path = filled(path.replace("{tenant}/projects/{project}", "default/projects/default"))
    return await client.request(method, path, content=sent.stream(), headers={"Content-Type": content_type})


def _large(media_type: str) -> bytes:
    if media_type.startswith("multipart"):
        return form(file(b"x" * 3 * LIMIT))
    return json.dumps({"name": "x" * 3 * LIMIT}).encode()


async def test_without_a_key_no_operation_reads_any_of_its_body(api: Running) -> None:
    stranger = await api.client(prefix="")
    operations = _taking_a_body(api.app.openapi())
    assert operations.keys() > {SIGN_IN, f"POST {API_PREFIX}/documents", f"PATCH {API_PREFIX}/projects/{{name}}"}
    read = {}
    for name, media_type in operations.items():
        if name in WITHOUT_KEY:
            continue
        sent = Sent(_large(media_type))
        assert_problem(await _send(stranger, name, media_type, sent), 401, "unauthorized")
        read[name] = sent.read
    assert {name for name, size in read.items() if size} == set()


async def test_without_the_scope_no_operation_reads_any_of_its_body(api: Running) -> None:
    reader = await api.client(await api.key(await api.tenant("default"), "read"), prefix="")
    for name, media_type in _taking_a_body(api.app.openapi()).items():
        if name not in WITHOUT_KEY:
            sent = Sent(_large(media_type))
            assert_problem(await _send(reader, name, media_type, sent), 403, "forbidden")
            assert sent.read == 0, name


async def test_only_uploads_take_a_body_over_the_limit(api: Running) -> None:
    """The sender may do everything: a rejected request is rejected for its size."""
    operator = await api.client(await api.key(await api.tenant("default"), "admin"), prefix="")
    taking = set()
    for name, media_type in _taking_a_body(api.app.openapi()).items():
        if name == PART:
            continue
        sent = Sent(_large(media_type))
        answer = await _send(operator, name, media_type, sent)
        if answer.status_code == 200:
            taking.add(name)
            continue
        assert_problem(answer, 413, "too_large")
        assert sent.read <= LIMIT + PIECE, name
    uploads = ("/documents", "/documents/upload", "/tenants/{tenant}/projects/{project}/reports")
    assert taking == {f"POST {API_PREFIX}{path}" for path in uploads}


async def test_a_part_whose_signature_is_wrong_has_none_of_its_body_read(api: Running) -> None:
    stranger = await api.client(prefix="")
    method, path = PART.split(" ", 1)
    sent = Sent(_large("application/octet-stream"))
    params = OPERATIONS[PART].send["params"]
    answer = await stranger.request(method, filled(path), params=params, content=sent.stream())
    assert_problem(answer, 403, "signature_invalid")
    assert sent.read == 0


async def test_a_path_that_ends_like_an_upload_is_none(api: Running) -> None:
    operator = await api.client(await api.key(await api.tenant("default"), "admin"))
    for path in ("/projects/documents", "/tenants/documents"):
        sent = Sent(_large("application/json"))
        assert_problem(await operator.patch(path, content=sent.stream()), 413, "too_large")
        assert sent.read <= LIMIT + PIECE


async def test_of_a_sign_in_little_is_read(api: Running) -> None:
    stranger = await api.client()
    sent = Sent(_large("application/json"))
    headers = {"Content-Type": "application/json"}
    assert_problem(await stranger.post("/session", content=sent.stream(), headers=headers), 413, "too_large")
    assert sent.read <= SIGN_IN_LIMIT + PIECE
    assert_problem(await stranger.post("/session", json={"key": "é" * 1000}), 401, "unauthorized")


async def test_a_session_without_its_token_has_none_of_its_body_read(api: Running) -> None:
    browser = await api.client()
    key = await api.key(await api.tenant("default"), "admin")
    (await browser.post("/session", json={"key": key})).raise_for_status()
    browser.base_url = httpx.URL("http://docsieve")
    for name, media_type in _taking_a_body(api.app.openapi()).items():
        if name not in WITHOUT_KEY:
            sent = Sent(_large(media_type))
            assert_problem(await _send(browser, name, media_type, sent), 403, "csrf_failed")
            assert sent.read == 0, name


def test_strangers_are_refused_before_their_body_has_come(start_service: Callable[..., Service]) -> None:
    """Over sockets: the body is announced in every way there is and never sent."""
    service = start_service()
    service.api()
    announced = {
        "Content-Length: 419430400": b"",
        "Content-Length: 419430400\r\nExpect: 100-continue": b"",
        "Transfer-Encoding: chunked": b"400\r\n" + b"x" * 100,
    }
    for name in OPERATIONS:
        method, path = name.split(" ", 1)
        if OPERATIONS[name].needs == "no key" or method == "GET":
            continue
        for length, begun in announced.items():
            with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
                head = f"{method} {filled(path)} HTTP/1.1\r\nHost: docsieve\r\n{length}\r\n\r\n"
                connection.sendall(head.encode() + begun)
                assert connection.recv(4096).startswith(b"HTTP/1.1 401 "), (name, length)
