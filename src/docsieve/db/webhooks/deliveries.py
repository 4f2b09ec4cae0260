"""Deliveries as their owners see them: listed, shown with their attempts, replayed, pruned."""

import time
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.domain.ids import id_at
from docsieve.domain.webhooks import DeliveryStatus


@dataclass(frozen=True, slots=True)
class Delivery:
    """`endpoint_id` is null for a one-off URL."""

    id: UUID
    endpoint_id: UUID | None
    url: str
    event_id: UUID
    event_type: str
    event_created_at: datetime
    subject_id: UUID | None
    status: DeliveryStatus
    attempts: int
    next_attempt_at: datetime | None
    last_attempt_at: datetime | None
    last_status: int | None
    last_error: str | None
    created_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True, slots=True)
class DeliveryAttempt:
    """`status` is null if there was no answer."""

    number: int
    started_at: datetime
    duration_ms: int
    status: int | None
    error_code: str | None
    response: str


@dataclass(frozen=True, slots=True)
class DeliveryFilter:
    status: DeliveryStatus | None = None
    endpoint_id: UUID | None = None
    event_type: str | None = None
    subject_id: UUID | None = None
    since: datetime | None = None


_EXPRESSIONS = {
    "url": """coalesce(url, (
        select url from webhook_endpoints where webhook_endpoints.tenant_id = $1
        and webhook_endpoints.id = webhook_deliveries.endpoint_id)) as url""",
}
_COLUMNS = ", ".join(_EXPRESSIONS.get(each.name, each.name) for each in fields(Delivery))
_ATTEMPT = ", ".join(each.name for each in fields(DeliveryAttempt))


async def find(session: Session, delivery_id: UUID) -> Delivery | None:
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from webhook_deliveries where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        delivery_id,
    )
    return Delivery(**row) if row else None


async def attempts_of(session: Session, delivery_id: UUID) -> list[DeliveryAttempt]:
    rows = await session.connection.fetch(
        f"select {_ATTEMPT} from webhook_attempts where tenant_id = $1 and delivery_id = $2 order by number",
        session.scope.tenant_id,
        delivery_id,
    )
    return [DeliveryAttempt(**row) for row in rows]


async def newest_of(session: Session, subject_id: UUID) -> Delivery | None:
    """The newest delivery to the one-off URL of a document, extraction or batch."""
    row = await session.connection.fetchrow(
        f"""
        select {_COLUMNS} from webhook_deliveries
        where tenant_id = $1 and subject_id = $2 and endpoint_id is null order by id desc limit 1
        """,
        session.scope.tenant_id,
        subject_id,
    )
    return Delivery(**row) if row else None


async def of_event(session: Session, endpoint_id: UUID, event_id: UUID) -> UUID | None:
    found: UUID | None = await session.connection.fetchval(
        "select id from webhook_deliveries where tenant_id = $1 and endpoint_id = $2 and event_id = $3",
        session.scope.tenant_id,
        endpoint_id,
        event_id,
    )
    return found


async def list_page(session: Session, wanted: DeliveryFilter, *, before: UUID | None, limit: int) -> list[Delivery]:
    """Newest first."""
    clauses, arguments = ["tenant_id = $1"], [session.scope.tenant_id]
    asked: dict[str, Any] = {
        "status = ${}": wanted.status,
        "endpoint_id = ${}": wanted.endpoint_id,
        "event_type = ${}": wanted.event_type,
        "subject_id = ${}": wanted.subject_id,
        "created_at >= ${}": wanted.since,
        "id < ${}": before,
    }
    for clause, value in asked.items():
        if value is not None:
            arguments.append(value)
            clauses.append(clause.format(len(arguments)))
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS} from webhook_deliveries where {" and ".join(clauses)}
        order by id desc limit ${len(arguments) + 1}
        """,
        *arguments,
        limit,
    )
    return [Delivery(**row) for row in rows]


# The old job, if it has not run yet, will find that the delivery has another one, and do nothing.
_REOPEN = """
with opened as (
    update webhook_deliveries set status = 'pending', job_id = new_event_id(), tries = 0, completed_at = null,
        next_attempt_at = clock_timestamp(), expires_at = clock_timestamp() + interval '3 days'
    where {which}
    returning id, job_id, project_id),
