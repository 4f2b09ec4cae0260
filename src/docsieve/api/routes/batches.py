"""Create, configure, fill, start, watch, cancel, retry and delete batches, and list and export their results."""

import asyncio
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header, Query, Response
from fastapi.responses import StreamingResponse

from docsieve import faults
from docsieve.api.access import Reader, Resources, Session, Writer
from docsieve.api.cursors import Before, Limit, SortedCursor, next_cursor, read_cursor, write_cursor
from docsieve.api.exports import FILE_CONTENT, Export, file_response
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name, Text
from docsieve.api.wire.batches import (
    BatchCreate,
    BatchDocumentPage,
    BatchDocumentRead,
    BatchDocumentsAdd,
    BatchDocumentsAdded,
    BatchPage,
    BatchRead,
    BatchRetried,
    BatchSummary,
    BatchUpdate,
    GroupPage,
    ResultPage,
    ResultRead,
)
from docsieve.api.wire.documents.document import SkippedRead
from docsieve.api.wire.extractions import ExtractionStatus
from docsieve.db.batches import members, results, rows
from docsieve.db.batches.results import ResultFilter
from docsieve.db.batches.rows import Batch, BatchFilter
from docsieve.db.connection.session import Session as TenantSession
from docsieve.db.extractions.rows import ExtractionFilter
from docsieve.domain.batches import BatchStatus
from docsieve.errors import IdempotencyConflict, Invalid, NotFound, UnknownProject
from docsieve.errors.batches import (
    BatchCancelled,
    BatchNotRunning,
    BatchStarted,
    BatchStarting,
    BatchTooLarge,
    GroupTooLarge,
    NothingToRetry,
    NothingToStart,
    PatternInvalid,
)
from docsieve.errors.extractions import SchemaInvalid, TooManyColumns, UnknownPrompt, UnknownSchema
from docsieve.errors.outbound import AddressNotAllowed, UrlInvalid
from docsieve.errors.retention import LegalHold
from docsieve.services import documents
from docsieve.services.batches import configuration, control, starting
from docsieve.services.batches.progress import progress_of
from docsieve.services.engines import UNUSABLE
from docsieve.services.exports import export as exports

router = Router(prefix="/batches", tags=["batches"], responses=COMMON)

IdempotencyKey = Annotated[
    str | None,
    Header(pattern=r"^[\x21-\x7e]{1,255}$", description="Lets you retry the request without creating a second batch."),
]

_WRONG_SETTINGS = (
    Invalid, UnknownSchema, SchemaInvalid, UnknownPrompt, PatternInvalid, *UNUSABLE, UrlInvalid, AddressNotAllowed
)  # fmt: skip


async def _filter(
    status: BatchStatus | None = None,
    project: Name | None = None,
    name: Annotated[Text | None, Query(description="Any part of the name, ignoring case.")] = None,
) -> BatchFilter:
    return BatchFilter(status, project, name)


async def _read(session: TenantSession, batch: Batch) -> BatchRead:
    return BatchRead.of(batch, await progress_of(session, batch))


@router.post(
    "",
    response_model=BatchRead,
    status_code=201,
    responses=problems(UnknownProject, IdempotencyConflict, *_WRONG_SETTINGS),
)
async def create_batch(
    body: BatchCreate,
    caller: Writer,
    session: Session,
    resources: Resources,
    idempotency_key: IdempotencyKey = None,
) -> BatchRead:
    """Create a batch. Nothing runs before it is started."""
    batch = await configuration.create(
        session,
        resources,
        body.settings(),
        project=body.project,
        by=caller.holder.key_id,
        idempotency_key=idempotency_key,
    )
    return await _read(session, batch)


@router.get("", response_model=BatchPage)
async def list_batches(
    caller: Reader,
    session: Session,
    wanted: Annotated[BatchFilter, Depends(_filter)],
    before: Before,
    limit: Limit = 50,
) -> BatchPage:
    """List batches, newest first."""
    found = await rows.list_page(session, wanted, before=before, limit=limit)
    return BatchPage(batches=[BatchSummary.summary(each) for each in found], next_cursor=next_cursor(found, limit))


@router.get("/{batch_id}", response_model=BatchRead, responses=problems(NotFound))
async def get_batch(batch_id: UUID, caller: Reader, session: Session) -> BatchRead:
    """Get one batch with its progress."""
    return await _read(session, await configuration.found(session, batch_id))


@router.patch("/{batch_id}", response_model=BatchRead, responses=problems(NotFound, BatchStarted, *_WRONG_SETTINGS))
async def configure_batch(
    batch_id: UUID, body: BatchUpdate, caller: Writer, session: Session, resources: Resources
) -> BatchRead:
    """Change the settings of a batch that was never started. Omitted fields keep their value."""
    batch = await configuration.change(session, resources, batch_id, body.settings(), by=caller.holder.key_id)
    return await _read(session, batch)


@router.delete("/{batch_id}", status_code=204, responses=problems(NotFound, LegalHold))
async def delete_batch(
    batch_id: UUID,
    caller: Writer,
    resources: Resources,
    with_documents: Annotated[bool, Query(alias="documents", description="Delete its documents too.")] = False,
) -> Response:
    """Delete a batch with its results. Whatever is still running stops. Documents stay unless requested otherwise."""
    async with resources.database.tenant(caller.scope) as session:
        deleted = await control.delete(session, batch_id, with_documents=with_documents)
    await documents.delete_blobs(resources, caller.scope.tenant_id, deleted)
    return Response(status_code=204)


