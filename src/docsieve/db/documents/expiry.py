"""Documents whose time has come, and archives whose file is no longer needed. Across all tenants."""

from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session

# $1 is an age in seconds. Whatever still runs or ended only recently, in any document that was found in this one, keeps
# all of them; so does a batch that has not ended.
_OPTED_OUT = """
not root.persist_data and root.parent_id is null
and root.updated_at < clock_timestamp() - make_interval(secs => $1)
and not exists (
    with recursive family as (
        select root.id union select child.id from documents as child join family on child.parent_id = family.id)
    select from family join documents as its on its.id = family.id
    where document_in_progress(its.status) or its.updated_at >= clock_timestamp() - make_interval(secs => $1)
       or exists (
           select from extraction_documents as listed join extractions on extractions.id = listed.extraction_id
           where listed.document_id = its.id and (extractions.status in ('pending', 'processing')
               or extractions.completed_at >= clock_timestamp() - make_interval(secs => $1)))
       or exists (
           select from batch_documents as member join batches on batches.id = member.batch_id
           where member.document_id = its.id and batches.status in ('pending_configuration', 'running')))
"""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    tenant_id: UUID
    id: UUID
    size: int


async def opted_out(
    connection: Connection, *, older_than_seconds: float, after: UUID | None, limit: int
) -> list[StoredDocument]:
    """Uploads that are not to be kept and were processed longer ago than that; by id, after `after`."""
    rows = await connection.fetch(
        f"""
        select tenant_id, id, coalesce(size, 0) from documents as root
        where {_OPTED_OUT} and ($2::uuid is null or root.id > $2)
        order by root.id limit $3
        """,
        older_than_seconds,
        after,
        limit,
        timeout=BULK_SECONDS,
    )
    return [StoredDocument(*row) for row in rows]


async def is_opted_out(session: Session, document_id: UUID, *, older_than_seconds: float) -> bool:
    """Whether the document is still to be deleted. It is locked until the transaction ends."""
    found = await session.connection.fetchval(
        f"""
        select true from documents as root where tenant_id = $2 and id = $3 and {_OPTED_OUT} for update
        """,
        older_than_seconds,
        session.scope.tenant_id,
        document_id,
        timeout=BULK_SECONDS,
    )
    return found is not None


async def unpacked_archives(
    connection: Connection, *, complete_seconds: float, incomplete_seconds: float, after: UUID | None, limit: int
) -> list[StoredDocument]:
    """Archives with a stored file that were unpacked longer ago than that; by id, after `after`.

    The second age applies to those with entries that could not be read, because someone may try again.
    """
    rows = await connection.fetch(
        """
        select documents.tenant_id, id, documents.size from documents
        left join archives on archives.document_id = documents.id
        where documents.status = 'unpacked' and original_deleted_at is null
          and updated_at < clock_timestamp() - make_interval(secs => case
              when archives.refused > 0 or archives.incomplete is not null then $2::float8 else $1::float8 end)
          and ($3::uuid is null or id > $3)
        order by id limit $4
        """,
        complete_seconds,
        incomplete_seconds,
        after,
        limit,
        timeout=BULK_SECONDS,
    )
    return [StoredDocument(*row) for row in rows]


async def mark_original_deleted(session: Session, archive_id: UUID) -> bool:
    """Record that the file of an unpacked archive is deleted. False if it is not unpacked any more."""
    found = await session.connection.fetchval(
        """
        update documents set original_deleted_at = clock_timestamp()
        where tenant_id = $1 and id = $2 and status = 'unpacked' and original_deleted_at is null
        returning true
        """,
        session.scope.tenant_id,
        archive_id,
    )
    return found is not None
