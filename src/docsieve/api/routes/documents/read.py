"""List, get, read, reprocess and delete documents."""

import json
from collections.abc import AsyncIterator
from pathlib import PurePosixPath
from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from fastapi import Body, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from docsieve.api.access import Reader, Resources, Session, Writer
from docsieve.api.cursors import Limit, SortedCursor, read_cursor, write_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name, Text
from docsieve.api.wire.documents.document import (
    DocumentPage,
    DocumentRead,
    DocumentText,
    PageText,
    Reprocess,
    Reprocessing,
)
from docsieve.db.documents import lists as document_lists
from docsieve.db.documents import rows as documents
from docsieve.db.documents.lists import DocumentFilter, Position, Sort
from docsieve.db.documents.rows import Document
from docsieve.domain.audit import Action
from docsieve.domain.documents import DocumentStatus, original_key
from docsieve.domain.pages.page import DocumentInfo, Page
from docsieve.domain.scope import Scope
from docsieve.errors import (
    BlobMissing,
    BlobStoreError,
    CorruptDocument,
    DocumentBusy,
    DocumentNotReady,
    Invalid,
    NotFound,
    OriginalDamaged,
    PagesDamaged,
    PasswordRequired,
    PasswordWrong,
    Unavailable,
)
from docsieve.errors.content import DocumentNotScanned
from docsieve.errors.extractions import SchemaInvalid, UnknownSchema
from docsieve.errors.retention import LegalHold, OriginalDeleted
from docsieve.resources import Resources as AppResources
from docsieve.services import documents as service
from docsieve.services import early_pages, pages, pdf_copies
from docsieve.services.engines import UNUSABLE
from docsieve.services.pdf_copies import PdfCopy
from docsieve.services.stored_files import repaired_if_damaged, stream_original

# The text of a longer document is streamed.
_PAGES_AT_ONCE = 100
_BETWEEN_PAGES = "\n\n"
_INCOMPLETE = {"X-Complete": "false"}

router = Router(prefix="/documents", tags=["documents"], responses=COMMON)


@router.get("", response_model=DocumentPage)
async def list_documents(
    caller: Reader,
    session: Session,
    status: DocumentStatus | None = None,
    project: Name | None = None,
    name: Annotated[Text | None, Query(description="Any part of the file name.")] = None,
    document_class: Annotated[Text | None, Query(alias="class")] = None,
    parent_id: Annotated[
        UUID | None, Query(description="Only documents attached to, embedded in or split off this one.")
    ] = None,
    needs_review: Annotated[
        bool | None, Query(description="Whether the newest completed extraction needs review.")
    ] = None,
    split_needs_review: Annotated[bool | None, Query(description="Whether cuts of a packet need review.")] = None,
    sort: Annotated[
        Sort, Query(description="`-` sorts in descending order. Documents without a confidence come last.")
    ] = "-created_at",
    cursor: SortedCursor = None,
    limit: Limit = 50,
) -> DocumentPage:
    """List documents, newest first by default."""
    chosen = DocumentFilter(status, project, name, document_class, parent_id, needs_review, split_needs_review)
    after = _position(cursor, sort) if cursor is not None else None
    found = await document_lists.list_page(session, chosen, sort=sort, after=after, limit=limit)
    return DocumentPage(
        documents=[DocumentRead.model_validate(document) for document in found.documents],
        total=found.total,
        next_cursor=write_cursor(sort, found.last.key, found.last.id) if found.last is not None else None,
    )


_SORTED_BY: dict[str, type] = {"created_at": type(None), "filename": str, "size": int, "confidence": float}


def _position(cursor: str, sort: Sort) -> Position:
    given, key, document_id = read_cursor(cursor, (str, _SORTED_BY[sort.removeprefix("-")], UUID))
    if given != sort:
        raise Invalid("query.cursor: it belongs to a different sort order.")
    return Position(key, document_id)


@router.get("/{document_id}", response_model=DocumentRead, responses=problems(NotFound))
async def get_document(document_id: UUID, caller: Reader, session: Session) -> DocumentRead:
    """Get one document."""
    document = await documents.find(session, document_id)
    if document is None:
        raise service.not_found()
    return DocumentRead.model_validate(document)