enqueued as (
    select enqueue_deliveries($1, project_id, array_agg(id order by id), array_agg(job_id order by id),
                              array_agg(null::timestamptz))
    from opened group by project_id)
select (select count(*) from opened), (select count(*) from enqueued)
"""

_MISSED = """
with missed as materialized (
    select events.*, endpoint.id as endpoint_id, new_event_id() as delivery_id, new_event_id() as job_id
    from webhook_endpoints as endpoint join events on events.tenant_id = $1
        and (endpoint.project_id is null or events.project_id = endpoint.project_id)
        and (endpoint.events = '{}' or events.type = any(endpoint.events))
        and events.type not in ('webhook.test', 'document.pages_read')
    where endpoint.tenant_id = $1 and endpoint.id = $2 and events.id >= $3 and events.created_at >= $4
      and events.id not in (select event_id from webhook_deliveries where endpoint_id = $2)),
added as (
    insert into webhook_deliveries (id, tenant_id, project_id, endpoint_id, event_id, event_type, event_created_at,
        subject_id, document_id, data, job_id, next_attempt_at)
    select delivery_id, tenant_id, project_id, endpoint_id, id, type, created_at, subject_id, document_id, data,
           job_id, clock_timestamp()
    from missed
    returning id, job_id, project_id),
enqueued as (
    select enqueue_deliveries($1, project_id, array_agg(id order by id), array_agg(job_id order by id),
                              array_agg(null::timestamptz))
    from added group by project_id)
select (select count(*) from added), (select count(*) from enqueued)
"""


async def replay(session: Session, delivery_id: UUID) -> bool:
    """Send a message again at once, with the same id and a new schedule of retries."""
    opened: int = await session.connection.fetchval(
        _REOPEN.format(which="tenant_id = $1 and id = $2"), session.scope.tenant_id, delivery_id
    )
    session.woken.add("webhook")
    return opened > 0


async def replay_since(session: Session, endpoint_id: UUID, since: datetime, *, delivered_too: bool) -> int:
    """Send again what failed or was cancelled since then, and what the endpoint missed while it was disabled."""
    ended = ["failed", "cancelled", "delivered"] if delivered_too else ["failed", "cancelled"]
    tenant_id, first = session.scope.tenant_id, id_at(int(since.timestamp() * 1000), 0)
    missed: int = await session.connection.fetchval(_MISSED, tenant_id, endpoint_id, first, since, timeout=BULK_SECONDS)
    reopened: int = await session.connection.fetchval(
        _REOPEN.format(
            which="""tenant_id = $1 and endpoint_id = $2 and event_id >= $3 and event_created_at >= $4
                and webhook_deliveries.status = any($5::text[]) and event_type <> 'webhook.test'"""
        ),
        tenant_id,
        endpoint_id,
        first,
        since,
        ended,
        timeout=BULK_SECONDS,
    )
    session.woken.add("webhook")
    return missed + reopened


async def prune(connection: Connection, *, older_than_days: float, limit: int = 5000, dry_run: bool = False) -> int:
    """Delete up to `limit` old deliveries that have ended, or only count them. Ids sort by time: oldest first."""
    matching = """select id from webhook_deliveries
        where id < $1 and status <> 'pending' order by id limit $2"""
    oldest = id_at(int((time.time() - older_than_days * 86_400) * 1000), 0)
    if dry_run:
        count: int = await connection.fetchval(f"select count(*) from ({matching}) as old", oldest, limit)
        return count
    status: str = await connection.execute(
        f"delete from webhook_deliveries where id = any(array({matching}))", oldest, limit
    )
    return int(status.split()[-1])
