"""Archives, and what a service makes of them."""

import io
import zipfile
from typing import Any

from tests.jobs.conftest import shared_service, working_service
from tests.service import Service

__all__ = ["entries", "family", "shared_service", "unpacked", "working_service", "zipped"]


def zipped(*files: tuple[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return content.getvalue()


def unpacked(service: Service, content: bytes, filename: str = "a.zip", **fields: str) -> dict[str, Any]:
    """The archive, once it and everything in it is final."""
    sent = service.upload(content, filename, **fields).raise_for_status().json()
    assert sent["status"] == "pending_unpacking"
    state = service.settled(sent["id"])
    assert state["status"] == "unpacked", state["error"]
    for child in family(service, sent["id"]):
        service.settled(child["id"])
    document: dict[str, Any] = service.client.get(f"/documents/{sent['id']}").json()
    return document


def family(service: Service, archive_id: str) -> list[dict[str, Any]]:
    """The documents that were made of its entries, in the order of their paths."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        query: dict[str, Any] = {"parent_id": archive_id, "limit": 200, "sort": "created_at"}
        answer = service.client.get("/documents", params={**query, **({"cursor": cursor} if cursor else {})}).json()
        found += answer["documents"]
        cursor = answer["next_cursor"]
        if cursor is None:
            return sorted(found, key=lambda child: str(child["archive_path"]))


def entries(service: Service, archive_id: str, **query: str) -> list[dict[str, Any]]:
    answer = service.client.get(f"/documents/{archive_id}/entries", params={"limit": 200, **query}).raise_for_status()
    listed: list[dict[str, Any]] = answer.json()["entries"]
    return listed
