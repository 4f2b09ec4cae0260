"""Batches whose time has come: abandoned before they were started, or not to be kept. Across all tenants."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session

Rule = Literal["abandoned", "opt_out"]

# $1 is an age in seconds.
_CONDITIONS: dict[Rule, str] = {
    "abandoned": """
        batches.status = 'pending_configuration' and starting_job is null
        and batches.updated_at < clock_timestamp() - make_interval(secs => $1)
        and not exists (
            select from batch_documents as its join documents on documents.id = its.document_id
            where its.batch_id = batches.id
              and documents.created_at >= clock_timestamp() - make_interval(secs => $1))""",
    "opt_out": """
        not batches.persist_data and batches.status in ('completed', 'cancelled')
        and batches.completed_at < clock_timestamp() - make_interval(secs => $1)""",
}

# A document that is in another batch too stays, and so does what existed before an abandoned batch.
_DOCUMENTS: dict[Rule, str] = {"abandoned": "its.uploaded", "opt_out": "true"}
_DELETED_WITH_BATCH = """
from batch_documents as its
where its.batch_id = {batch} and {condition} and not exists (
    select from batch_documents as other where other.document_id = its.document_id and other.batch_id <> its.batch_id)
"""


@dataclass(frozen=True, slots=True)
class ExpiredBatch:
    """`documents` is how many would be deleted with it."""

    tenant_id: UUID
    id: UUID
    documents: int


async def expired(
    connection: Connection, rule: Rule, *, older_than_seconds: float, after: UUID | None, limit: int
) -> list[ExpiredBatch]:
    """By id, from the one after `after` on."""
    documents = _DELETED_WITH_BATCH.format(batch="batches.id", condition=_DOCUMENTS[rule])
    rows = await connection.fetch(
        f"""
        select tenant_id, id, (select count(*) {documents})
        from batches where {_CONDITIONS[rule]} and ($2::uuid is null or id > $2)
        order by id limit $3
        """,
        older_than_seconds,
        after,
        limit,
        timeout=BULK_SECONDS,
    )
    return [ExpiredBatch(*row) for row in rows]


async def lock_expired(session: Session, batch_id: UUID, rule: Rule, *, older_than_seconds: float) -> bool:
    """Lock a batch until the transaction ends. False if the rule does not apply to it any more."""
    found = await session.connection.fetchval(
        f"""
        select true from batches where tenant_id = $2 and id = $3 and {_CONDITIONS[rule]} for no key update
        """,
        older_than_seconds,
        session.scope.tenant_id,
        batch_id,
    )
    return found is not None


async def documents_to_delete(session: Session, batch_id: UUID, rule: Rule, *, limit: int) -> Sequence[UUID]:
    """Newest first, so that entries come before their archive."""
    documents = _DELETED_WITH_BATCH.format(batch="$2", condition=_DOCUMENTS[rule])
    rows = await session.connection.fetch(
        f"select its.document_id {documents} and its.tenant_id = $1 order by its.document_id desc limit $3",
        session.scope.tenant_id,
        batch_id,
        limit,
        timeout=BULK_SECONDS,
    )
    return [row[0] for row in rows]
