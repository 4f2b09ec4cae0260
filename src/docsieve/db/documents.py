"""Documents and the idempotency records that stand beside them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.driver import Connection
from docsieve.db.session import Session
from docsieve.domain.jobs import JobFailure


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
    """With no project named, it goes to the one that the session is limited to."""

    id: UUID
    project: str | None
    filename: str
    media_type: str
    size: int
    sha256: str
    job_id: UUID
    schema_ref: str | None
    engine: str | None
    webhook_url: str | None
    metadata: dict[str, Any]
    sealed_password: bytes | None


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


def _document(row: Iterable[Any]) -> Document:
    values = list(row)
    values[11] = json.loads(values[11])
    return Document(*values)


async def insert(session: Session, document: NewDocument) -> tuple[Document, UUID] | None:
    """Add a document and return it with its project's id; None if there is no such project.

    It is a duplicate of the oldest document in sight with the same content.
    """
    row = await session.connection.fetchrow(
        f"""
        with projects as (
            select id, name from projects where tenant_id = $1 and (name = $3 or $3::text is null and id = $14::uuid)),
        documents as (
            insert into documents (id, tenant_id, project_id, job_id, filename, media_type, size, sha256, schema_ref,
                                   engine, webhook_url, metadata, sealed_password, duplicate_of)
            select $2, $1, projects.id, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, $13,
                   (select id from documents where tenant_id = $1 and sha256 = $8 order by id limit 1)
            from projects
            returning *)
        select {_COLUMNS}, projects.id from {_FROM}
        """,
        session.scope.tenant_id,
        document.id,
        document.project,
        document.job_id,
        document.filename,
        document.media_type,
        document.size,
        document.sha256,
        document.schema_ref,
        document.engine,
        document.webhook_url,
        json.dumps(document.metadata),
        document.sealed_password,
        session.scope.project_id,
    )
    return (_document(row[:-1]), row[-1]) if row else None


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


async def insert_idempotent(session: Session, key: str, fingerprint: str, document_id: UUID) -> bool:
    """Claim a key; waits for a transaction that is claiming the same one, and is false if that one committed."""
    claimed = await session.connection.fetchval(
        """
        insert into idempotency_keys (tenant_id, key, fingerprint, document_id) values ($1, $2, $3, $4)
        on conflict do nothing returning key
        """,
        session.scope.tenant_id,
        key,
        fingerprint,
        document_id,
    )
    return claimed is not None


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
