"""Deletes documents, and says which still exist, for those who delete blobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.domain.audit import Actor


@dataclass(frozen=True, slots=True)
class DeletedDocument:
    """What identifies the files of a deleted document, and the words that perhaps only it contained.

    `rows` counts the rows that were deleted with it, by table; `by` is who or what deleted it.
    """

    id: UUID
    project_id: UUID
    sha256: str | None
    pages_key: str | None
    rows: dict[str, int]
    terms: list[int]
    by: Actor


_COUNTED = ("chunks", "document_fields", "jobs", "extraction_documents", "corrections", "archive_entries")


async def stop_jobs(session: Session, ids: Sequence[UUID]) -> None:
    """Stop what works on these documents. Jobs are locked before documents, as workers do.

    An unfinished extraction over one of the documents is cancelled, or begins again without it if it may.
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
            progress = null, turn = greatest(turn, next_turn(queue, priority, null, 0))
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


async def delete(session: Session, ids: Sequence[UUID]) -> list[DeletedDocument]:
    """Delete documents with their jobs, Idempotency-Keys and fields, and extractions without any documents left.

    Their jobs must be stopped.
    """
    counts = ", ".join(
        f"(select count(*) from {table} as its where its.tenant_id = $1 and its."
        f"{'archive_id' if table == 'archive_entries' else 'document_id'} = documents.id) as {table}"
        for table in _COUNTED
    )
    found = await session.connection.fetch(
        f"""
        select id, project_id, sha256, pages_key, {counts}, array(
            select distinct term from chunks as its, unnest(its.terms) as term
            where its.tenant_id = $1 and its.document_id = documents.id) as terms
        from documents where tenant_id = $1 and id = any($2::uuid[])
        """,
        session.scope.tenant_id,
        ids,
        timeout=BULK_SECONDS,
    )
    rows = await session.connection.fetch(
        "delete from documents where tenant_id = $1 and id = any($2::uuid[]) returning id",
        session.scope.tenant_id,
        ids,
        timeout=BULK_SECONDS,
    )
    gone = {row["id"] for row in rows}
    return [
        DeletedDocument(
            each["id"],
            each["project_id"],
            each["sha256"],
            each["pages_key"],
            {table: each[table] for table in _COUNTED if each[table]},
            each["terms"],
            session.scope.actor,
        )
        for each in found
        if each["id"] in gone
    ]


async def with_original(connection: Connection, ids: list[UUID]) -> set[UUID]:
    """Which of these documents still have their original, in any tenant. Used by the sweep of orphan blobs."""
    rows = await connection.fetch(
        "select id from documents where id = any($1::uuid[]) and original_deleted_at is null", ids
    )
    return {row[0] for row in rows}


async def known_ids(connection: Connection, ids: list[UUID]) -> set[UUID]:
    """Which of these documents exist, in any tenant."""
    return {row[0] for row in await connection.fetch("select id from documents where id = any($1::uuid[])", ids)}


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
