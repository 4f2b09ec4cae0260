"""Documents and the idempotency records that stand beside them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.driver import Connection
from docsieve.db.session import Database, Session
from docsieve.domain.jobs import JobFailure, NewJob
from docsieve.domain.scope import Scope
from docsieve.errors import Unauthorized


@dataclass(frozen=True, slots=True)
class Document:
    id: UUID
    project: str
    filename: str
    media_type: str
    size: int
    sha256: str
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

    @property
    def error(self) -> JobFailure | None:
        """Why it failed."""
        return JobFailure(self.error_code, self.error_message or "") if self.error_code is not None else None


@dataclass(frozen=True, slots=True)
class NewDocument:
    """With no project named, it goes to the one that the scope is limited to."""

    id: UUID
    project: str | None
    filename: str
    media_type: str
    size: int
    sha256: str
    schema_ref: str | None
    engine: str | None
    webhook_url: str | None
    metadata: dict[str, Any]
    sealed_password: bytes | None

    def accepted(self, job: NewJob, *, duplicate_of: UUID | None, created_at: datetime) -> Document:
        """The document as it stands right after its insert."""
        assert self.project is not None
        return Document(
            id=self.id,
            project=self.project,
            filename=self.filename,
            media_type=self.media_type,
            size=self.size,
            sha256=self.sha256,
            status="pending",
            processing_job_id=job.id,
            schema_ref=self.schema_ref,
            engine=self.engine,
            webhook_url=self.webhook_url,
            metadata=self.metadata,
            duplicate_of=duplicate_of,
            page_count=None,
            pages_failed=None,
            characters=None,
            error_code=None,
            error_message=None,
            created_at=created_at,
            updated_at=created_at,
        )


@dataclass(frozen=True, slots=True)
class Source:
    """What a worker needs to read a document."""

    id: UUID
    media_type: str
    sha256: str
    sealed_password: bytes | None


@dataclass(frozen=True, slots=True)
class Removed:
    """What a deleted document leaves in the blob store."""

    id: UUID
    sha256: str
    pages_key: str | None
    had_password: bool


_COLUMNS = """documents.id, projects.name, filename, media_type, size, sha256, status, job_id, schema_ref, engine,
    webhook_url, metadata, duplicate_of, page_count, pages_failed, characters, error_code, error_message,
    documents.created_at, updated_at"""
_FROM = "documents join projects on projects.id = documents.project_id"
# raised by accept_document
_KEY_USED = "DS409"
_KEY_REFUSED = "DS401"


def _document(row: Iterable[Any]) -> Document:
    values = list(row)
    values[11] = json.loads(values[11])
    return Document(*values)


class KeyAlreadyUsed(Exception):
    """Another request with this Idempotency-Key committed first."""


async def accept(
    database: Database,
    scope: Scope,
    document: NewDocument,
    job: NewJob,
    *,
    api_key: str,
    key: str | None,
    fingerprint: str | None,
) -> Document | None:
    """Add a document, its job and its Idempotency-Key, all or nothing; None if there is no such project.

    It is a duplicate of the oldest document in sight with the same content.
    """
    async with database.system() as connection:
        try:
            row = await connection.fetchrow(
                f"select * from accept_document({', '.join(f'${n}' for n in range(1, 23))})",
                scope.tenant_id,
                scope.project_id,
                document.project,
                document.id,
                document.filename,
                document.media_type,
                document.size,
                document.sha256,
                document.schema_ref,
                document.engine,
                document.webhook_url,
                json.dumps(document.metadata),
                document.sealed_password,
                job.id,
                job.args.kind,
                job.args.model_dump_json(),
                job.args.queue,
                job.priority,
                job.max_attempts,
                key,
                fingerprint,
                api_key,
            )
        except asyncpg.PostgresError as error:
            if error.sqlstate == _KEY_USED:
                raise KeyAlreadyUsed from error
            if error.sqlstate == _KEY_REFUSED:
                raise Unauthorized("The API key was revoked or has expired.") from error
            raise
    assert row is not None
    if row["project"] is None:
        return None
    database.waker.wake([job.args.queue])
    # the metadata come back as jsonb keeps them, so that this answer and every later one agree
    stored = replace(document, project=row["project"], metadata=json.loads(row["metadata"]))
    return stored.accepted(job, duplicate_of=row["duplicate_of"], created_at=row["created_at"])


async def find(session: Session, document_id: UUID) -> Document | None:
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from {_FROM} where documents.tenant_id = $1 and documents.id = $2",
        session.scope.tenant_id,
        document_id,
    )
    return _document(row) if row else None


async def list_page(
    session: Session, *, status: str | None, project: str | None, name: str | None, before: UUID | None, limit: int
) -> list[Document]:
    """Newest first; `name` matches any part of the file name, case aside."""
    pattern = None if name is None else f"%{_escape_like(name)}%"
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS} from {_FROM}
        where documents.tenant_id = $1
          and ($2::text is null or status = $2)
          and ($3::text is null or projects.name = $3)
          and ($4::text is null or filename ilike $4)
          and ($5::uuid is null or documents.id < $5)
        order by documents.id desc limit $6
        """,
        session.scope.tenant_id,
        status,
        project,
        pattern,
        before,
        limit,
    )
    return [_document(row) for row in rows]


