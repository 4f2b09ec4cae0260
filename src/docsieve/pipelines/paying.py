"""The seam through which every call that costs money goes.

    kept answers → budget → shared limits and breaker → the provider → the answer is kept and booked, at once

What a provider answered is written down, together with its price, before anybody looks at it: a worker that dies later
finds it again, and the provider is not paid twice. Who keeps, books and limits is behind two small protocols, because
recipes do not know the database; without them a command works on files alone.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar
from uuid import UUID

from docsieve import faults, metrics
from docsieve.domain.extraction import Usage
from docsieve.errors import DocsieveError
from docsieve.providers import ProviderBusy, ProviderError, ProviderRefused

LEASE_SECONDS = 30.0
_RENEW_SECONDS = 10.0
PATIENCE_SECONDS = 10.0
"""Shorter waits are waited for here; a longer one hands the job back to the queue."""

_TRIES = 3
_SHORT_WAIT_SECONDS = 5.0
_FIRST_PAUSE_SECONDS = 0.25
_LOOK_AGAIN_SECONDS = 0.5

T = TypeVar("T")

Outcome = Literal["answered", "busy", "failed", "stopped"]


class BudgetExceeded(DocsieveError):
    """The month's budget for providers is used up."""

    status = 402
    code = "budget_exceeded"


class PriceUnknown(DocsieveError):
    """There is a budget, and nobody knows what this model costs: give it a price in prices.json."""

    status = 402
    code = "price_unknown"


class ProviderDown(ProviderBusy):
    """The breaker is open: the provider failed again and again and is left alone for a while."""

    code = "provider_down"


class AskedAlready(ProviderBusy):
    """Another job of the tenant is asking this very question; its answer will be kept."""

    code = "asked_already"

    def __init__(self) -> None:
        super().__init__(None, _SHORT_WAIT_SECONDS)


@dataclass(frozen=True, slots=True)
class Kept:
    body: bytes
    cost: float


@dataclass(slots=True)
class Bought:
    """What a call brought and took. An answer that cannot be used has its `trouble`, and is paid for all the same."""

    body: bytes = field(repr=False)
    usage: Usage
    trouble: ProviderError | None = None


class Ledger(Protocol):
    """Keeps answers and counts money for one piece of work of one tenant: an extraction, or a document's reading."""

    async def find(self, key: bytes, *, shared: bool) -> Kept | None:
        """An answer kept for this work, or for any of the tenant's where it may be shared."""
        ...

    def claim(self, key: bytes, *, shared: bool) -> UUID:
        """The same for all who would use the same answer."""
        ...

    async def reserve(self, cost: float | None) -> UUID | None:
        """Set the cost of a call aside; None where nothing limits it.

        Raises BudgetExceeded, and PriceUnknown for a cost that nobody knows where there is a budget.
        """
        ...

    async def release(self, reservation: UUID) -> None: ...

    async def settle(
        self, provider: str, reservation: UUID | None, usage: Usage, *, key: bytes, body: bytes, shared: bool
    ) -> None:
        """Keep the answer and book what it took, both or neither."""
        ...


class Limits(Protocol):
    """Slots at providers, shared by all workers."""

    async def take(self, provider: str, *, tokens: int, claim: UUID | None = None) -> UUID | float:
        """A slot, or after how many seconds to ask again. Raises AskedAlready while somebody else holds the claim."""
        ...

    async def in_outage(self, provider: str) -> bool:
        """Whether its breaker is open."""
        ...

    async def renew(self, slot: UUID) -> None: ...

    async def give_back(
        self, provider: str, slot: UUID, outcome: Outcome, *, seconds: float = 0.0, more_tokens: int = 0
    ) -> float:
        """Say how the call ended; returns for how many seconds who failed should wait, as all others now do."""
        ...


