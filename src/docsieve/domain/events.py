"""Events: their types, and the envelope in which clients and receivers get them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class EventType(StrEnum):
    DOCUMENT_PAGES_READ = "document.pages_read"
    DOCUMENT_READY = "document.ready"
    DOCUMENT_FAILED = "document.failed"
    ARCHIVE_UNPACKED = "archive.unpacked"
    EXTRACTION_COMPLETED = "extraction.completed"
    EXTRACTION_FAILED = "extraction.failed"
    EXTRACTION_NEEDS_REVIEW = "extraction.needs_review"
    EXTRACTION_CORRECTED = "extraction.corrected"
    BATCH_COMPLETED = "batch.completed"
    REPORT_COMPLETED = "report.completed"
    REPORT_FAILED = "report.failed"
    ENDPOINT_DISABLED = "endpoint.disabled"
    BUDGET_EXCEEDED = "budget.exceeded"
    WEBHOOK_TEST = "webhook.test"


API_PATH = "/api/v1"
_PLACES = {
    "document_id": "documents",
    "extraction_id": "extractions",
    "batch_id": "batches",
    "endpoint_id": "webhooks/endpoints",
}


@dataclass(frozen=True, slots=True)
class Event:
    """A row of `events` with the names of its tenant and project.

    `related` are further documents or batches that filters match. `data` is thin: ids, status and error code, never
    text, values or names of documents.
    """

    id: UUID
    type: str
    created_at: datetime
    tenant_id: UUID
    tenant: str
    project_id: UUID | None
    project: str | None
    subject_id: UUID | None
    document_id: UUID | None
    batch_id: UUID | None
    related: tuple[UUID, ...]
    data: dict[str, Any]

    def envelope(self, server: str | None) -> dict[str, Any]:
        """The event as clients and webhook receivers get it, ready for JSON."""
        return {
            "id": str(self.id),
            "type": self.type,
            "created_at": self.created_at.isoformat().replace("+00:00", "Z"),
            "tenant": self.tenant,
            "project": self.project,
            "data": {**self.data, "links": self._links(server)},
        }

    def _links(self, server: str | None) -> dict[str, str]:
        """Where the API has what the ids name: `document` for `document_id`. Without an address, only paths."""
        base = (server or "").rstrip("/") + API_PATH
        return {
            name.removesuffix("_id"): f"{base}/{place}/{self.data[name]}"
            for name, place in _PLACES.items()
            if self.data.get(name) is not None
        }
