"""The documents table: find, record results, reprocess, delete. See also `intake.py` and `document_lists.py`."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Database, Session, refusal
from docsieve.domain.jobs import DeferredBy, JobFailure, NewJob
from docsieve.domain.packets import Split
from docsieve.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Document:
    id: UUID
    project: str
    filename: str
    media_type: str | None
    size: int | None
    sha256: str | None
    status: str
    processing_job_id: UUID | None
    schema_ref: str | None
    engine: str | None
    webhook_url: str | None
    metadata: dict[str, Any]
    duplicate_of: UUID | None
    page_count: int | None
    pages_failed: int | None
    characters: int | None
    error_code: str | None
    error_message: str | None
    created_at: datetime
    updated_at: datetime
    parent_id: UUID | None = None
    parent_path: str | None = None
    parser: str | None = None
    parser_version: str | None = None
    read_cached: bool | None = None
    language: str | None = None
    document_class: str | None = None
    class_confidence: float | None = None
    confidence: float | None = None
    needs_review: bool | None = None
    no_fields: dict[str, str] | None = None
    archive_path: str | None = None
    entries: dict[str, Any] | None = None
    first_page: int | None = None
    last_page: int | None = None
    split_needs_review: bool | None = None
    persist_data: bool = True
    original_deleted_at: datetime | None = None
    progress: dict[str, Any] | None = None
    delete_after: datetime | None = None
    source: str | None = None
    pages_shown: int | None = None

    @property
    def error(self) -> JobFailure | None:
        """Why the document failed."""
        return JobFailure(self.error_code, self.error_message or "") if self.error_code is not None else None


@dataclass(frozen=True, slots=True)
class Source:
    """What a worker needs to know about a document; `reading`, `schema_ref` and `engine` are options of its upload.

    `first_page` is set if it is a part of a packet.
    """

    id: UUID
    project_id: UUID
    media_type: str
    sha256: str
    sealed_password: bytes | None
    depth: int
    reading: dict[str, Any]
    schema_ref: str | None = None
    engine: str | None = None
    filename: str = ""
    size: int = 0
    first_page: int | None = None
    in_batch: bool = False
    original_deleted: bool = False


@dataclass(frozen=True, slots=True)
class StatusRow:
    """A document with its current job and its newest extraction, as `document_states` returns it."""

    id: UUID
    status: str
    page_count: int | None
    parser: str | None
    parser_version: str | None
    read_cached: bool | None
    error_code: str | None
    error_message: str | None
    job_id: UUID | None
    job_status: str | None
    attempts: int | None
    max_attempts: int | None
    run_at: datetime | None
    deferred_by: DeferredBy | None
    progress: str | None
    attempt_error_code: str | None
    attempt_error_message: str | None
    queue_position: int | None
    extraction_id: UUID | None
    extraction_status: str | None
    needs_review: bool | None
    extraction_error_code: str | None
    extraction_error_message: str | None


COLUMNS = """documents.id,
    (select name from projects where projects.tenant_id = $1 and projects.id = documents.project_id),
    filename, media_type, size, sha256, documents.status, job_id,
    case when documents.schema_ref not like '{%' then documents.schema_ref end, documents.engine,
    webhook_url, metadata, duplicate_of, page_count, pages_failed, characters,
    error_code, error_message, documents.created_at, updated_at, parent_id, parent_path, parser, parser_version,
    read_cached, language, class, class_confidence, documents.confidence, documents.needs_review,
    no_fields,
    (select documents.parent_path from archives
     where archives.tenant_id = $1 and archives.document_id = documents.parent_id),
    (select json_build_object('total', entries, 'created', created, 'skipped', skipped,
                              'unsupported_type', unsupported_type, 'refused', refused, 'incomplete', incomplete)
     from archives where archives.tenant_id = $1 and archives.document_id = documents.id),
    first_page, last_page, split_needs_review, persist_data, original_deleted_at,
    case when documents.status in ('processing', 'unpacking', 'downloading') then coalesce(
        (select progress from jobs where jobs.tenant_id = $1 and jobs.id = documents.job_id),
        '{"stage": "starting"}') end,
    delete_after, documents.source,
    case when documents.status in ('pending', 'processing') then (
        select max(number) from early_pages
        where early_pages.tenant_id = $1 and early_pages.document_id = documents.id) end"""
_JSON = [
    place
    for place, each in enumerate(fields(Document))
    if each.name in ("metadata", "no_fields", "entries", "progress")
]
_FAMILIES = """
with recursive family as (
    select id from documents where tenant_id = $1 and id = any($2::uuid[])
    union
    select child.id from documents child join family on child.parent_id = family.id where child.tenant_id = $1)