@router.post("/{batch_id}/documents", response_model=BatchDocumentsAdded, responses=problems(NotFound, BatchCancelled))
async def add_batch_documents(
    batch_id: UUID, body: BatchDocumentsAdd, caller: Writer, session: Session
) -> BatchDocumentsAdded:
    """Add existing documents. The entries of archives join with their archive, also those still to be unpacked."""
    added, skipped = await control.add_documents(session, batch_id, body.document_ids)
    return BatchDocumentsAdded(added=added, skipped=[SkippedRead.of(each) for each in skipped])


@router.get("/{batch_id}/documents", response_model=BatchDocumentPage, responses=problems(NotFound))
async def list_batch_documents(
    batch_id: UUID, caller: Reader, session: Session, before: Before, limit: Limit = 50
) -> BatchDocumentPage:
    """List the documents of a batch, newest first, each with its group once it was started."""
    await configuration.found(session, batch_id)
    found = await members.list_page(session, batch_id, before=before, limit=limit)
    return BatchDocumentPage(
        documents=[BatchDocumentRead.model_validate(each) for each in found], next_cursor=next_cursor(found, limit)
    )


@router.delete(
    "/{batch_id}/documents/{document_id}", status_code=204, responses=problems(NotFound, BatchStarted, LegalHold)
)
async def remove_batch_document(batch_id: UUID, document_id: UUID, caller: Writer, session: Session) -> Response:
    """Take a document out of a batch, with its entries and attachments. The document itself stays."""
    await control.remove_document(session, batch_id, document_id)
    return Response(status_code=204)


@router.get("/{batch_id}/groups", response_model=GroupPage, responses=problems(NotFound, PatternInvalid, BatchTooLarge))
async def list_batch_groups(
    batch_id: UUID, caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50
) -> GroupPage:
    """Preview the groups that the next start would make, in the order of the results."""
    planned = await starting.plan(session, await configuration.found(session, batch_id))
    first: int = read_cursor(cursor, (int,))[0] if cursor is not None else 0
    total = len(planned.groups)
    return GroupPage.of(
        planned.groups[max(first, 0) : max(first, 0) + limit],
        total=total,
        blockers=planned.blockers,
        next_cursor=write_cursor(first + limit) if first + limit < total else None,
    )


@router.post(
    "/{batch_id}/start",
    response_model=BatchRead,
    responses=problems(
        NotFound, NothingToStart, BatchStarting, BatchCancelled, BatchTooLarge, GroupTooLarge, *_WRONG_SETTINGS
    ),
)
async def start_batch(batch_id: UUID, caller: Writer, resources: Resources) -> BatchRead:
    """Start one extraction per group. Started again, a batch runs only documents that were added since.

    If the groups depend on documents that are still being unpacked or read, or `run_at` is later, it starts then.
    """
    async with resources.database.tenant(caller.scope) as session:
        batch = await starting.start(session, resources, batch_id)
        read = await _read(session, batch)
    faults.step("batch.committed")
    return read


@router.get("/{batch_id}/results", response_model=ResultPage, responses=problems(NotFound))
async def list_batch_results(
    batch_id: UUID,
    caller: Reader,
    session: Session,
    before: Before,
    status: ExtractionStatus | None = None,
    needs_review: bool | None = None,
    fields: Annotated[
        bool, Query(description="Adds the confidence of each field outside of lists, and whether it needs review.")
    ] = False,
    limit: Limit = 50,
) -> Response:
    """List the results, one per group in the order of the groups, with corrections applied."""
    await configuration.found(session, batch_id)
    wanted = ResultFilter(status, needs_review)
    found = await results.list_page(session, batch_id, wanted, with_fields=fields, after=before, limit=limit)
    # in a thread, because tables with thousands of rows would block other requests
    body = await asyncio.to_thread(
        lambda: ResultPage(
            results=[ResultRead.of(each) for each in found], next_cursor=next_cursor(found, limit)
        ).model_dump_json()
    )
    return Response(body, media_type="application/json")


@router.get(
    "/{batch_id}/export",
    response_class=StreamingResponse,
    responses={**FILE_CONTENT, **problems(NotFound, TooManyColumns)},
)
async def export_batch(batch_id: UUID, caller: Reader, resources: Resources, options: Export) -> StreamingResponse:
    """Export the results as a table with one row per group, in the order of the groups, corrections applied.

    The file is written while it is sent. If that fails, the connection is closed before the last chunk.
    """
    async with resources.database.tenant(caller.scope) as session:
        batch = await configuration.found(session, batch_id)
    wanted = ExtractionFilter(batch_id=batch_id)
    return file_response(await exports.start(resources, caller.scope, wanted, options), options, batch.name)


@router.post("/{batch_id}/cancel", response_model=BatchRead, responses=problems(NotFound, BatchNotRunning))
async def cancel_batch(batch_id: UUID, caller: Writer, session: Session) -> BatchRead:
    """Cancel what is not finished. Takes effect immediately and is final; results that exist are kept."""
    return await _read(session, await control.cancel(session, batch_id))


@router.post(
    "/{batch_id}/retry", response_model=BatchRetried, responses=problems(NotFound, NothingToRetry, BatchCancelled)
)
async def retry_batch(batch_id: UUID, caller: Writer, session: Session, resources: Resources) -> BatchRetried:
    """Queue the failed extractions of a batch again."""
    return BatchRetried(count=await control.retry(session, resources, batch_id))
