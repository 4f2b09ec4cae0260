"""Spending on providers: a ledger, monthly totals, and reservations for calls in progress.

Months are those of UTC by the database's clock.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session
from docsieve.db.old_rows import delete_or_count

_MONTH = "date_trunc('month', clock_timestamp() at time zone 'utc')::date"


@dataclass(frozen=True, slots=True)
class Booking:
    """One call; `provider` is provider:model."""

    id: UUID
    project_id: UUID
    extraction_id: UUID | None
    provider: str
    cost: Decimal
    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Budgets:
    """In US dollars a month; null where there is no limit."""

    tenant: Decimal | None
    project: Decimal | None


@dataclass(frozen=True, slots=True)
class MonthRow:
    """A project that was deleted has no name any more."""

    project_id: UUID
    project: str | None
    provider: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int
    pages: int
    cost: Decimal


async def budgets(session: Session, project_id: UUID) -> Budgets:
    row = await session.connection.fetchrow(
        """
        select tenants.budget_usd,
               (select budget_usd from projects where id = $2 and projects.tenant_id = tenants.id)
        from tenants where id = $1
        """,
        session.scope.tenant_id,
        project_id,
    )
    return Budgets(*row) if row else Budgets(None, None)


async def reserve(
    session: Session, reservation: UUID, project_id: UUID, cost: Decimal, within: Budgets, *, seconds: float
) -> Literal["tenant", "project"] | None:
    """Set the cost aside, or say whose budget is used up.

    Reservations of one tenant are made one after another, so that workers at once cannot all take the last cent. What
    is granted last may go over the budget, by its own cost at most.
    """
    tenant_id = session.scope.tenant_id
    await session.connection.execute(
        "select pg_advisory_xact_lock(hashtextextended('docsieve budget ' || $1, 0))", str(tenant_id)
    )
    taken = await session.connection.fetchrow(
        f"""
        select sum(cost), sum(cost) filter (where project_id = $2) from (
            select project_id, cost from spending_months where tenant_id = $1 and month = {_MONTH}
            union all
            select project_id, cost from spending_reservations
            where tenant_id = $1 and expires_at > clock_timestamp()) as taken
        """,
        tenant_id,
        project_id,
    )
    assert taken is not None
    if within.project is not None and (taken[1] or 0) >= within.project:
        return "project"
    if within.tenant is not None and (taken[0] or 0) >= within.tenant:
        return "tenant"
    await session.connection.execute(
        """
        insert into spending_reservations (id, tenant_id, project_id, cost, expires_at)
        values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5))
        on conflict (id) do nothing
        """,
        reservation,
        tenant_id,
        project_id,
        cost,
        seconds,
    )
    return None


async def notice_exceeded(session: Session, owner_id: UUID) -> date | None:
    """Remember that the budget of a project or of the tenant is used up. The month, the first time in it, else None."""
    month: date | None = await session.connection.fetchval(
        f"""
        insert into exceeded_budgets (tenant_id, owner_id, month) values ($1, $2, {_MONTH})
        on conflict do nothing returning month
        """,
        session.scope.tenant_id,
        owner_id,
    )
    return month


async def release(session: Session, reservation: UUID) -> None:
    await session.connection.execute(
        "delete from spending_reservations where tenant_id = $1 and id = $2", session.scope.tenant_id, reservation
    )


async def book(session: Session, booking: Booking) -> None:
    """Write a call into the ledger and its month; a second time changes nothing."""
    await session.connection.execute(
        f"""
        with booked as (
            insert into spending (id, tenant_id, project_id, extraction_id, provider, input_tokens, output_tokens,
                                  cached_input_tokens, pages, cost)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            on conflict (id) do nothing
            returning *)
        insert into spending_months as months (tenant_id, month, project_id, provider, calls, input_tokens,
                                               output_tokens, cached_input_tokens, pages, cost)
        select tenant_id, {_MONTH}, project_id, provider, 1, input_tokens, output_tokens, cached_input_tokens, pages,
               cost
        from booked
        on conflict (tenant_id, month, project_id, provider) do update set
            calls = months.calls + 1,
            input_tokens = months.input_tokens + excluded.input_tokens,
            output_tokens = months.output_tokens + excluded.output_tokens,
            cached_input_tokens = months.cached_input_tokens + excluded.cached_input_tokens,
            pages = months.pages + excluded.pages,
            cost = months.cost + excluded.cost
        """,
        booking.id,
        session.scope.tenant_id,
        booking.project_id,
        booking.extraction_id,
        booking.provider,
        booking.input_tokens,
        booking.output_tokens,
        booking.cached_input_tokens,
        booking.pages,
        booking.cost,
    )


async def this_month(session: Session) -> date:
    month: date = await session.connection.fetchval(f"select {_MONTH}")
    return month


async def of_month(session: Session, month: date) -> list[MonthRow]:
    """By project and model, for those projects that the session sees."""
    project_id = session.scope.project_id
    rows = await session.connection.fetch(
        """
        select months.project_id, projects.name, provider, calls, input_tokens, output_tokens, cached_input_tokens,
               pages, cost
        from spending_months months left join projects on projects.id = months.project_id
            and projects.tenant_id = months.tenant_id
        where months.tenant_id = $1 and month = $2 and ($3::uuid is null or months.project_id = $3)
        order by projects.name nulls last, months.project_id, provider
        """,
        session.scope.tenant_id,
        month,
        project_id,
    )
    return [MonthRow(*row) for row in rows]


async def all_budgets(session: Session) -> tuple[Decimal | None, dict[UUID, Decimal]]:
    """The tenant's budget, unless the session is limited to a project, and those of its projects."""
    whole = await session.connection.fetchval(
        "select budget_usd from tenants where id = $1 and $2::uuid is null",
        session.scope.tenant_id,
        session.scope.project_id,
    )
    rows = await session.connection.fetch(
        """
        select id, budget_usd from projects
        where tenant_id = $1 and budget_usd is not null and ($2::uuid is null or id = $2)
        """,
        session.scope.tenant_id,
        session.scope.project_id,
    )
    return whole, {row["id"]: row["budget_usd"] for row in rows}


async def prune(connection: Connection, *, older_than_days: float, limit: int, dry_run: bool) -> int:
    """Remove old rows of the ledger; the sums of months stay."""
    return await delete_or_count(
        connection,
        "spending",
        "where created_at < clock_timestamp() - make_interval(secs => $1 * 86400) limit $2",
        older_than_days,
        limit,
        dry_run=dry_run,
    )


async def prune_reservations(connection: Connection, *, limit: int, dry_run: bool) -> int:
    """Remove reservations that ran out."""
    return await delete_or_count(
        connection, "spending_reservations", "where expires_at < clock_timestamp() limit $1", limit, dry_run=dry_run
    )
