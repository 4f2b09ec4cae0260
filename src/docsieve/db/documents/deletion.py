"""Deletes documents, and says which still exist, for those who delete blobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class DeletedDocument:
    """Identifies the blobs of a deleted document."""

    id: UUID
    sha256: str
    pages_key: str | None


async def delete(session: Session, ids: Sequence[UUID]) -> list[DeletedDocument]:
    """Delete documents with their jobs, Idempotency-Keys and fields.

    Jobs are locked before documents, as workers do. An unfinished extraction over one of the documents is cancelled, or
    begins again without it if it may; an extraction without any documents left is deleted with them.
    """
    jobs = await session.connection.fetch(
        """
        select id, status from jobs
        where tenant_id = $1 and (document_id = any($2::uuid[]) or id = any(array(
            select job_id from extractions join extraction_documents as its on its.extraction_id = extractions.id
            where its.tenant_id = $1 and its.document_id = any($2::uuid[]))))
        order by id for update
        """,
        session.scope.tenant_id,
        ids,
    )
    session.stopped.update(job["id"] for job in jobs if job["status"] == "processing")
    # A running attempt has seen the deleted document, so its result must not be written. It is not counted.
    restarted = await session.connection.fetch(
        """
        update jobs set status = 'pending', max_attempts = max_attempts + 1, worker_id = null, lock_expires_at = null,
            progress = null
        where tenant_id = $1 and id = any($2::uuid[]) and job_type = 'extract_fields' and status = 'processing'
          and exists (select from extractions join extraction_documents as its on its.extraction_id = extractions.id
              where extractions.job_id = jobs.id and allow_missing and its.document_id <> all($3::uuid[]))
        returning queue
        """,
        session.scope.tenant_id,
        [job["id"] for job in jobs],
        ids,
    )
    session.woken.update(row["queue"] for row in restarted)
    await session.connection.execute(
        """
        update jobs set status = 'cancelled', cancel_requested = true, completed_at = clock_timestamp(),
            worker_id = null, lock_expires_at = null, run_at = null, error_code = 'document_deleted',
            error_message = 'A document of this extraction was deleted.', error_details = null
        where tenant_id = $1 and id = any($2::uuid[]) and job_type = 'extract_fields'
          and status in ('scheduled', 'pending', 'processing')
          and not exists (select from extractions join extraction_documents as its on its.extraction_id = extractions.id
              where extractions.job_id = jobs.id and allow_missing and its.document_id <> all($3::uuid[]))
        """,
        session.scope.tenant_id,
        [job["id"] for job in jobs],
        ids,
    )
    rows = await session.connection.fetch(
        """
        delete from documents where tenant_id = $1 and id = any($2::uuid[])
        returning id, sha256, pages_key
        """,
        session.scope.tenant_id,
        ids,
        timeout=BULK_SECONDS,
    )
    return [DeletedDocument(*row) for row in rows]


async def with_original(connection: Connection, ids: list[UUID]) -> set[UUID]:
    """Which of these documents exist, in any tenant, with a file that is to be kept."""
    rows = await connection.fetch(
        "select id from documents where id = any($1::uuid[]) and original_deleted_at is null", ids
    )
    return {row[0] for row in rows}


async def known_contents(connection: Connection, contents: list[tuple[UUID, str]]) -> set[tuple[UUID, str]]:
    """Which of these pairs of tenant and sha256 still have a document."""
    rows = await connection.fetch(
        """
        select distinct tenant_id, sha256 from documents
        join unnest($1::uuid[], $2::text[]) as given (tenant_id, sha256) using (tenant_id, sha256)
        """,
        [tenant for tenant, _ in contents],
        [sha256 for _, sha256 in contents],
    )
    return {(row[0], row[1]) for row in rows}
