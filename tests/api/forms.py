"""multipart/form-data written by hand, for bodies that no polite client sends."""

import json
from typing import Any

import httpx

BOUNDARY = "a-boundary"
CONTENT_TYPE = f"multipart/form-data; boundary={BOUNDARY}"
PROGRAM = b"\x7fELF\x02\x01\x01" + bytes(57)
PDF = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"


def field(name: str, value: str) -> bytes:
    return _part(f'form-data; name="{name}"'.encode(), value.encode())


def file(content: bytes = b"Hello.", filename: bytes = b"a.txt") -> bytes:
    return _part(b'form-data; name="file"; filename="' + filename + b'"', content)


def _part(disposition: bytes, content: bytes) -> bytes:
    return b"--%s\r\nContent-Disposition: %s\r\n\r\n%s\r\n" % (BOUNDARY.encode(), disposition, content)


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--%s--\r\n" % BOUNDARY.encode()


async def post(client: httpx.AsyncClient, *parts: bytes) -> httpx.Response:
    return await post_raw(client, form(*parts))


async def post_raw(client: httpx.AsyncClient, body: bytes, content_type: str = CONTENT_TYPE) -> httpx.Response:
    return await client.post("/documents", content=body, headers={"Content-Type": content_type})


def nested(levels: int) -> str:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return json.dumps(value)
