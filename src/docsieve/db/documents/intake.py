"""The SQL of intake: new documents with their jobs, uploaded or attached to another, and Idempotency-Keys."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.connection.driver import Connection, Record
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.db.documents.rows import Document
from docsieve.db.old_rows import delete_or_count
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.documents import first_status
from docsieve.domain.jobs import NewJob
from docsieve.domain.schemas.choice import choice_name

# Of several with the same content, the others are duplicates of the first.
_ADD_CHILDREN = """
insert into documents (id, tenant_id, project_id, job_id, status, filename, media_type, size, sha256, sealed_password,
                       duplicate_of, parent_id, parent_path, depth, schema_ref, engine, reading, webhook_url, metadata,
                       persist_data)
select child.id, $1, parent.project_id, child.job_id, document_status(child.job_type, 'pending'), child.filename,
       child.media_type, child.size, child.sha256, case when $3 then parent.sealed_password end,
       coalesce((select id from documents as older
                 where older.tenant_id = $1 and older.sha256 = child.sha256 order by older.id limit 1),
                nullif(first_value(child.id) over (partition by child.sha256 order by child.place), child.id)),
       parent.id, child.parent_path, parent.depth + 1, parent.schema_ref, parent.engine, parent.reading,
       parent.webhook_url, parent.metadata, parent.persist_data
from documents as parent,
     unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::text[], $11::text[])
         with ordinality as child (id, job_id, job_type, filename, media_type, size, sha256, parent_path, place)
where parent.tenant_id = $1 and parent.id = $2
returning project_id
"""


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document whose file is stored, or will be downloaded from `source`. Names are those of the columns."""

    id: UUID
    filename: str
    media_type: str | None
    size: int | None
    sha256: str | None
    schema_ref: str | None = None
    engine: str | None = None
    webhook_url: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    sealed_password: bytes | None = field(default=None, repr=False)
    reading: dict[str, Any] = field(default_factory=dict)
    parent_path: str | None = None
    persist_data: bool = True
    delete_after: datetime | None = None
    source: str | None = None
    sealed_source: bytes | None = field(default=None, repr=False)

    def row(self) -> dict[str, Any]:
        """As `add_documents` reads it."""
        row = {
            "id": str(self.id),
            "filename": self.filename,
            "media_type": self.media_type,
            "size": self.size,
            "sha256": self.sha256,
            "schema_ref": self.schema_ref,
            "engine": self.engine,
            "webhook_url": self.webhook_url,
            "metadata": self.metadata,
            "sealed_password": _bytea(self.sealed_password),
            "reading": self.reading,
            "persist_data": self.persist_data,
            "delete_after": self.delete_after.isoformat() if self.delete_after is not None else None,
            "source": self.source,
            "sealed_source": _bytea(self.sealed_source),
        }
        return {name: value for name, value in row.items() if value is not None}

    def accepted(self, job: NewJob, row: Record) -> Document:
        """The document right after its insert, which returned `row`."""
        return Document(
            id=self.id,
            project=row["project"],
            filename=self.filename,
            media_type=self.media_type,
            size=self.size,
            sha256=self.sha256,
            status=first_status(self.media_type),
            processing_job_id=job.id,
            schema_ref=choice_name(self.schema_ref),
            engine=self.engine,
            webhook_url=self.webhook_url,
            # as jsonb stores it, so that this response and every later one agree
            metadata=json.loads(row["metadata"]),
            duplicate_of=row["duplicate_of"],
            page_count=None,
            pages_failed=None,
            characters=None,
            error_code=None,
            error_message=None,
            created_at=row["created_at"],
            updated_at=row["created_at"],
            persist_data=self.persist_data,
            delete_after=self.delete_after,
            source=self.source,
        )


def _bytea(sealed: bytes | None) -> str | None:
    return f"\\x{sealed.hex()}" if sealed is not None else None


def _job_row(job: NewJob) -> dict[str, Any]:
    row = {
        "id": str(job.id),
        "job_type": job.args.job_type,
        "args": job.args.model_dump(mode="json"),
        "max_attempts": job.max_attempts,
        "urgent": job.urgent,
    }
    return row if job.run_at is None else {**row, "run_at": job.run_at.isoformat()}


@dataclass(frozen=True, slots=True)
class Idempotency:
    """An Idempotency-Key and the fingerprint of the request it was sent with."""

    key: str
    fingerprint: str


