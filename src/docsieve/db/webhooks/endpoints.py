"""Webhook endpoints: created, changed, disabled, and how well they receive."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.domain.events import EventType
from docsieve.domain.webhooks import DisabledReason, Payload

# Five failures in a row open the circuit breaker. Each time it opens for twice as long.
_FAILURES_TO_OPEN = 5
_FIRST_PAUSE, _LONGEST_PAUSE = 30.0, 900.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`project` is null for an endpoint of the whole tenant, `events` is empty for all events."""

    id: UUID
    project: str | None
    url: str
    description: str
    events: list[str]
    payload: Payload
    enabled: bool
    disabled_reason: DisabledReason | None
    disabled_at: datetime | None
    public_key: str | None
    failing_since: datetime | None
    paused_until: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    id: UUID
    project_id: UUID | None
    url: str
    description: str
    events: Sequence[str]
    payload: Payload
    enabled: bool
    public_key: str | None


CHANGEABLE = ("url", "description", "events", "payload", "enabled")

_EXPRESSIONS = {
    "project": "(select name from projects where projects.tenant_id = $1 and projects.id = project_id) as project",
    "paused_until": "case when open_until > clock_timestamp() then open_until end as paused_until",
}
_COLUMNS = ", ".join(_EXPRESSIONS.get(each.name, each.name) for each in fields(Endpoint))


async def add(session: Session, new: NewEndpoint) -> None:
    await session.connection.execute(
        """
        insert into webhook_endpoints (id, tenant_id, project_id, url, description, events, payload, enabled,
            public_key)
        values ($2, $1, $3, $4, $5, $6, $7, $8, $9)
        """,
        session.scope.tenant_id,
        new.id,
        new.project_id,
        new.url,
        new.description,
        list(new.events),
        new.payload,
        new.enabled,
        new.public_key,
    )


async def find(session: Session, endpoint_id: UUID) -> Endpoint | None:
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from webhook_endpoints where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        endpoint_id,
    )
    return Endpoint(**row) if row else None


async def list_page(session: Session, *, before: UUID | None, limit: int) -> list[Endpoint]:
    """Newest first."""
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS} from webhook_endpoints where tenant_id = $1 and ($2::uuid is null or id < $2)
        order by id desc limit $3
        """,
        session.scope.tenant_id,
        before,
        limit,
    )
    return [Endpoint(**row) for row in rows]


async def count(session: Session) -> int:
    found: int = await session.connection.fetchval(
        "select count(*) from webhook_endpoints where tenant_id = $1", session.scope.tenant_id
    )
    return found


async def change(session: Session, endpoint_id: UUID, changes: dict[str, Any]) -> bool:
    """Set columns of `CHANGEABLE`. A new URL or enabling it starts its health from the beginning."""
    assert changes.keys() <= set(CHANGEABLE)
    settings = "".join(f", {column} = ${place}" for place, column in enumerate(changes, 3))
    if "url" in changes or changes.get("enabled"):
        settings += ", failures = 0, failing_since = null, opens = 0, open_until = null"
    if changes.get("enabled"):
        settings += ", disabled_reason = null, disabled_at = null"
    elif "enabled" in changes:
        settings += ", disabled_at = coalesce(disabled_at, clock_timestamp())"
    found = await session.connection.fetchval(
        f"""
        update webhook_endpoints set updated_at = clock_timestamp(){settings}
        where tenant_id = $1 and id = $2 returning id
        """,
        session.scope.tenant_id,
        endpoint_id,
        *changes.values(),
    )
    return found is not None


async def delete(session: Session, endpoint_id: UUID) -> bool:
    """With its secrets and deliveries."""
    found = await session.connection.fetchval(
        "delete from webhook_endpoints where tenant_id = $1 and id = $2 returning id",
        session.scope.tenant_id,
        endpoint_id,
    )
    return found is not None


async def count_failure(session: Session, endpoint_id: UUID, *, pause_seconds: float, disable_days: float) -> bool:
    """Record a failed attempt, open the breaker after several, and pause for as long as the receiver asked.

    Attempts that were under way when the breaker opened do not open it again. Returns whether no attempt has succeeded
    for so many days.
    """
    failing_too_long: bool | None = await session.connection.fetchval(
        """
        with trips as (
            select failures + 1 >= $3 and coalesce(open_until, '-infinity') < clock_timestamp() as now
            from webhook_endpoints where tenant_id = $1 and id = $2 for no key update)
        update webhook_endpoints set failures = failures + 1,
            failing_since = coalesce(failing_since, clock_timestamp()), opens = opens + trips.now::integer,
            open_until = greatest(
                open_until,
                case when trips.now
                    then clock_timestamp() + make_interval(secs => least($4 * power(2, least(opens, 10)), $5)) end,
                case when $6 > 0 then clock_timestamp() + make_interval(secs => least($6, $5)) end)
        from trips where tenant_id = $1 and id = $2
        returning failing_since <= clock_timestamp() - make_interval(secs => $7)
        """,
        session.scope.tenant_id,
        endpoint_id,
        _FAILURES_TO_OPEN,
        _FIRST_PAUSE,
        _LONGEST_PAUSE,
        pause_seconds,
        disable_days * 86_400,
    )
    return bool(failing_too_long)


async def disable(session: Session, endpoint_id: UUID, reason: DisabledReason) -> None:
    """Disable an endpoint without being asked to, and announce it by an event. Nothing happens if it is disabled."""
    await session.connection.fetchval(
        """
        with disabled as (
            update webhook_endpoints set enabled = false, disabled_reason = $3, disabled_at = clock_timestamp(),
                updated_at = clock_timestamp()
            where tenant_id = $1 and id = $2 and enabled
            returning id, project_id)
        select emit_event($1, project_id, $4, id, null, null,
            jsonb_build_object('endpoint_id', id, 'reason', $3::text))
        from disabled
        """,
        session.scope.tenant_id,
        endpoint_id,
        reason,
        EventType.ENDPOINT_DISABLED,
    )


async def announce_test(session: Session, endpoint_id: UUID) -> UUID:
    """Add the event of a test, which goes to this endpoint only. Returns its id."""
    event_id: UUID = await session.connection.fetchval(
        """
        select emit_event($1, project_id, $3, id, null, null, jsonb_build_object('endpoint_id', id))
        from webhook_endpoints where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        endpoint_id,
        EventType.WEBHOOK_TEST,
    )
    return event_id
