"""Uploads through a real server: bodies of unknown length, clients that go away, and secrets that stay secret."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from functools import partial

import asyncpg
import httpx
import pytest

from tests.api.forms import BOUNDARY, CONTENT_TYPE, field, file, form
from tests.service import ADMIN_KEY, Service

LIMIT = 200_000


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    service = start_service(DOCSIEVE_MAX_UPLOAD_BYTES=str(LIMIT), DOCSIEVE_LOG_LEVEL="debug")
    service.api()
    return service


def _stored(service: Service) -> list[str]:
    """Everything in the store, including files that are still being written."""
    root = service.folder / "data" / "blobs"
    return [path.name for path in root.rglob("*") if path.is_file() and "probes" not in path.parts]


def _documents(service: Service) -> int:
    return len(service.client.get("/documents").json()["documents"])


def _in_pieces(body: bytes, size: int = 10_000) -> Iterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


def _post_chunked(service: Service, body: bytes) -> httpx.Response:
    response = service.client.post("/documents", content=_in_pieces(body), headers={"Content-Type": CONTENT_TYPE})
    assert "content-length" not in response.request.headers
    return response


def _connect(service: Service, head: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=30)
    lines = ("POST /api/v1/documents HTTP/1.1", "Host: docsieve", f"X-API-Key: {ADMIN_KEY}", head)
    connection.sendall("\r\n".join((*lines, f"Content-Type: {CONTENT_TYPE}", "", "")).encode())
    return connection


def test_streams_of_unknown_length_are_accepted_cut_off_and_forgotten(service: Service) -> None:
    accepted = _post_chunked(service, form(file(b"x" * LIMIT)))
    assert accepted.json()["size"] == LIMIT
    assert len(_stored(service)) == 1

    refused = _post_chunked(service, form(file(b"y" * (LIMIT + 1))))
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert (_documents(service), len(_stored(service))) == (1, 1)

    # The refusal comes while the client is still sending a body that has no end.
    endless = _connect(service, "Transfer-Encoding: chunked")
    start = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'.encode()
    for piece in (start, *[b"z" * 50_000] * 6):
        endless.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
    endless.shutdown(socket.SHUT_WR)
    service.wait_until(lambda: _metric(service, "too_large") == 2, what="the second refusal")
    endless.close()
    assert (_documents(service), len(_stored(service))) == (1, 1)


def _metric(service: Service, outcome: str) -> float:
    text = httpx.get(f"{service.url}/metrics").text
    found = [line for line in text.splitlines() if line.startswith(f'docsieve_uploads_total{{outcome="{outcome}"}}')]
    return float(found[0].rpartition(" ")[2]) if found else 0.0


def _client_gone(service: Service, times: int) -> bool:
    return _metric(service, "client_gone") == times


def test_a_client_that_goes_away_in_the_middle_leaves_nothing(service: Service) -> None:
    body = form(file(b"x" * 150_000), field("metadata", "{}"))
    for gone, sent in enumerate((20, 100, 50_000, len(body) - 10), 1):
        connection = _connect(service, f"Content-Length: {len(body)}")
        connection.sendall(body[:sent])
        connection.close()
        service.wait_until(partial(_client_gone, service, gone), what="the server noticed")
    assert (_documents(service), _stored(service)) == (0, [])


def test_a_password_is_never_shown_logged_or_stored_in_the_clear(service: Service, database_url: str) -> None:
    secret = "correct-horse-battery"
    accepted = service.upload(b"Hello.", key="once", password=secret)
    answers = [
        accepted,
        service.upload(b"Hello.", key="once", password=secret),
        service.upload(b"Other.", key="once", password=secret),
        service.upload(b"Hello.", password=secret, priority="soon"),
        service.upload(b"Hello.", password=secret + "\x00"),
        service.client.get("/documents"),
        service.client.get("/jobs"),
        service.client.get(f"/documents/{accepted.json()['id']}"),
        service.client.get(f"/jobs/{accepted.json()['processing_job_id']}"),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 409, 422, 422, 200, 200, 200, 200]
    for answer in answers:
        assert secret not in answer.text
        assert "password" not in json.dumps(answer.json()) or answer.status_code == 422
    assert secret not in service.logs()
    rows, sealed = asyncio.run(_everything_stored(database_url))
    assert secret not in rows
    assert secret.encode() not in sealed
    assert len(sealed) > len(secret)


async def _everything_stored(database_url: str) -> tuple[str, bytes]:
    connection = await asyncpg.connect(database_url)
    rows = [
        str(row[0])
        for table in ("documents", "jobs", "idempotency_keys")
        for row in await connection.fetch(f"select to_jsonb(t) from {table} t")
    ]
    sealed: bytes = await connection.fetchval("select sealed_password from documents")
    await connection.close()
    return "\n".join(rows), sealed