select id from family"""


def document_of(row: Iterable[Any]) -> Document:
    """Convert a row of `COLUMNS`."""
    values = list(row)
    for place in _JSON:
        values[place] = json.loads(values[place]) if values[place] is not None else None
    return Document(*values)


async def find(session: Session, document_id: UUID) -> Document | None:
    row = await session.connection.fetchrow(
        f"select {COLUMNS} from documents where documents.tenant_id = $1 and documents.id = $2",
        session.scope.tenant_id,
        document_id,
    )
    return document_of(row) if row else None


async def status(
    database: Database, scope: Scope, document_id: UUID, *, max_position: int, api_key: str | None
) -> StatusRow | None:
    """The status that clients poll, in one round trip. `queue_position` is counted up to `max_position`.

    Raises Unauthorized if `api_key`, the id of a key, is not valid any more. None skips that check.
    """
    async with database.system() as connection:
        try:
            row = await connection.fetchrow(
                "select * from read_document_state($1, $2, $3, $4, $5)",
                scope.tenant_id,
                scope.project_id,
                api_key,
                document_id,
                max_position,
            )
        except asyncpg.PostgresError as error:
            if (reason := refusal(error)) is not None:
                raise reason from error
            raise
    return StatusRow(*row) if row is not None else None


async def statuses(connection: Connection, wanted: Collection[tuple[UUID, UUID]]) -> dict[UUID, StatusRow]:
    """The statuses of documents of any tenants, given with their tenant, without their position in the queue."""
    tenants, ids = zip(*wanted, strict=True)
    rows = await connection.fetch("select * from document_states($1, $2, 0)", tenants, ids)
    return {row["id"]: StatusRow(*row) for row in rows}


async def pages_key(session: Session, document_id: UUID) -> str | None:
    key: str | None = await session.connection.fetchval(
        "select pages_key from documents where tenant_id = $1 and id = $2", session.scope.tenant_id, document_id
    )
    return key


async def source(session: Session, document_id: UUID) -> Source | None:
    """None if there is no such document, or its file has not been downloaded yet."""
    row = await session.connection.fetchrow(
        """
        select id, project_id, media_type, sha256, sealed_password, depth, reading, schema_ref, engine, filename, size,
            first_page,
            exists (select from batch_documents as its where its.tenant_id = $1 and its.document_id = documents.id)
                as in_batch,
            original_deleted_at is not null as original_deleted
        from documents where tenant_id = $1 and id = $2 and sha256 is not null
        """,
        session.scope.tenant_id,
        document_id,
    )
    return Source(**{**row, "reading": json.loads(row["reading"])}) if row is not None else None


async def sealed_password(session: Session, document_id: UUID) -> bytes | None:
    found: bytes | None = await session.connection.fetchval(
        "select sealed_password from documents where tenant_id = $1 and id = $2", session.scope.tenant_id, document_id
    )
    return found


async def projects_of(session: Session, ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """The project per document, for those that the scope can see."""
    rows = await session.connection.fetch(
        "select id, project_id from documents where tenant_id = $1 and id = any($2::uuid[])",
        session.scope.tenant_id,
        list(ids),
    )
    return {row[0]: row[1] for row in rows}


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of reading a document, recorded when its job is completed."""

    pages_key: str
    page_count: int
    pages_failed: int
    characters: int
    parser: str
    parser_version: str
    cached: bool
    media_type: str | None = None
    language: str | None = None
    document_class: str | None = None
    class_confidence: float | None = None
    no_fields: JobFailure | None = None


