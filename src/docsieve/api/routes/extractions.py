"""Start, list, get, cancel, compare, correct, accept, verify and export extractions."""

import asyncio
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header, Query, Response
from fastapi.responses import StreamingResponse

from docsieve.api.access import Reader, Resources, Session, Writer
from docsieve.api.cursors import Before, Limit, next_cursor
from docsieve.api.exports import FILE_CONTENT, Export, file_response
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Text
from docsieve.api.wire.extractions import (
    Comparison,
    ExtractionCreate,
    ExtractionPage,
    ExtractionRead,
    ExtractionStatus,
    ExtractionSummary,
    FieldPaths,
    FieldsCorrect,
)
from docsieve.db.connection.session import Session as TenantSession
from docsieve.db.extractions import corrections as correction_rows
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.rows import Extraction, ExtractionFilter
from docsieve.domain.schemas.refs import SchemaRef
from docsieve.errors import IdempotencyConflict, NotFound
from docsieve.errors.extractions import (
    CorrectionInvalid,
    ExtractionNotCompleted,
    NothingToUndo,
    SchemaInvalid,
    TooManyColumns,
    UnknownPrompt,
    UnknownSchema,
)
from docsieve.errors.jobs import JobNotCancellable
from docsieve.errors.outbound import AddressNotAllowed, UrlInvalid
from docsieve.services.engines import UNUSABLE
from docsieve.services.exports import export as exports
from docsieve.services.extractions import requests
from docsieve.services.review import acceptance, corrections, dataset, examples
from docsieve.services.review.comparison import compare

router = Router(prefix="/extractions", tags=["extractions"], responses=COMMON)

IdempotencyKey = Annotated[
    str | None,
    Header(
        pattern=r"^[\x21-\x7e]{1,255}$", description="Lets you retry the request without creating a second extraction."
    ),
]


async def _filter(
    status: ExtractionStatus | None = None,
    document_id: UUID | None = None,
    schema: Annotated[
        Text | None, Query(description="A schema name (`invoice`) or a version of it (`invoice@3`).")
    ] = None,
    needs_review: bool | None = None,
    verified: bool | None = None,
    batch_id: UUID | None = None,
) -> ExtractionFilter:
    wanted = SchemaRef.parse(schema) if schema is not None else None
    return ExtractionFilter(
        status,
        document_id,
        wanted.name if wanted is not None else None,
        wanted.version if wanted is not None else None,
        needs_review,
        verified,
        batch_id,
    )


Wanted = Annotated[ExtractionFilter, Depends(_filter)]


async def _found(session: TenantSession, extraction_id: UUID) -> Extraction:
    extraction = await extractions.find(session, extraction_id)
    if extraction is None:
        raise NotFound("Extraction not found.")
    return extraction


async def _read(session: TenantSession, extraction_id: UUID) -> Response:
    """Serialized in a thread, because a table with thousands of rows would block other requests."""
    extraction = await _found(session, extraction_id)
    made = await correction_rows.of_extraction(session, extraction_id)
    body = await asyncio.to_thread(lambda: ExtractionRead.of(extraction, made).model_dump_json())
    return Response(body, media_type="application/json")


@router.post(
    "",
    response_model=ExtractionRead,
    responses=problems(
        NotFound,
        UnknownSchema,
        SchemaInvalid,
        UnknownPrompt,
        *UNUSABLE,
        IdempotencyConflict,
        UrlInvalid,
        AddressNotAllowed,
    ),
)
async def start_extraction(
    body: ExtractionCreate,
    caller: Writer,
    session: Session,
    resources: Resources,
    idempotency_key: IdempotencyKey = None,
) -> ExtractionRead:
    """Queue an extraction from one or more documents and return before it is done.

    It starts when all documents have been read.
    """
    started = await requests.start(session, resources, body.request(), idempotency_key=idempotency_key)
    return ExtractionRead.of(started, [])


@router.get("", response_model=ExtractionPage)
async def list_extractions(
    caller: Reader, session: Session, wanted: Wanted, before: Before, limit: Limit = 50
) -> ExtractionPage:
    """List extractions, newest first, without their values."""
    found = await extractions.list_page(session, wanted, before=before, limit=limit)
    return ExtractionPage(
        extractions=[ExtractionSummary.summary(each) for each in found], next_cursor=next_cursor(found, limit)
    )


@router.get("/export", response_class=StreamingResponse, responses={**FILE_CONTENT, **problems(TooManyColumns)})
async def export_extractions(
    caller: Reader, resources: Resources, wanted: Wanted, options: Export
) -> StreamingResponse:
    """Export extractions as a table with one row each, corrections applied, oldest first.

    The file is written while it is sent. If that fails, the connection is closed before the last chunk.
    """
    return file_response(await exports.start(resources, caller.scope, wanted, options), options, "extractions")