class Paying:
    """Calls to one provider (`provider:model`) for one piece of work; `usage` is what they took so far.

    With `use_kept` false no answer that was kept for other work is used, and none is left for others.
    """

    def __init__(
        self,
        provider: str,
        *,
        ledger: Ledger | None = None,
        limits: Limits | None = None,
        use_kept: bool = True,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self.provider = provider
        self.usage = Usage()
        self._ledger = ledger
        self._limits = limits
        self._shared = use_kept
        self._patience = patience_seconds

    async def buy(
        self, key: bytes, *, expected: Usage, call: Callable[[], Awaitable[Bought]], priced: bool = True
    ) -> bytes:
        """The kept answer to this key, or a new one. Unless `priced`, nobody knows what the call costs.

        Raises BudgetExceeded, PriceUnknown, ProviderBusy when the provider's limits or the provider itself make us
        wait (ProviderDown in an outage), and what `call` raises. An answer with a trouble is kept for this work only,
        and looks on later attempts like any other: whoever asked knows it by its content.
        """
        end = asyncio.get_running_loop().time() + self._patience
        while True:
            if self._ledger is not None:
                kept = await self._ledger.find(key, shared=self._shared)
                if kept is not None:
                    self.usage.cache_hits += 1
                    self.usage.saved += kept.cost
                    return kept.body
            try:
                return await self._buy_new(key, expected, call, priced=priced)
            except AskedAlready:
                if asyncio.get_running_loop().time() > end:
                    raise
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    async def _buy_new(
        self, key: bytes, expected: Usage, call: Callable[[], Awaitable[Bought]], *, priced: bool
    ) -> bytes:
        reservation = None
        if self._ledger is not None:
            reservation = await self._ledger.reserve(expected.cost if priced else None)
        try:
            bought = await self._bought_in_tries(key, expected, reservation, call)
        except BaseException:
            # What a provider takes for a call that was broken off, nobody says.
            if self._ledger is not None and reservation is not None:
                await self._ledger.release(reservation)
            raise
        self.usage += bought.usage
        if bought.trouble is not None:
            raise bought.trouble
        return bought.body

    async def _bought_in_tries(
        self, key: bytes, expected: Usage, reservation: UUID | None, call: Callable[[], Awaitable[Bought]]
    ) -> Bought:
        """Short waits and passing failures are sat out here; what lasts goes on to the queue, which holds no worker."""
        for number in range(1, _TRIES + 1):
            try:
                return await self._bought(key, expected, reservation, call)
            except (ProviderRefused, AskedAlready):
                raise
            except ProviderBusy as busy:
                wait = busy.seconds
                if number == _TRIES or wait > min(_SHORT_WAIT_SECONDS, self._patience):
                    raise
            except ProviderError:
                wait = _FIRST_PAUSE_SECONDS * 2**number
                if number == _TRIES:
                    raise
            await asyncio.sleep(wait * random.uniform(0.8, 1.2))
        raise AssertionError("the last try returns or raises")

    async def _bought(
        self, key: bytes, expected: Usage, reservation: UUID | None, call: Callable[[], Awaitable[Bought]]
    ) -> Bought:
        claim = self._ledger.claim(key, shared=self._shared) if self._ledger is not None else None
        async with self._held(expected, claim) as slot:
            bought = await call()
            slot.taken = bought.usage
            faults.step("answer.received")
            if self._ledger is not None:
                shared = self._shared and bought.trouble is None
                settling = self._ledger.settle(
                    self.provider, reservation, bought.usage, key=key, body=bought.body, shared=shared
                )
                await _to_the_end(settling)
            faults.step("answer.kept")
            self._count(bought.usage)
            return bought

    def _count(self, taken: Usage) -> None:
        metrics.provider_calls.labels(self.provider).inc()
        metrics.provider_cost.labels(self.provider).inc(taken.cost)
        metrics.provider_tokens.labels(self.provider, "input").inc(taken.input_tokens)
        metrics.provider_tokens.labels(self.provider, "output").inc(taken.output_tokens)

    @asynccontextmanager
    async def _held(self, expected: Usage, claim: UUID | None) -> AsyncIterator["_Held"]:
        """A slot for as long as the call takes; how the call ends tells the others how the provider does.

        Who fails while the provider is left alone, or by whose failure it now is, waits with all others.
        """
        held = _Held()
        if self._limits is None:
            yield held
            return
        slot = await self._slot(self._limits, _tokens(expected), claim)
        try:
            async with _renewing(self._limits, slot):
                yield held
        except ProviderBusy as busy:
            await self._give_back(slot, "busy", seconds=busy.seconds)
            raise
        except ProviderRefused:
            await self._give_back(slot, "answered")
            raise
        except ProviderError as error:
            wait = await self._give_back(slot, "failed")
            if wait > 0:
                raise ProviderDown(f"{self.provider} fails and is left alone for a while.", wait) from error
            raise
        except BaseException:
            await self._give_back(slot, "stopped")
            raise
        more = _tokens(held.taken) - _tokens(expected) if held.taken is not None else 0
        await self._give_back(slot, "answered", more_tokens=more)

    async def _give_back(self, slot: UUID, outcome: Outcome, *, seconds: float = 0.0, more_tokens: int = 0) -> float:
        assert self._limits is not None
        return await _to_the_end(
            self._limits.give_back(self.provider, slot, outcome, seconds=seconds, more_tokens=more_tokens)
        )

    async def _slot(self, limits: Limits, tokens: int, claim: UUID | None) -> UUID:
        end = asyncio.get_running_loop().time() + self._patience
        while True:
            taken = await limits.take(self.provider, tokens=tokens, claim=claim)
            if isinstance(taken, UUID):
                return taken
            if asyncio.get_running_loop().time() + taken > end:
                wait = taken * random.uniform(1.0, 1.5)
                if await limits.in_outage(self.provider):
                    raise ProviderDown(f"{self.provider} fails and is left alone for a while.", wait)
                raise ProviderBusy(f"{self.provider} is as busy as it may be.", wait)
            await asyncio.sleep(taken * random.uniform(0.3, 1.0))


@dataclass(slots=True)
class _Held:
    taken: Usage | None = None


def _tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


@asynccontextmanager
async def _renewing(limits: Limits, slot: UUID) -> AsyncIterator[None]:
    async def renew() -> None:
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            await limits.renew(slot)

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)


async def _to_the_end(work: Awaitable[T]) -> T:
    """Cancelling waits for it: what was paid for gets kept."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
