"""Events: their types, and the envelope in which clients and receivers get them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class EventType(StrEnum):
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


# By the first word of a type. The id of a report is that of its extraction.
_ROUTES = {
    "document": "documents",
    "archive": "documents",
    "extraction": "extractions",
    "report": "extractions",
    "batch": "batches",
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

    def envelope(self) -> dict[str, Any]:
        """The event as clients and webhook receivers get it, ready for JSON. `url` is where its subject is found."""
        route = _ROUTES.get(self.type.partition(".")[0])
        url = {"url": f"/api/v1/{route}/{self.subject_id}"} if route is not None else {}
        return {
            "id": str(self.id),
            "type": self.type,
            "created_at": self.created_at.isoformat().replace("+00:00", "Z"),
            "tenant": self.tenant,
            "project": self.project,
            "data": {**self.data, **url},
        }
