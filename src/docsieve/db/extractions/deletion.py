"""Deletes extractions without their documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class DeletedExtraction:
    id: UUID
    project_id: UUID
    rows: dict[str, int]


async def held(session: Session, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these extractions are under legal hold: through a document, their batch or their project."""
    rows = await session.connection.fetch(
        """
        select id from extractions
        where tenant_id = $1 and id = any($2::uuid[]) and (
            exists (select from held_documents($1, array(
                select document_id from extraction_documents as its
                where its.tenant_id = $1 and its.extraction_id = extractions.id)))
            or exists (select from legal_holds as hold
                where hold.tenant_id = $1 and hold.batch_id = extractions.batch_id))
        """,
        session.scope.tenant_id,
        list(ids),
    )
    return {row[0] for row in rows}


async def schemas_taught(session: Session, ids: Sequence[UUID]) -> list[str]:
    """The schemas about which people taught something with these extractions."""
    rows = await session.connection.fetch(
        """
        select distinct schema_name from extractions
        where tenant_id = $1 and id = any($2::uuid[]) and schema_name is not null
          and (verified_at is not null or exists (
              select from corrections where corrections.tenant_id = $1 and corrections.extraction_id = extractions.id))
        """,
        session.scope.tenant_id,
        list(ids),
    )
    return [row[0] for row in rows]


async def delete(session: Session, ids: Sequence[UUID]) -> list[DeletedExtraction]:
    """Delete finished extractions with their jobs, fields, corrections, and cached responses about their documents.

    Their documents then show the newest extraction that is left.
    """
    arguments = (session.scope.tenant_id, list(ids))
    await session.connection.execute(
        """
        delete from jobs where tenant_id = $1 and job_type = 'extract_fields' and id = any(array(
            select job_id from extractions where tenant_id = $1 and id = any($2::uuid[])))
        """,
        *arguments,
    )
    found = await session.connection.fetch(
        """
        select id, project_id,
            (select count(*) from document_fields where tenant_id = $1 and extraction_id = extractions.id),
            (select count(*) from corrections where tenant_id = $1 and extraction_id = extractions.id)
        from extractions where tenant_id = $1 and id = any($2::uuid[]) order by id for update
        """,
        *arguments,
    )
    documents = await session.connection.fetch(
        """
        select distinct document_id from extraction_documents
        where tenant_id = $1 and extraction_id = any($2::uuid[])
        """,
        *arguments,
    )
    await session.connection.execute(
        "delete from extractions where tenant_id = $1 and id = any($2::uuid[])", *arguments, timeout=BULK_SECONDS
    )
    await _forget_results(session, [row[0] for row in documents])
    return [DeletedExtraction(row[0], row[1], {"document_fields": row[2], "corrections": row[3]}) for row in found]


async def _forget_results(session: Session, document_ids: list[UUID]) -> None:
    await session.connection.execute(
        "delete from cached_responses where tenant_id = $1 and document_ids && $2::uuid[]",
        session.scope.tenant_id,
        document_ids,
    )
    await session.connection.execute(
        """
        update documents set newest_extraction = newest.id, confidence = newest.confidence,
            needs_review = newest.needs_review
        from unnest($2::uuid[]) as given (document_id) left join lateral (
            select extractions.id, confidence, needs_review
            from extraction_documents as its join extractions on extractions.id = its.extraction_id
            where its.tenant_id = $1 and extractions.tenant_id = $1 and its.document_id = given.document_id
              and status = 'completed'
            order by its.extraction_id desc limit 1) as newest on true
        where documents.tenant_id = $1 and documents.id = given.document_id
        """,
        session.scope.tenant_id,
        document_ids,
    )