@router.get(
    "/{document_id}/text",
    response_model=DocumentText,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "JSON or plain text"},
        **problems(NotFound, DocumentNotReady, OriginalDeleted, BlobStoreError, PagesDamaged),
    },
)
async def get_text(document_id: UUID, caller: Reader, resources: Resources, request: Request) -> Response:
    """Get the text of each page. With `Accept: text/plain`, get all text with form feeds between pages.

    Of a document that is being read for the first time, get the first pages as soon as there are some, with `complete`
    false, or with the header `X-Complete: false`.
    """
    plain = request.headers.get("accept", "").startswith("text/plain")
    try:
        key = await pages.find_key(resources.database, caller.scope, document_id)
    except DocumentNotReady:
        texts = await early_pages.texts(resources.database, caller.scope, document_id)
        if not texts:
            raise
        return _text(document_id, texts, plain=plain, complete=False)
    async with repaired_if_damaged(resources, caller.scope, document_id):
        page_count = (await pages.read_index(resources.blobs, key)).page_count
        if page_count > _PAGES_AT_ONCE:
            # Once the response has started, it is too late to report damage.
            await pages.check(resources.blobs, key)
        else:
            texts = [text async for text in pages.texts(resources.blobs, key)]
    if page_count > _PAGES_AT_ONCE:
        parts = _joined(pages.texts(resources.blobs, key), "\f") if plain else _text_json(resources, key, document_id)
        return StreamingResponse(parts, media_type="text/plain" if plain else "application/json")
    return _text(document_id, texts, plain=plain, complete=True)


def _text(document_id: UUID, texts: list[str], *, plain: bool, complete: bool) -> Response:
    if plain:
        return PlainTextResponse("\f".join(texts), headers=None if complete else _INCOMPLETE)
    body = DocumentText(
        document_id=document_id,
        complete=complete,
        page_count=len(texts),
        text=_BETWEEN_PAGES.join(texts),
        pages=[PageText(number=number, text=text) for number, text in enumerate(texts, 1)],
    )
    return Response(body.model_dump_json(), media_type="application/json")


async def _text_json(resources: AppResources, key: str, document_id: UUID) -> AsyncIterator[str]:
    """A DocumentText in pieces. The pages are read twice, so that memory holds a few at a time."""
    page_count = (await pages.read_index(resources.blobs, key)).page_count
    yield f'{{"document_id":"{document_id}","complete":true,"page_count":{page_count},"text":"'
    async for text in _joined(pages.texts(resources.blobs, key), _BETWEEN_PAGES):
        yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield '","pages":['
    number = 0
    async for text in pages.texts(resources.blobs, key):
        number += 1
        yield ("," if number > 1 else "") + PageText(number=number, text=text).model_dump_json()
    yield "]}"


async def _joined(texts: AsyncIterator[str], between: str) -> AsyncIterator[str]:
    first = True
    async for text in texts:
        yield text if first else between + text
        first = False


@router.get(
    "/{document_id}/pages/{number}",
    response_model=Page,
    responses=problems(NotFound, DocumentNotReady, OriginalDeleted, BlobStoreError, PagesDamaged),
)
async def get_page(document_id: UUID, number: int, caller: Reader, resources: Resources) -> Response:
    """Get one page: its size in points, and its lines and words with bounding boxes.

    Pages of a long document can be fetched while later ones are still being read; see its `pages_shown`.
    """
    try:
        key = await pages.find_key(resources.database, caller.scope, document_id)
    except DocumentNotReady:
        early = await early_pages.page_json(resources.database, caller.scope, document_id, number)
        if early is None:
            raise
        return Response(early, media_type="application/json")
    async with repaired_if_damaged(resources, caller.scope, document_id):
        page = await pages.page_json(resources.blobs, key, number)
    return Response(page, media_type="application/json")


@router.get(
    "/{document_id}/details",
    response_model=DocumentInfo,
    responses=problems(NotFound, DocumentNotReady, OriginalDeleted, BlobStoreError, PagesDamaged),
)
async def get_details(document_id: UUID, caller: Reader, resources: Resources) -> DocumentInfo:
    """Get the document's own metadata: title, author, bookmarks, attachments. None of it is verified.

    `left_out` lists the parts that were not read because a limit was reached.
    """
    key = await pages.find_key(resources.database, caller.scope, document_id)
    async with repaired_if_damaged(resources, caller.scope, document_id):
        return (await pages.read_index(resources.blobs, key)).info


