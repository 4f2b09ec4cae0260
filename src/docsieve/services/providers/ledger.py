"""The ledger of paid calls in the database: budgets, bookings and the response cache."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeVar
from uuid import UUID

from docsieve.db.connection.outage import Persist
from docsieve.db.connection.session import Database, Session
from docsieve.db.events import outbox
from docsieve.db.providers import response_cache, spending
from docsieve.db.providers.response_cache import CachedRow
from docsieve.db.providers.spending import Booking
from docsieve.domain.events import EventType
from docsieve.domain.extraction import Usage
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.errors.providers import BudgetExceeded, PriceUnknown
from docsieve.providers.metered import Response
from docsieve.providers.response_cache import CachedResponse

T = TypeVar("T")

_RESERVED_SECONDS = 900.0
_MAX_CACHED_BODY_BYTES = 32 * 1024**2


async def _once(work: Callable[[], Awaitable[T]], /) -> T:
    return await work()


@dataclass(frozen=True, slots=True)
class ProviderLedger:
    """`Ledger` of one extraction or job; each of its methods is a transaction.

    Without `use_cache` no response to other work of the tenant is used, and none is left for it. A response that is
    not shared belongs to `extraction_id` or `job_id`, so that a retry of the same work finds it.
    """

    database: Database
    tenant_id: UUID
    project_id: UUID
    extraction_id: UUID | None = None
    document_ids: Sequence[UUID] = ()
    persist: Persist = _once
    job_id: UUID | None = None
    use_cache: bool = True

    async def find(self, key: bytes) -> CachedResponse | None:
        async def look_up() -> CachedRow | None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                own = await response_cache.find(session, self._own(key))
                return own if own is not None or not self.use_cache else await response_cache.find(session, key)

        found = await self.persist(look_up)
        return CachedResponse(found.body, float(found.cost)) if found is not None else None

    async def count_hit(self, provider: str, saved: float) -> None:
        async def write() -> None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                await spending.count_hit(session, self.project_id, provider, _dollars(saved))

        await self.persist(write)

    def claim(self, key: bytes) -> UUID:
        stored_as = self._stored_as(key, shared=True)
        return UUID(bytes=hashlib.sha256(self.tenant_id.bytes + stored_as).digest()[:16])

    async def reserve(self, cost: float | None) -> UUID | None:
        reservation = new_id()

        async def write() -> str | None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                within = await spending.budgets(session, self.project_id)
                if within.tenant is None and within.project is None:
                    return "unlimited"
                if cost is None:
                    raise PriceUnknown
                exceeded = await spending.reserve(
                    session, reservation, self.project_id, _dollars(cost), within, seconds=_RESERVED_SECONDS
                )
                if exceeded is not None:
                    await self._announce(session, exceeded)
                return exceeded

        exceeded = await self.persist(write)
        if exceeded in ("tenant", "project"):
            raise BudgetExceeded(f"The {exceeded}'s budget for this month is used up.")
        return None if exceeded == "unlimited" else reservation

    async def _announce(self, session: Session, exceeded: Literal["tenant", "project"]) -> None:
        """Once per budget and month, in the transaction that refuses the first call."""
        project_id = self.project_id if exceeded == "project" else None
        month = await spending.notice_exceeded(session, project_id or self.tenant_id)
        if month is not None:
            await outbox.emit(
                session,
                EventType.BUDGET_EXCEEDED,
                project_id=project_id,
                subject_id=project_id or self.tenant_id,
                data={"budget": exceeded, "month": f"{month:%Y-%m}"},
            )

    async def release(self, reservation: UUID) -> None:
        async def write() -> None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                await spending.release(session, reservation)

        await self.persist(write)

    async def book(self, provider: str, reservation: UUID | None, usage: Usage) -> None:
        booking = self._booking(provider, usage)

        async def write() -> None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                await _book(session, reservation, booking)

        await self.persist(write)

    async def settle(self, provider: str, reservation: UUID | None, key: bytes, response: Response) -> None:
        booking = self._booking(provider, response.usage)
        stored_as = self._stored_as(key, shared=response.problem is None)

        async def write() -> None:
            async with self.database.tenant(Scope(self.tenant_id)) as session:
                if len(response.body) <= _MAX_CACHED_BODY_BYTES:
                    await response_cache.store(
                        session,
                        stored_as,
                        response.body,
                        provider=provider,
                        document_ids=self.document_ids,
                        cost=booking.cost,
                    )
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

    def _stored_as(self, key: bytes, *, shared: bool) -> bytes:
        return key if shared and self.use_cache else self._own(key)

    def _own(self, key: bytes) -> bytes:
        owner = self.extraction_id or self.job_id
        assert owner is not None
        return hashlib.sha256(key + owner.bytes).digest()


async def _book(session: Session, reservation: UUID | None, booking: Booking) -> None:
    if reservation is not None:
        await spending.release(session, reservation)
    await spending.book(session, booking)


def _dollars(cost: float) -> Decimal:
    return Decimal(repr(cost)).quantize(Decimal("0.00000001"))
