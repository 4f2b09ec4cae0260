"""Fields of a document or of an extraction, and fields of all documents that need review."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Query, Response

from docsieve.api.access import Reader, Session
from docsieve.api.cursors import Before, Limit, SortedCursor, cut, next_cursor, read_cursor, write_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name, Text
from docsieve.api.wire.extractions import (
    DocumentFields,
    ExtractionPage,
    ExtractionSummary,
    FieldList,
    FieldRead,
    LessonsPage,
    LessonsRead,
)
from docsieve.db.access import projects
from docsieve.db.connection.session import Session as TenantSession
from docsieve.db.definitions.versions import SCHEMAS
from docsieve.db.documents import rows as documents
from docsieve.db.documents.rows import Document
from docsieve.db.extractions import corrections, fields, lessons
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.corrections import Correction
from docsieve.db.extractions.fields import FieldFilter, FieldPlace, FieldRow
from docsieve.db.extractions.rows import Extraction, ExtractionFilter
from docsieve.domain.documents import DocumentStatus
from docsieve.domain.schemas.choice import NONE
from docsieve.domain.schemas.ready import READY
from docsieve.errors import DocumentNotReady, NotFound
from docsieve.errors.extractions import ExtractionNotCompleted
from docsieve.services.documents import not_found

router = Router(tags=["extractions"], responses=COMMON)


async def _check_document(session: TenantSession, document_id: UUID) -> None:
    if not await documents.projects_of(session, [document_id]):
        raise not_found()


@router.get(
    "/documents/{document_id}/fields",
    response_model=DocumentFields,
    responses=problems(NotFound, DocumentNotReady, ExtractionNotCompleted),
)
async def get_document_fields(
    document_id: UUID,
    caller: Reader,
    session: Session,
    extraction_id: Annotated[UUID | None, Query(description="Defaults to the newest completed extraction.")] = None,
) -> Response:
    """Get the fields found in this document, each with its evidence and correction, if any.

    Empty, with `schema_requested` false, if the document is only read, or its class has no schema.
    """
    document = await documents.find(session, document_id)
    if document is None:
        raise not_found()
    chosen = extraction_id or await extractions.newest_of(session, document_id)
    extraction = await extractions.find(session, chosen) if chosen is not None else None
    if chosen is None or extraction is None or document_id not in extraction.documents:
        if extraction_id is not None:
            raise NotFound("This document has no such extraction.")
        project = await projects.find(session.connection, session.scope.tenant_id, document.project)
        wanted = project is not None and project.schema_for(document.schema_ref) != NONE
        requested = wanted and document.no_fields is None
        if requested:
            _check_read(document)
        return _answer(DocumentFields(schema_requested=requested, extraction_id=None, schema_ref=None, fields=[]))
    if extraction.status != "completed":
        if extraction_id is None:
            _check_read(document)
        raise ExtractionNotCompleted(f"Extraction {chosen} has no fields; its status is {extraction.status}.")
    return await _fields(session, extraction, await fields.of_document(session, chosen, document_id))


@router.get(
    "/extractions/{extraction_id}/fields",
    response_model=DocumentFields,
    responses=problems(NotFound, ExtractionNotCompleted),
)
async def get_extraction_fields(extraction_id: UUID, caller: Reader, session: Session) -> Response:
    """Get all fields of an extraction, whichever of its documents they were found in."""
    extraction = await extractions.find(session, extraction_id)
    if extraction is None:
        raise NotFound("Extraction not found.")
    if extraction.status != "completed":
        raise ExtractionNotCompleted(f"Extraction {extraction_id} has no fields; its status is {extraction.status}.")
    return await _fields(session, extraction, await fields.of_extraction(session, extraction_id))


async def _fields(session: TenantSession, extraction: Extraction, rows: Sequence[FieldRow]) -> Response:
    done = _by_leaf(await corrections.of_extraction(session, extraction.id))
    return await asyncio.to_thread(
        lambda: _answer(
            DocumentFields(
                schema_requested=True,
                extraction_id=extraction.id,
                schema_ref=extraction.spec.schema_ref,
                fields=[FieldRead.of(row, done[extraction.id, row.path]) for row in rows],
            )
        )
    )


def _check_read(document: Document) -> None:
    """Raises DocumentNotReady if the document is still being read, or if reading it failed."""
    if document.status != DocumentStatus.ready:
        raise DocumentNotReady(f"The document has no fields; its status is {document.status}.")


def _by_leaf(done: Sequence[Correction]) -> defaultdict[tuple[UUID, str], list[Correction]]:
    """Groups corrections by extraction and path, oldest first."""
    found: defaultdict[tuple[UUID, str], list[Correction]] = defaultdict(list)
    for each in done:
        found[each.extraction_id, each.path].append(each)
    return found


def _answer(body: DocumentFields) -> Response:
    return Response(body.model_dump_json(), media_type="application/json")


@router.get("/documents/{document_id}/extractions", response_model=ExtractionPage, responses=problems(NotFound))
async def list_document_extractions(
    document_id: UUID, caller: Reader, session: Session, before: Before, limit: Limit = 50
) -> ExtractionPage:
    """List the extractions that include the document, newest first."""
    await _check_document(session, document_id)
    wanted = ExtractionFilter(document_id=document_id)
    found = await extractions.list_page(session, wanted, before=before, limit=limit)
    return ExtractionPage(
        extractions=[ExtractionSummary.summary(each) for each in found], next_cursor=next_cursor(found, limit)
    )


@router.get("/fields", response_model=FieldList)
async def list_fields(
    caller: Reader,
    session: Session,
    schema: Annotated[Name | None, Query(description="Name of the schema.")] = None,
    pattern: Annotated[Text | None, Query(description="`line_items[].price`")] = None,
    value: Annotated[Text | None, Query(description="The complete value, ignoring case and spaces.")] = None,
    needs_review: bool | None = None,
    project: Name | None = None,
    cursor: SortedCursor = None,
    limit: Limit = 50,
) -> FieldList:
    """List fields of unverified extractions, lowest confidence first: the review queue.

    If a document has several extractions with the same schema, only the newest counts.
    """
    wanted = FieldFilter(schema, pattern, value, needs_review, project)
    after = FieldPlace(*read_cursor(cursor, (float, UUID, int))) if cursor is not None else None
    rows = await fields.worst_first(session, wanted, after=after, limit=limit)
    done = _by_leaf(await corrections.of_fields(session, [(row.extraction_id, row.path) for row in rows]))
    left, documents_left = await fields.count_left(session, wanted)
    full = rows[-1] if len(rows) == limit else None
    return FieldList(
        fields=[FieldRead.of(row, done[row.extraction_id, row.path]) for row in rows],
        left=left,
        documents_left=documents_left,
        next_cursor=write_cursor(full.confidence, full.extraction_id, full.ordinal) if full is not None else None,
    )


@router.get("/schemas/{name}/lessons", response_model=LessonsPage, responses=problems(NotFound))
async def list_lessons(
    name: Name, caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50
) -> LessonsPage:
    """List what the local engine learned from corrections for this schema, newest first."""
    if name not in READY and await SCHEMAS.head(session, name) is None:
        raise NotFound("Schema not found.")
    listed = await lessons.list_all(session, name)
    page, following = cut(listed, lambda each: (each.version,), cursor, limit, newest_first=True)
    return LessonsPage(lessons=[LessonsRead.model_validate(each) for each in page], next_cursor=following)
