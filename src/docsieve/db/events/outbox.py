"""The events table: adding events, and reading them in an order in which none is skipped.

A transaction gets its number when it first writes, but others may end before it. Readers therefore go by transaction
and stop before the oldest one that is still open: everything before that is final.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from docsieve.db.connection.driver import Connection, Record
from docsieve.db.connection.session import Session
from docsieve.domain.events import Event, EventType


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in the order of events: after the event with these numbers."""

    txid: int
    seq: int


BEGINNING = Position(0, 0)

_HORIZON = "pg_snapshot_xmin(pg_current_snapshot())"
_COLUMNS = """events.id, events.type, events.created_at, events.tenant_id, tenants.name as tenant, events.project_id,
    projects.name as project, events.subject_id, events.document_id, events.batch_id, events.related, events.data"""
_TABLES = """events join tenants on tenants.id = events.tenant_id
    left join projects on projects.id = events.project_id and projects.tenant_id = events.tenant_id"""
_IN_SCOPE = "events.tenant_id = $1 and ($2::uuid is null or events.project_id = $2)"


async def emit(
    session: Session,
    event_type: EventType,
    *,
    project_id: UUID | None,
    subject_id: UUID | None,
    data: Mapping[str, Any],
) -> UUID:
    """Add an event in this transaction."""
    event_id: UUID = await session.connection.fetchval(
        "select emit_event($1, $2, $3, $4, null, null, $5)",
        session.scope.tenant_id,
        project_id,
        event_type,
        subject_id,
        json.dumps(data),
    )
    return event_id


async def horizon(connection: Connection) -> Position:
    """The position up to which all events are final."""
    return Position(await connection.fetchval(f"select {_HORIZON}"), 0)


async def read_new(
    connection: Connection, tenants: Collection[UUID], *, after: Position, limit: int
) -> tuple[list[Event], Position]:
    """The next events of these tenants, and the position after them."""
    rows = await connection.fetch(
        f"""
        select horizon.txid as horizon, found.* from (select {_HORIZON} as txid) as horizon
        left join lateral (
            select {_COLUMNS}, events.txid, events.seq from {_TABLES}
            where events.tenant_id = any($1::uuid[]) and (events.txid, events.seq) > ($2::xid8, $3::bigint)
              and events.txid < horizon.txid
            order by events.txid, events.seq limit $4) as found on true
        """,
        list(tenants),
        after.txid,
        after.seq,
        limit,
    )
    events = [_event(row) for row in rows if row["id"] is not None]
    if len(events) == limit:
        return events, _position(rows[-1])
    return events, max(after, Position(rows[0]["horizon"], 0))


async def read_page(session: Session, *, after: Position, up_to: Position, limit: int) -> list[tuple[Position, Event]]:
    """Events between two positions, oldest first."""
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS}, events.txid, events.seq from {_TABLES}
        where {_IN_SCOPE} and (events.txid, events.seq) > ($3::xid8, $4::bigint)
          and (events.txid, events.seq) <= ($5::xid8, $6::bigint)
        order by events.txid, events.seq limit $7
        """,
        session.scope.tenant_id,
        session.scope.project_id,
        after.txid,
        after.seq,
        up_to.txid,
        up_to.seq,
        limit,
    )
    return [(_position(row), _event(row)) for row in rows]


async def position_of(session: Session, event_id: UUID) -> Position | None:
    """The position after this event; None if it was pruned or never existed."""
    row = await session.connection.fetchrow(
        f"select txid, seq from events where {_IN_SCOPE} and id = $3",
        session.scope.tenant_id,
        session.scope.project_id,
        event_id,
    )
    return _position(row) if row is not None else None


async def newest(session: Session, *, up_to: Position) -> UUID | None:
    """The last event in scope up to a position; None if no event in scope is kept."""
    scope = session.scope
    owner, column = (scope.project_id, "project_id") if scope.project_id is not None else (scope.tenant_id, "tenant_id")
    event_id: UUID | None = await session.connection.fetchval(
        f"""
        select id from events where {column} = $2 and tenant_id = $1 and (txid, seq) <= ($3::xid8, $4::bigint)
        order by txid desc, seq desc limit 1
        """,
        scope.tenant_id,
        owner,
        up_to.txid,
        up_to.seq,
    )
    return event_id


# Ids begin with their time in milliseconds, and there is no index on `created_at`. `now` instead of `clock_timestamp`,
# because an index is not used for values that change within a statement.
_OLD = """
    select id from events where id < (lpad(to_hex(
        floor(extract(epoch from now() - make_interval(secs => $1 * 86400)) * 1000)::bigint), 12, '0')
        || repeat('0', 20))::uuid
    order by id limit $2"""


async def prune(connection: Connection, *, older_than_days: float, limit: int = 5000, dry_run: bool = False) -> int:
    """Delete up to `limit` old events, or only count them."""
    if dry_run:
        return int(await connection.fetchval(f"select count(*) from ({_OLD}) as old", older_than_days, limit))
    status: str = await connection.execute(f"delete from events where id = any(array({_OLD}))", older_than_days, limit)
    return int(status.split()[-1])


async def adopt_restored(connection: Connection) -> int:
    """After a restore: let events of another server precede all that this one writes.

    Their transaction numbers mean nothing here, and may be far ahead of this server's. Returns how many there were.
    """
    status: str = await connection.execute(
        """
        update events set txid = '0' where txid <> '0' and exists (
            select from events where txid >= pg_snapshot_xmax(pg_current_snapshot()))
        """
    )
    return int(status.split()[-1])


def _position(row: Record) -> Position:
    return Position(row["txid"], row["seq"])


def _event(row: Record) -> Event:
    return Event(
        id=row["id"],
        type=row["type"],
        created_at=row["created_at"],
        tenant_id=row["tenant_id"],
        tenant=row["tenant"],
        project_id=row["project_id"],
        project=row["project"],
        subject_id=row["subject_id"],
        document_id=row["document_id"],
        batch_id=row["batch_id"],
        related=tuple(row["related"] or ()),
        data=json.loads(row["data"]),
    )