@router.get(
    "/{document_id}/file",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {
                media_type: {"schema": {"type": "string", "format": "binary"}}
                for media_type in ("application/octet-stream", "application/pdf")
            },
            "description": "The original file or its searchable copy, as an attachment",
        },
        **problems(NotFound, DocumentNotReady, DocumentNotScanned, OriginalDeleted, BlobMissing, OriginalDamaged),
        **problems(CorruptDocument, PasswordRequired, PasswordWrong, BlobStoreError, PagesDamaged, Unavailable),
    },
)
async def get_file(
    document_id: UUID,
    caller: Reader,
    resources: Resources,
    searchable: Annotated[
        bool, Query(description="A copy as PDF with invisible text over scans, for PDFs and images.")
    ] = False,
) -> StreamingResponse:
    """Download the original file. It is always sent as an attachment, so that browsers do not run its content."""
    if searchable:
        return copy_response(resources, await pdf_copies.searchable(resources, caller.scope, document_id))
    document = await find_original(resources, caller.scope, document_id)
    return file_response(resources, caller.scope.tenant_id, document)


async def find_original(resources: AppResources, scope: Scope, document_id: UUID, *, audited: bool = True) -> Document:
    """The document, if its file is stored. Its download is recorded.

    Raises NotFound, DocumentNotReady, OriginalDeleted, BlobMissing and OriginalDamaged.
    """
    async with resources.database.tenant(scope) as session:
        document = await documents.find(session, document_id)
    if document is None:
        raise service.not_found()
    if document.sha256 is None:
        raise DocumentNotReady("The file has not been downloaded from its source yet.")
    if document.original_deleted_at is not None:
        raise OriginalDeleted
    # Once the response has started, it is too late to report that bytes are missing.
    if await resources.blobs.size(original_key(scope.tenant_id, document_id)) != document.size:
        raise OriginalDamaged
    if audited:
        async with resources.database.tenant(scope) as session:
            owners = await documents.projects_of(session, [document_id])
            session.audit(Action.document_downloaded, "document", document_id, project_id=owners.get(document_id))
    return document


def copy_response(resources: AppResources, copy: PdfCopy) -> StreamingResponse:
    name = f"{PurePosixPath(copy.document.filename).stem}.pdf"
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Length": str(copy.size),
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return StreamingResponse(resources.blobs.stream(copy.key), media_type="application/pdf", headers=headers)


def file_response(resources: AppResources, tenant_id: UUID, document: Document) -> StreamingResponse:
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(document.filename, safe='')}",
        "Content-Length": str(document.size),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Original-Media-Type": document.media_type or "",
    }
    content = stream_original(resources.blobs, tenant_id, document)
    return StreamingResponse(content, media_type="application/octet-stream", headers=headers)


@router.post(
    "/{document_id}/reprocess",
    response_model=Reprocessing,
    responses=problems(NotFound, OriginalDeleted, DocumentBusy, UnknownSchema, SchemaInvalid, *UNUSABLE),
)
async def reprocess_document(
    document_id: UUID,
    caller: Writer,
    session: Session,
    resources: Resources,
    body: Annotated[Reprocess | None, Body()] = None,
) -> Reprocessing:
    """Queue the document again, ahead of new ones, optionally with a different schema, engine, split or password.

    Earlier extractions are kept. If a schema applies (from this request, the upload or the project), a new extraction
    is added. An archive is unpacked again, and the documents in it are processed again; none is added twice.
    """
    options = (body or Reprocess.model_validate({})).options()
    started, skipped = await service.reprocess(session, resources, [document_id], options)
    for each in skipped:
        raise each.reason
    return Reprocessing(message=f"Document {document_id} is queued for reprocessing.", job_id=started[document_id])


@router.delete("/{document_id}", status_code=204, responses=problems(NotFound, LegalHold))
async def delete_document(document_id: UUID, caller: Writer, resources: Resources) -> Response:
    """Delete the document with those found in it, their jobs, pages and files. Running jobs are stopped."""
    async with resources.database.tenant(caller.scope) as session:
        deleted = await service.delete(session, [document_id])
    if not deleted:
        raise service.not_found()
    await service.delete_blobs(resources, caller.scope.tenant_id, deleted)
    return Response(status_code=204)