async def record_reading(
    session: Session, document_id: UUID, result: ReadResult, *, job_id: UUID, attempt: int
) -> None:
    await session.connection.execute(
        """
        update documents set pages_key = $3, page_count = $4, pages_failed = $5, characters = $6, parser = $7,
            parser_version = $8, read_cached = $9, media_type = coalesce($10, media_type), language = $11, class = $12,
            class_confidence = $13, read_by_job = $14, read_by_attempt = $15, read_at = clock_timestamp(),
            no_fields = coalesce($16, no_fields), updated_at = clock_timestamp()
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        document_id,
        result.pages_key,
        result.page_count,
        result.pages_failed,
        result.characters,
        result.parser,
        result.parser_version,
        result.cached,
        result.media_type,
        result.language,
        result.document_class,
        result.class_confidence,
        job_id,
        attempt,
        json.dumps(asdict(result.no_fields)) if result.no_fields is not None else None,
    )


async def begin_reprocessing(
    session: Session,
    jobs: Mapping[UUID, NewJob],
    *,
    schema_ref: str | None,
    engine: str | None,
    sealed_password: bytes | None = None,
    split: Split | None = None,
) -> dict[UUID, UUID]:
    """Assign each document its new job. Returns the project per document that got it.

    One with an unfinished job, or whose file was deleted, gets none.

    Rows are locked in the order of their ids, so that two requests over the same documents cannot deadlock.
    """
    ids = sorted(jobs)
    await session.connection.execute(
        "select from documents where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update",
        session.scope.tenant_id,
        ids,
    )
    rows = await session.connection.fetch(
        """
        update documents set job_id = chosen.job_id, status = document_status(chosen.job_type, 'pending'),
            error_code = null, error_message = null,
            no_fields = null, schema_ref = coalesce($4, schema_ref), engine = coalesce($5, engine),
            sealed_password = coalesce($6, sealed_password),
            reading = reading || jsonb_strip_nulls(jsonb_build_object('split', $8::text)),
            updated_at = clock_timestamp()
        from unnest($2::uuid[], $3::uuid[], $7::text[]) as chosen (document_id, job_id, job_type)
        where tenant_id = $1 and id = chosen.document_id and status in ('ready', 'unpacked', 'failed', 'cancelled')
          and original_deleted_at is null
        returning id, project_id
        """,
        session.scope.tenant_id,
        ids,
        [jobs[each].id for each in ids],
        schema_ref,
        engine,
        sealed_password,
        [jobs[each].args.job_type for each in ids],
        split,
        timeout=BULK_SECONDS,
    )
    return {row[0]: row[1] for row in rows}


async def families(session: Session, ids: Sequence[UUID]) -> list[UUID]:
    """The documents with all documents that were attached to them, at any depth."""
    return [row[0] for row in await session.connection.fetch(_FAMILIES, session.scope.tenant_id, list(ids))]


async def family_members(session: Session, ids: Sequence[UUID]) -> list[tuple[UUID, UUID]]:
    """Each of the documents with itself and each document that was found in it, at any depth."""
    rows = await session.connection.fetch(
        """
        with recursive family as (
            select id as root, id from documents where tenant_id = $1 and id = any($2::uuid[])
            union
            select family.root, child.id from documents child join family on child.parent_id = family.id
            where child.tenant_id = $1)
        select root, id from family
        """,
        session.scope.tenant_id,
        list(ids),
    )
    return [(row[0], row[1]) for row in rows]


async def media_types(session: Session, ids: Sequence[UUID]) -> dict[UUID, str | None]:
    """The type per document, for those that the scope can see. None until the file has been downloaded."""
    rows = await session.connection.fetch(
        "select id, media_type from documents where tenant_id = $1 and id = any($2::uuid[])",
        session.scope.tenant_id,
        list(ids),
    )
    return {row[0]: row[1] for row in rows}


async def without_original(session: Session, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these documents are there without their file, because it was deleted."""
    rows = await session.connection.fetch(
        "select id from documents where tenant_id = $1 and id = any($2::uuid[]) and original_deleted_at is not null",
        session.scope.tenant_id,
        list(ids),
    )
    return {row[0] for row in rows}


async def current_jobs(session: Session, ids: Sequence[UUID]) -> dict[UUID, UUID | None]:
    """The current job per document, for those that the scope can see."""
    rows = await session.connection.fetch(
        "select id, job_id from documents where tenant_id = $1 and id = any($2::uuid[])",
        session.scope.tenant_id,
        list(ids),
    )
    return {row[0]: row[1] for row in rows}
