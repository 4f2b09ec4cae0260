"""How documents come in: by an upload, with its idempotency record, or from inside another document."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.connection.driver import Connection, Record
from docsieve.db.connection.session import Database, Session
from docsieve.db.documents import Document
from docsieve.domain.jobs import NewJob
from docsieve.domain.scope import Scope
from docsieve.errors import Unauthorized

# raised by accept_document
_KEY_USED = "DS409"
_KEY_REFUSED = "DS401"

_ACCEPT = f"select * from accept_document({', '.join(f'${n}' for n in range(1, 24))})"


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
    reading: dict[str, Any]

    def accepted(self, job: NewJob, row: Record) -> Document:
        """The document as it stands right after its insert, which said `row`."""
        return Document(
            id=self.id,
            project=row["project"],
            filename=self.filename,
            media_type=self.media_type,
            size=self.size,
            sha256=self.sha256,
            status="pending",
            processing_job_id=job.id,
            schema_ref=self.schema_ref,
            engine=self.engine,
            webhook_url=self.webhook_url,
            # as jsonb keeps them, so that this answer and every later one agree
            metadata=json.loads(row["metadata"]),
            duplicate_of=row["duplicate_of"],
            page_count=None,
            pages_failed=None,
            characters=None,
            error_code=None,
            error_message=None,
            created_at=row["created_at"],
            updated_at=row["created_at"],
        )


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
                _ACCEPT,
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
                job.args.job_type,
                job.args.model_dump_json(),
                job.args.queue,
                job.priority,
                job.max_attempts,
                key,
                fingerprint,
                api_key,
                json.dumps(document.reading),
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
    return document.accepted(job, row)


@dataclass(frozen=True, slots=True)
class NewChild:
    """A document found inside another; `path` is its name in there."""

    id: UUID
    job_id: UUID
    path: str
    filename: str
    media_type: str
    size: int
    sha256: str


async def add_children(session: Session, parent_id: UUID, children: Sequence[NewChild]) -> None:
    """They inherit the parent's project and what its sender asked for. Their jobs must follow in this transaction."""
    await session.connection.execute(
        """
        insert into documents (id, job_id, tenant_id, project_id, parent_id, depth, parent_path, filename, media_type,
                               size, sha256, schema_ref, engine, webhook_url, reading, duplicate_of)
        select child.id, child.job_id, tenant_id, project_id, parent.id, depth + 1, child.path, child.filename,
               child.media_type, child.size, child.sha256, schema_ref, engine, webhook_url, reading,
               (select older.id from documents older
                where older.tenant_id = $1 and older.sha256 = child.sha256 order by older.id limit 1)
        from documents parent, unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bigint[],
                                      $9::text[]) as child (id, job_id, path, filename, media_type, size, sha256)
        where parent.tenant_id = $1 and parent.id = $2
        """,
        session.scope.tenant_id,
        parent_id,
        [child.id for child in children],
        [child.job_id for child in children],
        [child.path for child in children],
        [child.filename for child in children],
        [child.media_type for child in children],
        [child.size for child in children],
        [child.sha256 for child in children],
    )


async def known_children(session: Session, parent_id: UUID) -> set[tuple[str, str]]:
    """Path and hash of the documents that already came out of this one."""
    rows = await session.connection.fetch(
        "select parent_path, sha256 from documents where tenant_id = $1 and parent_id = $2",
        session.scope.tenant_id,
        parent_id,
    )
    return {(row[0], row[1]) for row in rows}


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
