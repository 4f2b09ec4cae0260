"""List, get, poll, read, reprocess and delete documents."""

import hashlib
from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from fastapi import Body, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from docsieve.api.access import Reader, Resources, Session, Writer
from docsieve.api.cursors import Limit, SortedCursor, read_cursor, write_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Reason, StatusProgress
from docsieve.api.wire.documents import (
    DocumentPage,
    DocumentRead,
    DocumentState,
    DocumentText,
    PageText,
    Reprocess,
    Reprocessing,
    StatusExtraction,
    StatusJob,
    StatusReading,
)
from docsieve.db import document_lists, documents
from docsieve.db.connection.driver import Record
from docsieve.db.document_lists import DocumentFilter, Place, Sort
from docsieve.domain.documents import DocumentStatus, original_key
from docsieve.domain.jobs import JobStatus
from docsieve.domain.pages import DocumentInfo, Page
from docsieve.domain.scope import Scope
from docsieve.errors import (
    BlobMissing,
    BlobStoreError,
    DocumentBusy,
    DocumentNotReady,
    Invalid,
    NotFound,
    OriginalDamaged,
    PagesDamaged,
)
from docsieve.errors.extractions import UnknownSchema
from docsieve.resources import Resources as AppResources
from docsieve.services import documents as service
from docsieve.services import pages
from docsieve.services.engines import UNUSABLE
from docsieve.services.stored_files import repaired_if_damaged

router = Router(prefix="/documents", tags=["documents"], responses=COMMON)

_COUNT_AHEAD = 1000


@router.get("", response_model=DocumentPage)
async def list_documents(
    caller: Reader,
    session: Session,
    status: DocumentStatus | None = None,
    project: Name | None = None,
    name: Annotated[Text | None, Query(description="Any part of the file name.")] = None,
    document_class: Annotated[Text | None, Query(alias="class")] = None,
    parent_id: Annotated[UUID | None, Query(description="Only documents attached to or embedded in this one.")] = None,
    needs_review: Annotated[
        bool | None, Query(description="Whether the newest completed extraction needs review.")
    ] = None,
    sort: Annotated[
        Sort, Query(description="`-` sorts in descending order. Documents without a confidence come last.")
    ] = "-created_at",
    cursor: SortedCursor = None,
    limit: Limit = 50,
) -> DocumentPage:
    """List documents, newest first by default."""
    wanted = DocumentFilter(status, project, name, document_class, parent_id, needs_review)
    after = _place(cursor, sort) if cursor is not None else None
    found = await document_lists.list_page(session, wanted, sort=sort, after=after, limit=limit)
    return DocumentPage(
        documents=[DocumentRead.model_validate(document) for document in found.documents],
        total=found.total,
        next_cursor=write_cursor(sort, found.last.key, found.last.id) if found.last is not None else None,
    )


_SORTED_BY: dict[str, type] = {"created_at": type(None), "filename": str, "size": int, "confidence": float}


def _place(cursor: str, sort: Sort) -> Place:
    given, key, document_id = read_cursor(cursor, (str, _SORTED_BY[sort.removeprefix("-")], UUID))
    if given != sort:
        raise Invalid("query.cursor: it belongs to a different sort order.")
    return Place(key, document_id)


@router.get("/{document_id}", response_model=DocumentRead, responses=problems(NotFound))
async def get_document(document_id: UUID, caller: Reader, session: Session) -> DocumentRead:
    """Get one document."""
    document = await documents.find(session, document_id)
    if document is None:
        raise service.not_found()
    return DocumentRead.model_validate(document)


@router.get(
    "/{document_id}/status",
    response_model=DocumentState,
    responses={304: {"description": "Not modified since the ETag in `If-None-Match`"}, **problems(NotFound)},
)
async def get_status(
    document_id: UUID, caller: Reader, session: Session, if_none_match: Annotated[str | None, Header()] = None
) -> Response:
    """Get the processing status. Cheap enough to poll, with the last response's ETag in `If-None-Match`."""
    row = await documents.status(session, document_id, count_ahead=_COUNT_AHEAD)
    if row is None:
        raise service.not_found()
    body = _state(row).model_dump_json().encode()
    etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if if_none_match is not None and (etag in if_none_match or if_none_match == "*"):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def _state(row: Record) -> DocumentState:
    job = progress = None
    if row["job_id"] is not None:
        shown = JobStatus.pending if row["job_status"] == "scheduled" else row["job_status"]
        job = StatusJob(
            id=row["job_id"],
            status=shown,
            attempts=row["attempts"],
            max_attempts=row["max_attempts"],
            run_at=row["run_at"],
        )
    if row["status"] == DocumentStatus.processing:
        progress = StatusProgress.model_validate_json(row["progress"] or '{"stage": "starting"}')
    return DocumentState(
        status=row["status"],
        job=job,
        progress=progress,
        queue_position=row["queue_position"],
        page_count=row["page_count"],
        reading=StatusReading(parser=row["parser"], version=row["parser_version"], cache_hit=row["read_cached"])
        if row["parser"] is not None
        else None,
        extraction=StatusExtraction(
            id=row["extraction_id"],
            status=row["extraction_status"],
            needs_review=row["needs_review"],
            error=Reason.of(row["extraction_error_code"], row["extraction_error_message"]),
        )
        if row["extraction_id"] is not None
        else None,
        error=Reason.of(row["error_code"], row["error_message"])
        or Reason.of(row["attempt_error_code"], row["attempt_error_message"]),
    )


