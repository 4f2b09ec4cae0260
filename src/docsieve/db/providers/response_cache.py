"""Responses of providers, cached so that none is paid for twice; each tenant has its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session
from docsieve.db.old_rows import delete_or_count


@dataclass(frozen=True, slots=True)
class CachedRow:
    """`body` is compressed by the caller."""

    body: bytes
    cost: Decimal


async def find(session: Session, key: bytes) -> CachedRow | None:
    row = await session.connection.fetchrow(
        "select body, cost from cached_responses where tenant_id = $1 and key = $2", session.scope.tenant_id, key
    )
    return CachedRow(*row) if row else None


async def store(
    session: Session, key: bytes, body: bytes, *, provider: str, document_ids: Sequence[UUID], cost: Decimal
) -> None:
    """Store a response unless the key has one already."""
    await session.connection.execute(
        """
        insert into cached_responses (tenant_id, key, provider, document_ids, body, cost)
        values ($1, $2, $3, $4, $5, $6)
        on conflict do nothing
        """,
        session.scope.tenant_id,
        key,
        provider,
        list(document_ids),
        body,
        cost,
    )


async def prune(connection: Connection, *, older_than_days: float, max_bytes: int, limit: int, dry_run: bool) -> int:
    """Delete the oldest: those past their age, and those beyond a tenant's total size."""
    return await delete_or_count(
        connection,
        "cached_responses",
        """
        where (tenant_id, key) in (
            select tenant_id, key from (
                select tenant_id, key, created_at,
                       sum(octet_length(body)) over (partition by tenant_id order by created_at desc, key) as so_far
                from cached_responses) as newest_first
            where so_far > $2 or created_at < clock_timestamp() - make_interval(secs => $1 * 86400)
            order by created_at limit $3)
        """,
        older_than_days,
        max_bytes,
        limit,
        dry_run=dry_run,
    )
