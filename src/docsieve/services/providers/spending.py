"""Money spent on providers: what a piece of work may still spend, what it spent, and a tenant's months."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TypeVar
from uuid import UUID

from docsieve.db.connection.outage import Persist
from docsieve.db.connection.session import Database, Session
from docsieve.db.providers import answers, spending
from docsieve.db.providers.spending import Booking, MonthRow
from docsieve.domain.extraction import Usage
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.errors import Invalid
from docsieve.pipelines.paying import BudgetExceeded, Kept, PriceUnknown

T = TypeVar("T")

KEEP_ANSWERS_DAYS = 30.0
KEEP_LEDGER_DAYS = 400.0
MOST_ANSWER_BYTES = 2 * 1024**3
"""Of one tenant."""

_RESERVED_SECONDS = 900.0
_LARGEST_KEPT_BODY = 32 * 1024**2


async def _once(work: Callable[[], Awaitable[T]], /) -> T:
    return await work()


@dataclass(frozen=True, slots=True)
class ExtractionLedger:
    """`Ledger` of one extraction, or of a job that has none: each of its steps is a transaction of its own.

    What is asked outside of an extraction gives the job's id, by which a later attempt finds its own answers.
    """

    database: Database
    tenant_id: UUID
    project_id: UUID
    extraction_id: UUID | None
    document_ids: Sequence[UUID]
    persist: Persist = _once
    job_id: UUID | None = None

    async def find(self, key: bytes, *, shared: bool) -> Kept | None:
        async def look() -> answers.KeptAnswer | None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                kept = await answers.find(session, self._own(key))
                return kept if kept is not None or not shared else await answers.find(session, key)

        found = await self.persist(look)
        return Kept(found.body, float(found.cost)) if found is not None else None

    def claim(self, key: bytes, *, shared: bool) -> UUID:
        kept_as = key if shared else self._own(key)
        return UUID(bytes=hashlib.sha256(self.tenant_id.bytes + kept_as).digest()[:16])

    async def reserve(self, cost: float | None) -> UUID | None:
        reservation = new_id()

        async def write() -> str | None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                within = await spending.budgets(session, self.project_id)
                if within.tenant is None and within.project is None:
                    return "unlimited"
                if cost is None:
                    raise PriceUnknown
                return await spending.reserve(
                    session, reservation, self.project_id, _dollars(cost), within, seconds=_RESERVED_SECONDS
                )

        exceeded = await self.persist(write)
        if exceeded in ("tenant", "project"):
            raise BudgetExceeded(f"The {exceeded}'s budget for this month is used up.")
        return None if exceeded == "unlimited" else reservation

    async def release(self, reservation: UUID) -> None:
        async def write() -> None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                await spending.release(session, reservation)

        await self.persist(write)

    async def settle(
        self, provider: str, reservation: UUID | None, usage: Usage, *, key: bytes, body: bytes, shared: bool
    ) -> None:
        booking = self._booking(provider, usage)

        async def write() -> None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                if len(body) <= _LARGEST_KEPT_BODY:
                    await answers.keep(
                        session,
                        key if shared else self._own(key),
                        body,
                        provider=provider,
                        document_ids=self.document_ids,
                        cost=booking.cost,
                    )
                await _book(session, reservation, booking)

        await self.persist(write)

    async def book(self, provider: str, reservation: UUID | None, usage: Usage) -> None:
        """Book a call whose answer has a place of its own."""
        booking = self._booking(provider, usage)

        async def write() -> None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                await _book(session, reservation, booking)

        await self.persist(write)

    def _booking(self, provider: str, usage: Usage) -> Booking:
        return Booking(
            id=new_id(),
            project_id=self.project_id,
            extraction_id=self.extraction_id,
            provider=provider,
            cost=_dollars(usage.cost),
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_input_tokens=usage.cached_input_tokens,
            pages=usage.pages,
        )

    def _own(self, key: bytes) -> bytes:
        owner = self.extraction_id or self.job_id
        assert owner is not None
        return hashlib.sha256(key + owner.bytes).digest()


async def _book(session: Session, reservation: UUID | None, booking: Booking) -> None:
    if reservation is not None:
        await spending.release(session, reservation)
    await spending.book(session, booking)


@dataclass(slots=True)
class ModelSpending:
    provider: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int
    pages: int
    cost: Decimal


@dataclass(slots=True)
class ProjectSpending:
    """`project` is null for one that was deleted."""

    project: str | None
    budget: Decimal | None
    cost: Decimal = Decimal(0)
    models: list[ModelSpending] = field(default_factory=list)


@dataclass(slots=True)
class MonthlySpending:
    """`budget` is the whole tenant's, and null for a key that is limited to a project."""

    month: str
    budget: Decimal | None
    cost: Decimal
    calls: int
    projects: list[ProjectSpending]


async def month(session: Session, wanted: str | None) -> MonthlySpending:
    """What was spent in a month (`2026-11`) or in the present one, by project and model."""
    first = await spending.this_month(session) if wanted is None else _first_day(wanted)
    rows = await spending.of_month(session, first)
    whole, by_project = await spending.all_budgets(session)
    projects: dict[UUID, ProjectSpending] = {}
    for row in rows:
        spent = projects.setdefault(row.project_id, ProjectSpending(row.project, by_project.get(row.project_id)))
        spent.cost += row.cost
        spent.models.append(_of_model(row))
    return MonthlySpending(
        month=f"{first:%Y-%m}",
        budget=whole,
        cost=sum((row.cost for row in rows), Decimal(0)),
        calls=sum(row.calls for row in rows),
        projects=list(projects.values()),
    )


async def prune(database: Database) -> None:
    """Forget old answers and old rows of the ledger, in small statements."""
    async with database.system() as connection:
        while await answers.prune(connection, older_than_days=KEEP_ANSWERS_DAYS, most_bytes=MOST_ANSWER_BYTES):
            pass
        while await spending.prune(connection, older_than_days=KEEP_LEDGER_DAYS):
            pass


def _of_model(row: MonthRow) -> ModelSpending:
    return ModelSpending(
        row.provider,
        row.calls,
        row.input_tokens,
        row.output_tokens,
        row.cached_input_tokens,
        row.pages,
        row.cost,
    )


def _first_day(text: str) -> date:
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError as error:
        raise Invalid("A month is written as 2026-11.") from error


def _dollars(cost: float) -> Decimal:
    return Decimal(repr(cost)).quantize(Decimal("0.00000001"))