async def _pages_key(resources: AppResources, scope: Scope, document_id: UUID) -> str:
    """Uses its own transaction, so that none stays open while the blob store is slow."""
    async with resources.database.tenant(scope) as session:
        document = await documents.find(session, document_id)
        key = await documents.pages_key(session, document_id)
    if document is None:
        raise service.not_found()
    if key is None:
        raise DocumentNotReady(f"The document has no pages; its status is {document.status}.")
    return key


@router.get(
    "/{document_id}/text",
    response_model=DocumentText,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "JSON or plain text"},
        **problems(NotFound, DocumentNotReady, BlobStoreError, PagesDamaged),
    },
)
async def get_text(document_id: UUID, caller: Reader, resources: Resources, request: Request) -> Response:
    """Get the text of each page. With `Accept: text/plain`, get all text with form feeds between pages."""
    key = await _pages_key(resources, caller.scope, document_id)
    async with repaired_if_damaged(resources, caller.scope, document_id):
        texts = [text async for text in pages.texts(resources.blobs, key)]
    if request.headers.get("accept", "").startswith("text/plain"):
        return PlainTextResponse("\f".join(texts))
    body = DocumentText(
        document_id=document_id,
        page_count=len(texts),
        text="\n\n".join(texts),
        pages=[PageText(number=number, text=text) for number, text in enumerate(texts, 1)],
    )
    return Response(body.model_dump_json(), media_type="application/json")


@router.get(
    "/{document_id}/pages/{number}",
    response_model=Page,
    responses=problems(NotFound, DocumentNotReady, BlobStoreError, PagesDamaged),
)
async def get_page(document_id: UUID, number: int, caller: Reader, resources: Resources) -> Response:
    """Get one page: its size in points, and its lines and words with bounding boxes."""
    key = await _pages_key(resources, caller.scope, document_id)
    async with repaired_if_damaged(resources, caller.scope, document_id):
        page = await pages.page_json(resources.blobs, key, number)
    return Response(page, media_type="application/json")


@router.get(
    "/{document_id}/details",
    response_model=DocumentInfo,
    responses=problems(NotFound, DocumentNotReady, BlobStoreError, PagesDamaged),
)
async def get_details(document_id: UUID, caller: Reader, resources: Resources) -> DocumentInfo:
    """Get the document's own metadata: title, author, bookmarks, attachments. None of it is verified.

    `left_out` lists the parts that were not read because a limit was reached.
    """
    key = await _pages_key(resources, caller.scope, document_id)
    async with repaired_if_damaged(resources, caller.scope, document_id):
        return (await pages.read_index(resources.blobs, key)).info


@router.get(
    "/{document_id}/file",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
            "description": "The original file, as an attachment",
        },
        **problems(NotFound, BlobMissing, OriginalDamaged),
    },
)
async def get_file(document_id: UUID, caller: Reader, resources: Resources) -> StreamingResponse:
    """Download the original file. It is always sent as an attachment, so that browsers do not run its content."""
    async with resources.database.tenant(caller.scope) as session:
        document = await documents.find(session, document_id)
    if document is None:
        raise service.not_found()
    key = original_key(caller.scope.tenant_id, document_id)
    # Once the response has started, it is too late to report that bytes are missing.
    if await resources.blobs.size(key) != document.size:
        raise OriginalDamaged
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(document.filename, safe='')}",
        "Content-Length": str(document.size),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Original-Media-Type": document.media_type,
    }
    return StreamingResponse(resources.blobs.stream(key), media_type="application/octet-stream", headers=headers)


@router.post(
    "/{document_id}/reprocess",
    response_model=Reprocessing,
    responses=problems(NotFound, DocumentBusy, UnknownSchema, *UNUSABLE),
)
async def reprocess_document(
    document_id: UUID,
    caller: Writer,
    session: Session,
    resources: Resources,
    body: Annotated[Reprocess | None, Body()] = None,
) -> Reprocessing:
    """Queue the document again, ahead of new ones, optionally with a different schema, engine or password.

    Earlier extractions are kept. If a schema applies (from this request, the upload or the project), a new extraction
    is added.
    """
    wanted = body or Reprocess.model_validate({})
    begun, skipped = await service.reprocess(session, resources, [document_id], wanted.options())
    for each in skipped:
        raise each.reason
    return Reprocessing(message=f"Document {document_id} is queued for reprocessing.", job_id=begun[document_id])


@router.delete("/{document_id}", status_code=204, responses=problems(NotFound))
async def delete_document(document_id: UUID, caller: Writer, resources: Resources) -> Response:
    """Delete the document with its embedded documents, jobs, pages and files. A running job is stopped."""
    async with resources.database.tenant(caller.scope) as session:
        removed = await service.delete(session, [document_id])
    if not removed:
        raise service.not_found()
    await service.delete_blobs(resources, caller.scope.tenant_id, removed)
    return Response(status_code=204)
