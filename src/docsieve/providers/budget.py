"""Budgets: money is reserved before a call and booked after it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol
from uuid import UUID

from docsieve import metrics
from docsieve.domain.extraction import Usage


class Budget(Protocol):
    """The budget that one extraction or job of one tenant spends."""

    async def reserve(self, cost: float | None) -> UUID | None:
        """Reserve the cost of a call; returns None if no budget is set.

        Raises BudgetExceeded, and PriceUnknown if a budget is set and the cost is None.
        """
        ...

    async def release(self, reservation: UUID) -> None: ...

    async def book(self, provider: str, reservation: UUID | None, usage: Usage) -> None:
        """Replace the reservation by what the call really used."""
        ...


@asynccontextmanager
async def reserved(budget: Budget | None, cost: float | None) -> AsyncIterator[UUID | None]:
    """Reserve `cost` for a call that books itself inside the block; a block that raises releases the reservation."""
    if budget is None:
        yield None
        return
    reservation = await budget.reserve(cost)
    try:
        yield reservation
    except BaseException:
        # Providers do not say what an aborted call costs.
        if reservation is not None:
            await budget.release(reservation)
        raise


def count_usage(provider: str, usage: Usage) -> None:
    metrics.provider_cost.labels(provider).inc(usage.cost)
    metrics.provider_tokens.labels(provider, "input").inc(usage.input_tokens)
    metrics.provider_tokens.labels(provider, "output").inc(usage.output_tokens)
