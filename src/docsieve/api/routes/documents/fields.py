"""Fields of a document or of an extraction, and fields of all documents that need review."""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Query, Response
from fastapi.responses import StreamingResponse

from docsieve.api.access import Reader, Resources, Session
from docsieve.api.cursors import Before, Limit, SortedCursor, cut, next_cursor, read_cursor, write_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name, Text
from docsieve.api.wire.extractions import (
    DocumentFields,
    ExtractionPage,
    ExtractionSummary,
    FieldList,
    FieldMarks,
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
from docsieve.db.extractions.fields import FieldFilter, FieldPlace, FieldText
from docsieve.db.extractions.rows import ExtractionFilter, ExtractionHead
from docsieve.domain.documents import DocumentStatus
from docsieve.domain.schemas.choice import NONE
from docsieve.domain.schemas.ready import READY
from docsieve.domain.scope import Scope
from docsieve.errors import DocumentNotReady, NotFound
from docsieve.errors.extractions import ExtractionNotCompleted
from docsieve.resources import Resources as AppResources
from docsieve.services.documents import not_found

router = Router(tags=["extractions"], responses=COMMON)

Done = defaultdict[tuple[UUID, str], list[Correction]]

_PAGE = 1_000
_UNMARKED = FieldMarks().model_dump_json()[1:]


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
    resources: Resources,
    session: Session,
    extraction_id: Annotated[UUID | None, Query(description="Defaults to the newest completed extraction.")] = None,
) -> Response:
    """Get the fields found in this document, each with its evidence and correction, if any.

    Empty, with `schema_requested` false, if the document is only read, or its class has no schema.
    """
    head = await extractions.head_of_document(session, document_id, extraction_id)
    if head is not None and head.status == "completed":
        return await _fields(resources, session, head, document_id)
    document = await documents.find(session, document_id)
    if document is None:
        raise not_found()
    if head is not None:
        if extraction_id is None:
            _check_read(document)
        raise ExtractionNotCompleted(f"Extraction {head.id} has no fields; its status is {head.status}.")
    if extraction_id is not None:
        raise NotFound("This document has no such extraction.")
    project = await projects.find(session.connection, session.scope.tenant_id, document.project)
    wanted = project is not None and project.schema_for(document.schema_ref) != NONE
    requested = wanted and document.no_fields is None
    if requested:
        _check_read(document)
    return _answer(_opening(None, requested=requested) + "]}")


@router.get(
    "/extractions/{extraction_id}/fields",
    response_model=DocumentFields,
    responses=problems(NotFound, ExtractionNotCompleted),
)
async def get_extraction_fields(
    extraction_id: UUID, caller: Reader, resources: Resources, session: Session
) -> Response:
    """Get all fields of an extraction, whichever of its documents they were found in."""
    head = await extractions.find_head(session, extraction_id)
    if head is None:
        raise NotFound("Extraction not found.")
    if head.status != "completed":
        raise ExtractionNotCompleted(f"Extraction {extraction_id} has no fields; its status is {head.status}.")
    return await _fields(resources, session, head, None)


async def _fields(
    resources: AppResources, session: TenantSession, head: ExtractionHead, document_id: UUID | None
) -> Response:
    """One page of fields as it is, more than that as a stream that holds one page at a time in memory."""
    done = _by_leaf(await corrections.of_extraction(session, head.id))
    page = await fields.text_page(session, head.id, document_id, after=0, limit=_PAGE)
    if len(page) < _PAGE:
        return _answer(f"{_opening(head, requested=True)}{_joined(page, done)}]}}")
    return StreamingResponse(
        _streamed(resources, session.scope, head, document_id, done, page), media_type="application/json"
    )


async def _streamed(
    resources: AppResources,
    scope: Scope,
    head: ExtractionHead,
    document_id: UUID | None,
    done: Done,
    page: Sequence[FieldText],
) -> AsyncIterator[str]:
    """No connection is held while the client takes a page."""
    yield _opening(head, requested=True) + _joined(page, done)
    while len(page) == _PAGE:
        async with resources.database.tenant(scope) as session:
            page = await fields.text_page(session, head.id, document_id, after=page[-1].ordinal, limit=_PAGE)
        if page:
            yield "," + _joined(page, done)
    yield "]}"


def _opening(head: ExtractionHead | None, *, requested: bool) -> str:
    """The response up to its first field."""
    empty = DocumentFields(
        schema_requested=requested,
        extraction_id=head.id if head is not None else None,
        schema_ref=head.schema_ref if head is not None else None,
        fields=[],
    )
    return empty.model_dump_json().removesuffix("]}")


def _joined(page: Sequence[FieldText], done: Done) -> str:
    marks = {path: FieldMarks.of(path, made).model_dump_json()[1:] for (_, path), made in done.items()}
    return ",".join(f"{each.text[:-1]},{marks.get(each.path, _UNMARKED)}" for each in page)


def _check_read(document: Document) -> None:
    """Raises DocumentNotReady if the document is still being read, or if reading it failed."""
    if document.status != DocumentStatus.ready:
        raise DocumentNotReady(f"The document has no fields; its status is {document.status}.")


def _by_leaf(done: Sequence[Correction]) -> Done:
    """Groups corrections by extraction and path, oldest first."""
    found: Done = defaultdict(list)
    for each in done:
        found[each.extraction_id, each.path].append(each)
    return found


def _answer(body: str) -> Response:
    return Response(body, media_type="application/json")


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