def _escape_like(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


async def status(session: Session, document_id: UUID, *, count_ahead: int) -> asyncpg.Record | None:
    """The small answer that clients poll for."""
    return await session.connection.fetchrow(
        """
        select documents.status, documents.page_count, documents.error_code, documents.error_message,
               jobs.id as job_id, jobs.status as job_status, jobs.attempts, jobs.max_attempts, jobs.run_at,
               jobs.progress, jobs.error_code as attempt_error_code, jobs.error_message as attempt_error_message,
               case when jobs.status = 'pending' then queue_position(jobs.id, $3) end as queue_position
        from documents left join jobs on jobs.id = documents.job_id
        where documents.tenant_id = $1 and documents.id = $2
        """,
        session.scope.tenant_id,
        document_id,
        count_ahead,
    )


async def pages_key(session: Session, document_id: UUID) -> str | None:
    key: str | None = await session.connection.fetchval(
        "select pages_key from documents where tenant_id = $1 and id = $2", session.scope.tenant_id, document_id
    )
    return key


async def source(session: Session, document_id: UUID) -> Source | None:
    row = await session.connection.fetchrow(
        "select id, media_type, sha256, sealed_password from documents where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        document_id,
    )
    return Source(*row) if row else None


async def record_pages(
    session: Session,
    document_id: UUID,
    *,
    pages_key: str,
    page_count: int,
    pages_failed: int,
    characters: int,
    job_id: UUID,
    attempt: int,
) -> None:
    await session.connection.execute(
        """
        update documents set pages_key = $3, page_count = $4, pages_failed = $5, characters = $6,
            read_by_job = $7, read_by_attempt = $8, read_at = clock_timestamp(), updated_at = clock_timestamp()
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        document_id,
        pages_key,
        page_count,
        pages_failed,
        characters,
        job_id,
        attempt,
    )


async def begin_reprocessing(
    session: Session, document_id: UUID, *, job_id: UUID, schema_ref: str | None, engine: str | None
) -> bool:
    """Point the document at its new job; false while the present job is under way."""
    changed = await session.connection.fetchval(
        """
        update documents set job_id = $3, status = 'pending', error_code = null, error_message = null,
            schema_ref = coalesce($4, schema_ref), engine = coalesce($5, engine), updated_at = clock_timestamp()
        where tenant_id = $1 and id = $2 and status not in ('pending', 'processing')
        returning id
        """,
        session.scope.tenant_id,
        document_id,
        job_id,
        schema_ref,
        engine,
    )
    return changed is not None


async def delete(session: Session, document_id: UUID) -> Removed | None:
    """Remove a document with its jobs and keys.

    The jobs are locked first, in the order in which a worker locks: job, then document.
    """
    jobs = await session.connection.fetch(
        "select id, status from jobs where tenant_id = $1 and document_id = $2 for update",
        session.scope.tenant_id,
        document_id,
    )
    session.stopped.update(job["id"] for job in jobs if job["status"] == "processing")
    row = await session.connection.fetchrow(
        """
        delete from documents where tenant_id = $1 and id = $2
        returning id, sha256, pages_key, sealed_password is not null
        """,
        session.scope.tenant_id,
        document_id,
    )
    return Removed(*row) if row else None


async def find_idempotent(session: Session, key: str) -> tuple[str, UUID] | None:
    """The fingerprint and document that a key stands for."""
    row = await session.connection.fetchrow(
        "select fingerprint, document_id from idempotency_keys where tenant_id = $1 and key = $2",
        session.scope.tenant_id,
        key,
    )
    return (row[0], row[1]) if row else None


async def expire_idempotency(connection: Connection, *, older_than_days: float) -> None:
    await connection.execute(
        "delete from idempotency_keys where created_at < clock_timestamp() - make_interval(secs => $1)",
        older_than_days * 86400,
    )


async def known_ids(connection: Connection, ids: list[UUID]) -> set[UUID]:
    """Which of these documents exist, whosever they are: for the sweep of orphan blobs."""
    return {row[0] for row in await connection.fetch("select id from documents where id = any($1::uuid[])", ids)}


async def known_contents(connection: Connection, contents: list[tuple[UUID, str]]) -> set[tuple[UUID, str]]:
    """Which of these (tenant, sha256) pairs some document still has."""
    rows = await connection.fetch(
        """
        select distinct tenant_id, sha256 from documents
        join unnest($1::uuid[], $2::text[]) as asked (tenant_id, sha256) using (tenant_id, sha256)
        """,
        [tenant for tenant, _ in contents],
        [sha256 for _, sha256 in contents],
    )
    return {(row[0], row[1]) for row in rows}
