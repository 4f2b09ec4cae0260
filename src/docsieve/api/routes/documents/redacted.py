"""Redacted copies of documents."""

from typing import Any
from uuid import UUID

from fastapi.responses import StreamingResponse

from docsieve.api.access import Resources, Writer
from docsieve.api.problems import COMMON, problems
from docsieve.api.routes.documents.read import copy_response
from docsieve.api.routing import Router
from docsieve.api.wire.documents.redaction import Redact
from docsieve.errors import (
    BlobMissing,
    BlobStoreError,
    CorruptDocument,
    DocumentNotReady,
    Invalid,
    NotFound,
    OriginalDamaged,
    PagesDamaged,
    PasswordRequired,
    PasswordWrong,
    Unavailable,
)
from docsieve.errors.batches import PatternInvalid
from docsieve.errors.content import NothingRedacted
from docsieve.errors.extractions import ExtractionNotCompleted
from docsieve.errors.retention import OriginalDeleted
from docsieve.services import pdf_copies

router = Router(prefix="/documents", tags=["documents"], responses=COMMON)

_PDF: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}},
        "description": "The redacted copy, as an attachment",
    },
    **problems(NotFound, DocumentNotReady, ExtractionNotCompleted, OriginalDeleted, BlobMissing, OriginalDamaged),
    **problems(Invalid, NothingRedacted, PatternInvalid, CorruptDocument, PasswordRequired, PasswordWrong),
    **problems(BlobStoreError, PagesDamaged, Unavailable),
}


@router.post("/{document_id}/redact", response_class=StreamingResponse, responses=_PDF)
async def redact_document(document_id: UUID, caller: Writer, resources: Resources, body: Redact) -> StreamingResponse:
    """Get a copy as PDF from which fields, texts, matches of patterns or places are removed.

    Its pages are pictures with black boxes, and invisible text without the removed words. Nothing else of the
    document is kept: no hidden text, metadata, attachments or annotations. The document itself does not change.
    """
    copy = await pdf_copies.redacted(
        resources,
        caller.scope,
        document_id,
        body.redaction(),
        fields=body.fields,
        extraction_id=body.extraction_id,
    )
    return copy_response(resources, copy)