@router.get(
    "/dataset",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
            "description": "`ground_truth.jsonl`, `schema.json` and the documents",
        },
        **problems(UnknownSchema),
    },
)
async def download_dataset(
    caller: Reader,
    resources: Resources,
    schema: Annotated[Text, Query(description="A schema name (`invoice`) or a version of it (`invoice@3`).")],
    verified: Annotated[bool, Query(description="Only extractions that a person has verified.")] = True,
) -> StreamingResponse:
    """Download completed extractions, with corrections applied, as a ZIP dataset for `docsieve eval`."""
    wanted = SchemaRef.parse(schema)
    chosen = ExtractionFilter("completed", None, wanted.name, wanted.version, None, verified or None)
    return StreamingResponse(
        dataset.evaluation_set(resources, caller.scope, chosen),
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{wanted.name}.zip"'},
    )


@router.get("/{extraction_id}", response_model=ExtractionRead, responses=problems(NotFound))
async def get_extraction(extraction_id: UUID, caller: Reader, session: Session) -> Response:
    """Get one extraction with its value, evidence and corrections."""
    return await _read(session, extraction_id)


@router.post("/{extraction_id}/cancel", response_model=ExtractionRead, responses=problems(NotFound, JobNotCancellable))
async def cancel_extraction(extraction_id: UUID, caller: Writer, session: Session) -> ExtractionRead:
    """Cancel the extraction. Takes effect immediately: no more provider calls, and later results are discarded."""
    return ExtractionRead.of(await requests.cancel(session, extraction_id), [])


@router.get(
    "/{extraction_id}/compare/{other_id}",
    response_model=Comparison,
    responses=problems(NotFound, ExtractionNotCompleted),
)
async def compare_extractions(extraction_id: UUID, other_id: UUID, caller: Reader, session: Session) -> Comparison:
    """Compare two extractions field by field. Different notations of the same value count as equal."""
    here, there = await _found(session, extraction_id), await _found(session, other_id)
    for each in (here, there):
        if each.status != "completed":
            raise ExtractionNotCompleted(f"Extraction {each.id} is {each.status}.")
    return Comparison.of(here, there, await asyncio.to_thread(compare, here, there))


@router.patch(
    "/{extraction_id}/fields",
    response_model=ExtractionRead,
    responses=problems(NotFound, ExtractionNotCompleted, CorrectionInvalid),
)
async def correct_fields(extraction_id: UUID, body: FieldsCorrect, caller: Writer, session: Session) -> Response:
    """Correct fields. The engine's values are kept, and the local engine learns from corrections."""
    fixes = [each.fix() for each in body.fields]
    corrected = await corrections.correct(session, extraction_id, fixes, by=caller.holder.key_id)
    await examples.learn_soon(session, corrected.spec.schema_name)
    return await _read(session, extraction_id)


@router.post(
    "/{extraction_id}/fields/accept",
    response_model=ExtractionRead,
    responses=problems(NotFound, ExtractionNotCompleted, CorrectionInvalid),
)
async def accept_fields(extraction_id: UUID, body: FieldPaths, caller: Writer, session: Session) -> Response:
    """Accept fields as correct. They no longer need review, and the local engine learns from them."""
    accepted = await acceptance.accept(session, extraction_id, body.paths, by=caller.holder.key_id)
    await examples.learn_soon(session, accepted.spec.schema_name)
    return await _read(session, extraction_id)


@router.post(
    "/{extraction_id}/fields/undo",
    response_model=ExtractionRead,
    responses=problems(NotFound, ExtractionNotCompleted, NothingToUndo),
)
async def undo_fields(extraction_id: UUID, body: FieldPaths, caller: Writer, session: Session) -> Response:
    """Undo the latest correction or acceptance of each field. The history is kept."""
    changed = await acceptance.undo(session, extraction_id, body.paths, by=caller.holder.key_id)
    await examples.learn_soon(session, changed.spec.schema_name)
    return await _read(session, extraction_id)


@router.post(
    "/{extraction_id}/verify", response_model=ExtractionRead, responses=problems(NotFound, ExtractionNotCompleted)
)
async def verify_extraction(extraction_id: UUID, caller: Writer, session: Session) -> Response:
    """Mark every field as reviewed. The extraction no longer needs review, and the local engine learns from it."""
    verified = await corrections.verify(session, extraction_id, by=caller.holder.key_id)
    await examples.learn_soon(session, verified.spec.schema_name)
    return await _read(session, extraction_id)
