"""The messages that receivers get: an envelope that is thin or full, or what the clients of reports expect.

They are made for each attempt from what the database says then, and never stored.
"""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.batches import rows as batches
from docsieve.db.connection.session import Session
from docsieve.db.documents import rows as documents
from docsieve.db.extractions import corrections
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.rows import Extraction
from docsieve.db.webhooks.sending import DueDelivery
from docsieve.domain.events import Event
from docsieve.domain.jobs import JobFailure
from docsieve.domain.scope import Scope
from docsieve.resources import Resources
from docsieve.services.review.corrections import held_value


async def body_of(resources: Resources, delivery: DueDelivery) -> bytes:
    event = delivery.event
    scope = Scope(event.tenant_id)
    if delivery.endpoint_id is None and event.type.startswith("report."):
        async with resources.database.tenant(scope) as session:
            return _json(await _report(session, event))
    if delivery.payload == "full":
        async with resources.database.tenant(scope) as session:
            event = replace(event, data=event.data | await _details(session, event))
    return _json(event.envelope(resources.settings.url))


def _json(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False, default=_plain).encode("utf-8", "replace")


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


async def _report(session: Session, event: Event) -> dict[str, Any]:
    """In the words of the clients of reports. A report that was deleted meanwhile has no data."""
    assert event.subject_id is not None
    extraction = await extractions.find(session, event.subject_id)
    completed = extraction is not None and extraction.status == "completed"
    moment = extraction.completed_at if extraction is not None else None
    return {
        "job_id": extraction.job_id if extraction is not None else None,
        "tenant_id": event.tenant,
        "project_id": event.project,
        "report_id": event.subject_id,
        "status": event.type.removeprefix("report."),
        "timestamp": moment or event.created_at,
        "parsed_data": await _value(session, extraction) if extraction is not None and completed else None,
    }


async def _details(session: Session, event: Event) -> dict[str, Any]:
    """What a full message has in addition: the document, extraction or batch as it is now."""
    noun = event.type.partition(".")[0]
    if event.subject_id is None:
        return {}
    if noun in ("document", "archive"):
        return await _document(session, event.subject_id)
    if noun in ("extraction", "report"):
        return await _extraction(session, event.subject_id)
    return await _batch(session, event.subject_id) if noun == "batch" else {}


async def _document(session: Session, document_id: UUID) -> dict[str, Any]:
    """With its newest extraction, if it has one."""
    document = await documents.find(session, document_id)
    if document is None:
        return {}
    shown = (
        "id", "filename", "media_type", "size", "sha256", "status", "page_count", "language", "class_confidence",
        "parent_id", "parent_path", "metadata",
    )  # fmt: skip
    described = {name: getattr(document, name) for name in shown}
    described |= {"class": document.document_class, "error": _error(document.error)}
    newest = await extractions.head_of_document(session, document_id)
    return {"document": described, **(await _extraction(session, newest.id) if newest is not None else {})}


async def _extraction(session: Session, extraction_id: UUID) -> dict[str, Any]:
    extraction = await extractions.find(session, extraction_id)
    if extraction is None:
        return {}
    shown = (
        "id", "job_id", "status", "documents", "batch_id", "confidence", "needs_review", "client_metadata",
        "created_at", "completed_at",
    )  # fmt: skip
    described = {name: getattr(extraction, name) for name in shown}
    spec = extraction.spec
    described |= {"schema": spec.schema_ref, "engine": spec.engine, "model": spec.model}
    described |= {"value": await _value(session, extraction), "error": _error(extraction.error)}
    return {"extraction": described}


async def _value(session: Session, extraction: Extraction) -> Any:
    return held_value(extraction, await corrections.of_extraction(session, extraction.id))


async def _batch(session: Session, batch_id: UUID) -> dict[str, Any]:
    batch = await batches.find(session, batch_id)
    if batch is None:
        return {}
    counts = batch.counts
    return {
        "batch": {
            "id": batch.id,
            "name": batch.name,
            "status": batch.status,
            "total": counts.total,
            "completed": counts.completed,
            "failed": counts.failed,
            "cancelled": counts.cancelled,
            "needs_review": counts.needs_review,
            "metadata": batch.metadata,
            "completed_at": batch.completed_at,
        }
    }


def _error(failure: JobFailure | None) -> dict[str, str] | None:
    return {"code": failure.code, "message": failure.message} if failure is not None else None
