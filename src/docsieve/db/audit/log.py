"""Reads the audit log, and deletes its oldest entries."""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.domain.audit import Action, Entry


@dataclass(frozen=True, slots=True)
class Head:
    """The newest hash of a tenant's log and the number of its entries."""

    entries: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """`actor` is the id of a key or the name of a rule. `until` is exclusive."""

    actor: str | None = None
    action: str | None = None
    object_type: str | None = None
    object_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


_COLUMNS = """tenant_id, number, at, project_id, actor_kind, actor_id, actor_name, remote_address, forwarded_for,
    action, object_type, object_id, details, hash"""


async def head(connection: Connection, tenant_id: UUID) -> Head | None:
    """None if nothing was recorded yet."""
    row = await connection.fetchrow("select entries, hash from audit_heads where tenant_id = $1", tenant_id)
    return Head(*row) if row else None


async def pruned(connection: Connection, tenant_id: UUID) -> Head | None:
    """The number and hash of the last entry that was pruned, as the newest entry about pruning says."""
    details = await connection.fetchval(
        "select details from audit_log where tenant_id = $1 and action = $2 order by number desc limit 1",
        tenant_id,
        Action.audit_pruned,
    )
    try:
        said = json.loads(details or "null")
        return Head(int(said["entries"]), bytes.fromhex(said["hash"]))
    except (ValueError, TypeError, KeyError):
        return None  # nothing was pruned, or the entry was altered, which shows in its hash


async def last_before(connection: Connection, tenant_id: UUID, moment: datetime) -> Head | None:
    """The last entry before the first one of this time or later."""
    row = await connection.fetchrow(
        """
        select number, hash from audit_log where tenant_id = $1 and number < coalesce(
            (select min(number) from audit_log where tenant_id = $1 and at >= $2), 9223372036854775807)
        order by number desc limit 1
        """,
        tenant_id,
        moment,
    )
    return Head(*row) if row else None


async def delete_through(connection: Connection, tenant_id: UUID, number: int) -> int:
    """Delete the oldest entries. Only the owner of the table may; returns how many they were."""
    status: str = await connection.execute(
        "delete from audit_log where tenant_id = $1 and number <= $2", tenant_id, number, timeout=BULK_SECONDS
    )
    return int(status.split()[-1])


async def after(connection: Connection, tenant_id: UUID, number: int, *, limit: int) -> list[Entry]:
    """The entries that follow a number, in the order of the log."""
    rows = await connection.fetch(
        f"select {_COLUMNS} from audit_log where tenant_id = $1 and number > $2 order by number limit $3",
        tenant_id,
        number,
        limit,
    )
    return [Entry(*row) for row in rows]


async def list_page(
    session: Session, wanted: AuditFilter, *, before: int | None = None, after: int | None = None, limit: int
) -> list[Entry]:
    """Entries newest first, or oldest first with `after`."""
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS} from audit_log
        where tenant_id = $1 and ($2::text is null or actor_id = $2) and ($3::text is null or action = $3)
          and ($4::text is null or object_type = $4) and ($5::text is null or object_id = $5)
          and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
          and ($8::bigint is null or number < $8) and ($9::bigint is null or number > $9)
        order by number {"desc" if after is None else "asc"} limit $10
        """,
        session.scope.tenant_id,
        wanted.actor,
        wanted.action,
        wanted.object_type,
        wanted.object_id,
        wanted.since,
        wanted.until,
        before,
        after,
        limit,
    )
    return [Entry(*row) for row in rows]