class KeyAlreadyUsed(Exception):
    """Another request with this Idempotency-Key was committed first."""


@dataclass(frozen=True, slots=True)
class NewUpload:
    """A document with its job and, if it was sent with one, its Idempotency-Key."""

    document: NewDocument
    job: NewJob
    idempotency: Idempotency | None = None

    def row(self) -> dict[str, Any]:
        row: dict[str, Any] = {"document": self.document.row(), "job": _job_row(self.job)}
        if self.idempotency is not None:
            row |= {"idempotency_key": self.idempotency.key, "fingerprint": self.idempotency.fingerprint}
        return row


def written(uploads: Sequence[NewUpload]) -> str:
    """As `add_documents` and `accept_documents` read them. Of several with the same content, the others are duplicates
    of the first."""
    first: dict[str | None, UUID] = {}
    rows = [each.row() for each in uploads]
    for row, document in zip(rows, [each.document for each in uploads], strict=True):
        twin = first.setdefault(document.sha256, document.id)
        if twin != document.id and document.sha256 is not None:
            row["document"]["twin"] = str(twin)
    return json.dumps(rows)


async def add_children(
    session: Session,
    parent_id: UUID,
    children: Sequence[NewDocument],
    jobs: Sequence[NewJob],
    *,
    with_password: bool = False,
) -> None:
    """Add documents that were found in another, each with its job.

    They get the parent's project, its metadata and the options it was uploaded with; its password only if asked for.
    """
    if not children:
        return
    project_id = await session.connection.fetchval(
        _ADD_CHILDREN,
        session.scope.tenant_id,
        parent_id,
        with_password,
        [child.id for child in children],
        [job.id for job in jobs],
        [job.args.job_type for job in jobs],
        [child.filename for child in children],
        [child.media_type for child in children],
        [child.size for child in children],
        [child.sha256 for child in children],
        [child.parent_path for child in children],
        timeout=BULK_SECONDS,
    )
    if project_id is not None:
        await enqueue(
            session, [job if job.project_id == project_id else replace(job, project_id=project_id) for job in jobs]
        )


async def add(session: Session, project_id: UUID, uploads: Sequence[NewUpload]) -> None:
    """Add uploaded documents to a project, each with its job."""
    alike: dict[tuple[str, int], list[NewUpload]] = {}
    for each in uploads:
        alike.setdefault((each.job.args.queue, each.job.priority), []).append(each)
    for (queue, priority), some in alike.items():
        session.woken.add(queue)
        await session.connection.execute(
            "select from add_documents($1, $2, $3, $4, $5::jsonb)",
            session.scope.tenant_id,
            project_id,
            queue,
            priority,
            written(some),
        )


async def job_priority(session: Session, document_id: UUID) -> int:
    """The priority of a document's current job, which its children inherit."""
    found: int | None = await session.connection.fetchval(
        """
        select priority from documents join jobs on jobs.id = documents.job_id
        where documents.tenant_id = $1 and jobs.tenant_id = $1 and documents.id = $2
        """,
        session.scope.tenant_id,
        document_id,
    )
    return found or 0


async def known_children(session: Session, parent_id: UUID) -> set[tuple[str, str]]:
    """Path and hash of the documents that were already added for this parent."""
    rows = await session.connection.fetch(
        "select parent_path, sha256 from documents where tenant_id = $1 and parent_id = $2",
        session.scope.tenant_id,
        parent_id,
    )
    return {(row[0], row[1]) for row in rows}


async def find_idempotent(session: Session, key: str) -> tuple[str, UUID] | None:
    """The fingerprint and the document of the request that used this key."""
    row = await session.connection.fetchrow(
        "select fingerprint, document_id from idempotency_keys where tenant_id = $1 and key = $2",
        session.scope.tenant_id,
        key,
    )
    return (row[0], row[1]) if row else None


async def prune_keys(connection: Connection, *, older_than_days: float, limit: int, dry_run: bool) -> int:
    """Idempotency-Keys past their time may be used again."""
    return await delete_or_count(
        connection,
        "idempotency_keys",
        "where created_at < clock_timestamp() - make_interval(secs => $1) order by created_at limit $2",
        older_than_days * 86400,
        limit,
        dry_run=dry_run,
    )
