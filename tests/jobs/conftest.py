"""A running service with a worker, and letters and invoices to put before it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.service import Service
from tests.services.index.conftest import library

__all__ = ["INVOICE", "SCHEMA", "extracted", "fields_of", "library", "ready", "settled", "start"]

INVOICE = b"""ACME Supplies Ltd.
12 Harbour Road, Dublin

Invoice number: INV-2041
Invoice date: 2026-03-04
Total: 118.50 EUR
"""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "invoice_number": {"type": "string", "x-labels": ["Invoice number"]},
        "invoice_date": {"type": "string", "format": "date", "x-labels": ["Invoice date"]},
        "total": {"type": "number", "format": "amount", "x-labels": ["Total"]},
        "purchase_order": {"type": "string", "x-labels": ["Purchase order"]},
    },
}


SETTINGS = {"DOCSIEVE_LEASE_SECONDS": "5", "DOCSIEVE_SHUTDOWN_SECONDS": "5"}


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    """An API without a worker."""
    service = start_service(**SETTINGS)
    service.api()
    service.client.post("/schemas", json={"name": "bill", "schema": SCHEMA}).raise_for_status()
    return service


@pytest.fixture(scope="module")
def shared_service(share_service: Callable[..., Service]) -> Service:
    service = share_service(**SETTINGS)
    service.api()
    service.client.post("/schemas", json={"name": "bill", "schema": SCHEMA}).raise_for_status()
    service.worker()
    return service


@pytest.fixture
def working_service(shared_service: Service) -> Iterator[Service]:
    """An API and a worker, without documents."""
    yield shared_service
    shared_service.delete_documents()


def ready(service: Service, content: bytes, filename: str = "a.txt", **fields: str) -> str:
    """An uploaded document that was read; its id."""
    document_id: str = service.upload(content, filename, **fields).raise_for_status().json()["id"]
    state = service.settled(document_id)
    assert state["status"] == "ready", state
    return document_id


def start(service: Service, *document_ids: str, **asked: Any) -> dict[str, Any]:
    body = {"document_ids": list(document_ids), "schema": "bill", **asked}
    answer: dict[str, Any] = service.client.post("/extractions", json=body).raise_for_status().json()
    return answer


def settled(service: Service, extraction_id: str, *, seconds: float = 60) -> dict[str, Any]:
    def state() -> dict[str, Any] | None:
        found: dict[str, Any] = service.client.get(f"/extractions/{extraction_id}").raise_for_status().json()
        return found if found["status"] in ("completed", "failed", "cancelled") else None

    found: dict[str, Any] = service.wait_until(state, seconds=seconds, what=f"extraction {extraction_id} settled")
    return found


def extracted(service: Service, *document_ids: str, **asked: Any) -> dict[str, Any]:
    return settled(service, start(service, *document_ids, **asked)["id"])


def fields_of(service: Service, document_id: str, **parameters: str) -> dict[str, dict[str, Any]]:
    answer = service.client.get(f"/documents/{document_id}/fields", params=parameters).raise_for_status().json()
    return {each["path"]: each for each in answer["fields"]}
