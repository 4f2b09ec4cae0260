"""Budgets, bookings and cached responses in the real database."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from docsieve.db.access import projects
from docsieve.db.access import tenants as tenant_rows
from docsieve.db.connection.session import Database
from docsieve.db.providers import response_cache, spending
from docsieve.domain.extraction import Usage
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.errors import Invalid
from docsieve.errors.providers import BudgetExceeded, ProviderError
from docsieve.providers.metered import Response
from docsieve.providers.response_cache import CachedResponse
from docsieve.services.access import tenants
from docsieve.services.providers import spending as service
from docsieve.services.providers.ledger import ProviderLedger
from tests.services.providers.conftest import set_budget

KEY = b"k" * 32
MODEL = "openai:gpt-4o-mini"


async def spend(ledger: ProviderLedger, cost: float, *, key: bytes | None = None, shared: bool = True) -> None:
    usage = Usage(calls=1, input_tokens=100, output_tokens=10, cached_input_tokens=50, pages=0, cost=cost)
    reservation = await ledger.reserve(cost)
    problem = None if shared else ProviderError()
    await ledger.settle(MODEL, reservation, key or new_id().bytes, Response(b"answer", usage, problem))


async def test_a_cached_response_is_found_by_its_tenant_only(ledger: ProviderLedger) -> None:
    await spend(ledger, 0.25, key=KEY)
    async with ledger.database.system() as connection, connection.transaction():
        other = await tenants.create(connection, "other")
    another = replace(ledger, extraction_id=new_id())
    assert await another.find(KEY) == CachedResponse(b"answer", 0.25)
    assert await replace(another, tenant_id=other.id).find(KEY) is None


async def test_row_level_security_hides_cached_responses_even_without_a_predicate(ledger: ProviderLedger) -> None:
    await spend(ledger, 0.25, key=KEY)
    async with ledger.database.system() as connection, connection.transaction():
        other = await tenants.create(connection, "other")
    async with ledger.database.tenant(Scope(other.id)) as session:
        for table in ("cached_responses", "spending", "spending_months", "spending_reservations"):
            assert await session.connection.fetchval(f"select count(*) from {table}") == 0, table
    async with ledger.database.tenant(Scope(ledger.tenant_id, ledger.project_id)) as session:
        assert await session.connection.fetchval("select count(*) from cached_responses") == 0


async def test_a_response_with_a_problem_is_found_by_its_own_extraction_only(ledger: ProviderLedger) -> None:
    await spend(ledger, 0.25, key=KEY, shared=False)
    assert await replace(ledger, use_cache=False).find(KEY) is not None
    assert await ledger.find(KEY) is not None
    assert await replace(ledger, extraction_id=new_id()).find(KEY) is None


async def test_a_ledger_without_the_cache_finds_no_response_of_other_extractions(ledger: ProviderLedger) -> None:
    await spend(ledger, 0.25, key=KEY)
    assert await replace(ledger, extraction_id=new_id(), use_cache=False).find(KEY) is None


@pytest.mark.parametrize("whose", ["tenants", "projects"])
async def test_a_used_up_budget_stops_the_next_call(ledger: ProviderLedger, whose: str) -> None:
    await set_budget(ledger.database, whose, ledger.tenant_id if whose == "tenants" else ledger.project_id, 1.0)
    await spend(ledger, 0.6)
    await spend(ledger, 0.6)
    with pytest.raises(BudgetExceeded) as refused:
        await spend(ledger, 0.01)
    assert (refused.value.status, refused.value.code, refused.value.permanent) == (402, "budget_exceeded", True)
    await set_budget(ledger.database, whose, ledger.tenant_id if whose == "tenants" else ledger.project_id, None)
    await spend(ledger, 0.01)


@pytest.mark.parametrize("whose", ["tenant", "project"])
async def test_a_used_up_budget_is_announced_once_per_month(ledger: ProviderLedger, whose: str) -> None:
    owner = ledger.tenant_id if whose == "tenant" else ledger.project_id
    await set_budget(ledger.database, f"{whose}s", owner, 0.0)
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            await spend(ledger, 0.01)
    announced = "select project_id, subject_id, data ->> 'budget' from events where type = 'budget.exceeded'"
    [only] = await ledger.database.pool.fetch(announced)
    assert tuple(only) == (None if whose == "tenant" else owner, owner, whose)
    await ledger.database.pool.execute("update exceeded_budgets set month = month - interval '1 month'")
    with pytest.raises(BudgetExceeded):
        await spend(ledger, 0.01)
    assert len(await ledger.database.pool.fetch(announced)) == 2


async def test_an_operator_sets_and_lifts_the_budget_of_a_tenant(ledger: ProviderLedger) -> None:
    database = ledger.database
    name = await database.pool.fetchval("select name from tenants where id = $1", ledger.tenant_id)
    async with database.system() as connection:
        assert await tenant_rows.update(connection, name, {"budget_usd": 0.0})
    with pytest.raises(BudgetExceeded):
        await spend(ledger, 0.01)
    async with database.system() as connection:
        assert await tenant_rows.update(connection, name, {"budget_usd": None})
        assert await tenant_rows.update(connection, "nobody", {"budget_usd": None}) is None
    await spend(ledger, 0.01)


async def test_the_budget_of_another_project_or_tenant_does_not_matter(ledger: ProviderLedger) -> None:
    async with ledger.database.tenant(Scope(ledger.tenant_id)) as session:
        side = await projects.create(session.connection, ledger.tenant_id, "side")
    async with ledger.database.system() as connection, connection.transaction():
        other = await tenants.create(connection, "other")
    await set_budget(ledger.database, "projects", side.id, 0.0)
    await set_budget(ledger.database, "tenants", other.id, 0.0)
    await spend(ledger, 5.0)
    with pytest.raises(BudgetExceeded):
        await spend(replace(ledger, project_id=side.id), 0.01)


async def test_workers_at_once_cannot_all_take_the_last_cent(ledger: ProviderLedger) -> None:
    await set_budget(ledger.database, "tenants", ledger.tenant_id, 1.0)

    async def reserve() -> bool:
        try:
            return await ledger.reserve(0.3) is not None
        except BudgetExceeded:
            return False

    granted = await asyncio.gather(*(reserve() for _ in range(20)))
    assert sum(granted) == 4  # 1.20: over the budget by less than one call


async def test_a_released_or_expired_reservation_does_not_count(ledger: ProviderLedger) -> None:
    await set_budget(ledger.database, "tenants", ledger.tenant_id, 1.0)
    reservation = await ledger.reserve(5.0)
    assert reservation is not None
    with pytest.raises(BudgetExceeded):
        await ledger.reserve(0.1)
    await ledger.release(reservation)
    await ledger.reserve(5.0)
    await ledger.database.pool.execute("update spending_reservations set expires_at = clock_timestamp()")
    assert await ledger.reserve(0.1) is not None


async def test_settling_replaces_the_reservation_by_the_actual_cost(ledger: ProviderLedger) -> None:
    await set_budget(ledger.database, "tenants", ledger.tenant_id, 1.0)
    reservation = await ledger.reserve(0.9)
    await ledger.settle(MODEL, reservation, KEY, Response(b"", Usage(calls=1, cost=0.1)))
    assert await ledger.reserve(0.5) is not None


async def test_a_booking_that_is_repeated_counts_once(ledger: ProviderLedger, scope: Scope) -> None:
    booking = spending.Booking(new_id(), ledger.project_id, None, MODEL, Decimal("0.5"))
    for _ in range(2):
        async with ledger.database.tenant(scope) as session:
            await spending.book(session, booking)
    async with ledger.database.tenant(scope) as session:
        assert (await service.month(session, None)).cost == Decimal("0.5")


async def test_a_month_is_shown_by_project_and_model(ledger: ProviderLedger, scope: Scope) -> None:
    async with ledger.database.tenant(scope) as session:
        side = await projects.create(session.connection, scope.tenant_id, "side")
    await set_budget(ledger.database, "tenants", scope.tenant_id, 10.0)
    await set_budget(ledger.database, "projects", side.id, 5.0)
    await spend(ledger, 0.25)
    await spend(ledger, 0.25)
    await spend(replace(ledger, project_id=side.id), 1.0)
    async with ledger.database.tenant(scope) as session:
        whole = await service.month(session, f"{datetime.now(UTC):%Y-%m}")
    async with ledger.database.tenant(Scope(scope.tenant_id, side.id)) as session:
        limited = await service.month(session, None)
    async with ledger.database.tenant(scope) as session:
        earlier = await service.month(session, "2020-01")
    assert (whole.cost, whole.calls, whole.budget) == (Decimal("1.5"), 3, Decimal(10))
    assert [(each.project, each.cost, each.budget) for each in whole.projects] == [
        ("default", Decimal("0.5"), None),
        ("side", Decimal("1.0"), Decimal(5)),
    ]
    (model,) = whole.projects[0].models
    assert (model.provider, model.calls, model.input_tokens, model.cached_input_tokens) == (MODEL, 2, 200, 100)
    assert (limited.cost, limited.budget, [each.project for each in limited.projects]) == (Decimal(1), None, ["side"])
    assert (float(earlier.cost), earlier.projects) == (0.0, [])


async def test_an_invalid_month_is_refused(database: Database, scope: Scope) -> None:
    async with database.tenant(scope) as session:
        for wrong in ("2026-13", "today", "2026-1"):
            with pytest.raises(Invalid):
                await service.month(session, wrong)


async def test_cached_responses_are_deleted_with_their_documents(ledger: ProviderLedger) -> None:
    document = await _document(ledger)
    await spend(replace(ledger, document_ids=[document, new_id()]), 0.1, key=KEY)
    await spend(ledger, 0.1, key=b"of another")
    async with ledger.database.tenant(Scope(ledger.tenant_id)) as session:
        await session.connection.execute("delete from documents where id = $1", document)
    assert await ledger.find(KEY) is None
    assert await ledger.find(b"of another") is not None


async def _document(ledger: ProviderLedger) -> UUID:
    document = new_id()
    async with ledger.database.tenant(Scope(ledger.tenant_id)) as session:
        await session.connection.execute(
            "insert into documents (id, tenant_id, project_id, filename, media_type, size, sha256)"
            " values ($1, $2, $3, 'a.txt', 'text/plain', 1, 'x')",
            document,
            ledger.tenant_id,
            ledger.project_id,
        )
    return document


async def test_pruning_deletes_old_responses_and_those_beyond_the_size_limit(ledger: ProviderLedger) -> None:
    for name in (b"old", b"middle", b"new"):
        await spend(ledger, 0.1, key=name)
    pool = ledger.database.pool
    await pool.execute("update cached_responses set created_at = created_at - interval '40 days' where key = 'old'")
    async with ledger.database.system() as connection:
        for max_bytes, expected in ((100, 1), (len(b"answer"), 1), (len(b"answer"), 0)):
            pruned = await response_cache.prune(
                connection, older_than_days=30, max_bytes=max_bytes, limit=10, dry_run=False
            )
            assert pruned == expected
    assert await ledger.find(b"new") is not None
