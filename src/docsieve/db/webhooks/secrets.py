"""What messages are signed with: per endpoint, and one per tenant for one-off URLs."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session
from docsieve.db.old_rows import delete_or_count
from docsieve.domain.ids import new_id

Kind = Literal["hmac", "ed25519"]

_OWNER = "tenant_id = $1 and coalesce(endpoint_id, tenant_id) = coalesce($2::uuid, $1)"


async def expire(session: Session, endpoint_id: UUID | None, kind: Kind, *, seconds: float) -> datetime | None:
    """Let the current secret sign for so long. Returns when that ends; None if there is none."""
    until: datetime | None = await session.connection.fetchval(
        f"""
        update webhook_secrets set expires_at = clock_timestamp() + make_interval(secs => $4)
        where {_OWNER} and kind = $3 and expires_at is null returning expires_at
        """,
        session.scope.tenant_id,
        endpoint_id,
        kind,
        seconds,
    )
    return until


async def add(session: Session, endpoint_id: UUID | None, kind: Kind, sealed: bytes) -> bool:
    """Make a secret the current one; false if there is one already. It is in the project of its endpoint."""
    added = await session.connection.fetchval(
        """
        insert into webhook_secrets (id, tenant_id, project_id, endpoint_id, kind, sealed)
        values ($5, $1, (select project_id from webhook_endpoints where tenant_id = $1 and id = $2), $2, $3, $4)
        on conflict do nothing returning id
        """,
        session.scope.tenant_id,
        endpoint_id,
        kind,
        sealed,
        new_id(),
    )
    return added is not None


async def valid(session: Session, endpoint_id: UUID | None) -> list[tuple[Kind, bytes]]:
    """Those that sign now, newest first."""
    rows = await session.connection.fetch(
        f"""
        select kind, sealed from webhook_secrets
        where {_OWNER} and (expires_at is null or expires_at > clock_timestamp()) order by id desc
        """,
        session.scope.tenant_id,
        endpoint_id,
    )
    return [(row["kind"], row["sealed"]) for row in rows]


async def prune(connection: Connection, *, limit: int, dry_run: bool) -> int:
    """Remove those that sign no more."""
    return await delete_or_count(
        connection, "webhook_secrets", "where expires_at < clock_timestamp() limit $1", limit, dry_run=dry_run
    )
