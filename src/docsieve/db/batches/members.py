"""The documents of a batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.domain.batches import Member


@dataclass(frozen=True, slots=True)
class BatchDocument:
    """`group` and `extraction_id` are those of its extraction in the batch, once there is one."""

    id: UUID
    filename: str
    status: str
    media_type: str | None
    sha256: str | None
    document_class: str | None
    parent_id: UUID | None
    archive_path: str | None
    group: str | None
    extraction_id: UUID | None


_MEMBERS = """
select documents.id, filename, documents.status, media_type, parent_id, parent_path, depth, class,
    (reading ->> 'attachments')::boolean, reading ->> 'split', first_page is not null
from batch_documents as its join documents on documents.id = its.document_id
where its.tenant_id = $1 and documents.tenant_id = $1 and its.batch_id = $2
order by documents.id
"""

_STARTED = """
select its.document_id from extractions join extraction_documents as its on its.extraction_id = extractions.id
where extractions.tenant_id = $1 and its.tenant_id = $1 and extractions.batch_id = $2
"""


async def all_of(session: Session, batch_id: UUID, *, lock_unread: bool = False) -> list[Member]:
    """All documents; locked against the end of their reading on request, if they are being read.

    A job that is then enqueued to wait for one of them cannot miss that end.
    """
    if lock_unread:
        await session.connection.execute(
            """
            select from documents
            where tenant_id = $1 and document_in_progress(status)
              and id in (select document_id from batch_documents where tenant_id = $1 and batch_id = $2)
            order by id for share
            """,
            session.scope.tenant_id,
            batch_id,
            timeout=BULK_SECONDS,
        )
    rows = await session.connection.fetch(_MEMBERS, session.scope.tenant_id, batch_id, timeout=BULK_SECONDS)
    return [Member(*row) for row in rows]


async def started(session: Session, batch_id: UUID) -> set[UUID]:
    """The documents that are in an extraction of the batch."""
    rows = await session.connection.fetch(_STARTED, session.scope.tenant_id, batch_id, timeout=BULK_SECONDS)
    return {row[0] for row in rows}


async def group_names(session: Session, batch_id: UUID) -> list[str]:
    rows = await session.connection.fetch(
        "select group_name from extractions where tenant_id = $1 and batch_id = $2", session.scope.tenant_id, batch_id
    )
    return [row[0] for row in rows]


async def add(session: Session, batch_id: UUID, project_id: UUID, ids: Sequence[UUID]) -> int:
    """Add documents with their entries, attachments and parts at any depth. Returns how many are new in the batch.

    Documents are locked first, so that an archive that is being unpacked adds later entries itself.
    """
    await session.connection.execute(
        "select from documents where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update",
        session.scope.tenant_id,
        list(ids),
    )
    rows = await session.connection.fetch(
        """
        with recursive family as (
            select id from documents where tenant_id = $1 and id = any($4::uuid[])
            union
            select child.id from documents child join family on child.parent_id = family.id where child.tenant_id = $1)
        insert into batch_documents (tenant_id, batch_id, project_id, document_id)
        select $1, $2, $3, id from family
        on conflict do nothing returning document_id
        """,
        session.scope.tenant_id,
        batch_id,
        project_id,
        list(ids),
        timeout=BULK_SECONDS,
    )
    return len(rows)


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """Without unpacked archives. `waiting` are still being read; `new` are in no extraction of the batch yet."""

    documents: int
    waiting: int
    new: int


async def count(session: Session, batch_id: UUID) -> DocumentCounts:
    row = await session.connection.fetchrow(
        """
        select count(*) filter (where documents.status <> 'unpacked'),
               count(*) filter (where document_in_progress(documents.status)),
               count(*) filter (where documents.status <> 'unpacked' and not is_started and not is_cut)
        from batch_documents as its join documents on documents.id = its.document_id
        cross join lateral (select
            its.document_id in (
                select listed.document_id from extraction_documents as listed
                join extractions on extractions.id = listed.extraction_id
                where listed.tenant_id = $1 and extractions.tenant_id = $1 and extractions.batch_id = $2) as is_started,
            its.document_id in (
                select parent_id from documents join batch_documents as part on part.document_id = documents.id
                where documents.tenant_id = $1 and part.tenant_id = $1 and part.batch_id = $2
                  and first_page is not null and parent_id is not null) as is_cut) as known
        where its.tenant_id = $1 and documents.tenant_id = $1 and its.batch_id = $2
        """,
        session.scope.tenant_id,
        batch_id,
    )
    assert row is not None
    return DocumentCounts(*row)


async def replaced_by_parts(session: Session, batch_id: UUID) -> list[UUID]:
    """The finished extractions of packets as a whole that were cut since; their parts are in the batch."""
    rows = await session.connection.fetch(
        """
        select extractions.id from extractions join extraction_documents as its on its.extraction_id = extractions.id
        where extractions.tenant_id = $1 and its.tenant_id = $1 and extractions.batch_id = $2
          and extractions.document_count = 1 and extractions.status in ('completed', 'failed', 'cancelled')
          and exists (
              select from documents join batch_documents as part on part.document_id = documents.id
              where documents.tenant_id = $1 and part.tenant_id = $1 and part.batch_id = $2
                and documents.parent_id = its.document_id and first_page is not null)
        """,
        session.scope.tenant_id,
        batch_id,
    )
    return [row[0] for row in rows]


async def remove(session: Session, batch_id: UUID, document_id: UUID) -> None:
    """Take a document out of the batch, with its entries and attachments."""
    await session.connection.execute(
        """
        with recursive family as (
            select $3::uuid as id
            union
            select child.id from documents child join family on child.parent_id = family.id where child.tenant_id = $1)
        delete from batch_documents
        where tenant_id = $1 and batch_id = $2 and document_id in (select id from family)
        """,
        session.scope.tenant_id,
        batch_id,
        document_id,
    )


async def list_page(session: Session, batch_id: UUID, *, before: UUID | None, limit: int) -> list[BatchDocument]:
    """Newest first."""
    rows = await session.connection.fetch(
        """
        select documents.id, filename, documents.status, media_type, sha256, class, parent_id, parent_path,
            extraction.group_name, extraction.id
        from batch_documents as its join documents on documents.id = its.document_id
        left join lateral (
            select extractions.id, group_name from extraction_documents as listed
            join extractions on extractions.id = listed.extraction_id
            where listed.tenant_id = $1 and extractions.tenant_id = $1 and listed.document_id = documents.id
              and extractions.batch_id = $2
            order by extractions.id desc limit 1) as extraction on true
        where its.tenant_id = $1 and documents.tenant_id = $1 and its.batch_id = $2
          and ($3::uuid is null or documents.id < $3)
        order by its.document_id desc limit $4
        """,
        session.scope.tenant_id,
        batch_id,
        before,
        limit,
    )
    return [BatchDocument(*row) for row in rows]
