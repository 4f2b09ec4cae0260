"""Paid calls: response cache → budget → limits → provider → the response is stored and booked at once.

A response is stored with its price before anything else happens to it, so a worker that dies later finds it again and
the provider is not paid twice.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from docsieve import faults, metrics
from docsieve.domain.extraction import Usage
from docsieve.errors.providers import AskedAlready, ProviderError
from docsieve.providers.budget import Budget, count_usage, reserved
from docsieve.providers.limits import Limiter, Limits, finish
from docsieve.providers.response_cache import ResponseCache

_POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Response:
    """A response and what it used. A response that cannot be used has a `problem`, and is paid for all the same."""

    body: bytes = field(repr=False)
    usage: Usage
    problem: ProviderError | None = None


class Ledger(Budget, ResponseCache, Protocol):
    """Budget and response cache of one extraction or job of one tenant."""

    async def settle(self, provider: str, reservation: UUID | None, key: bytes, response: Response) -> None:
        """Store the response and book its usage in one transaction; one with a problem is stored for this work only."""
        ...


class _AnsweredMeanwhile(Exception):
    """The claim was free because its last holder has stored the response since the cache was searched."""


class MeteredCalls:
    """Calls to one provider (`provider:model`) for one extraction or job; `usage` is their total so far."""

    def __init__(self, provider: str, *, ledger: Ledger | None = None, limits: Limits | None = None) -> None:
        self.usage = Usage()
        self._ledger = ledger
        self._limiter = Limiter(provider, limits)

    async def send(
        self, key: bytes, call: Callable[[], Awaitable[Response]], *, expected: Usage, priced: bool = True
    ) -> bytes:
        """The body of the cached response to this key, or of a new one. Unless `priced`, the cost is unknown.

        Raises BudgetExceeded, PriceUnknown, what `Limiter.run` raises, and the problem of a new response. A cached
        response with a problem is returned: the caller recognizes it by its content.
        """
        deadline = asyncio.get_running_loop().time() + self._limiter.max_wait_seconds
        while True:
            cached = await self._ledger.find(key) if self._ledger is not None else None
            if self._ledger is not None and cached is not None:
                await self._ledger.count_hit(self._limiter.provider, cached.cost)
                self.usage.cache_hits += 1
                self.usage.saved += cached.cost
                metrics.provider_saved.labels(self._limiter.provider).inc(cached.cost)
                return cached.body
            try:
                response = await self._send(key, call, expected, expected.cost if priced else None)
            except _AnsweredMeanwhile:
                continue
            except AskedAlready:
                if asyncio.get_running_loop().time() > deadline:
                    raise
                await asyncio.sleep(_POLL_SECONDS)
                continue
            self.usage += response.usage
            if response.problem is not None:
                raise response.problem
            return response.body

    async def _send(
        self, key: bytes, call: Callable[[], Awaitable[Response]], expected: Usage, cost: float | None
    ) -> Response:
        ledger, limiter = self._ledger, self._limiter
        async with reserved(ledger, cost) as reservation:

            async def call_and_settle() -> Response:
                if ledger is not None and await ledger.find(key) is not None:
                    raise _AnsweredMeanwhile
                response = await call()
                faults.step("answer.received")
                if ledger is not None:
                    await finish(ledger.settle(limiter.provider, reservation, key, response))
                faults.step("answer.kept")
                count_usage(limiter.provider, response.usage)
                return response

            return await limiter.run(
                call_and_settle,
                tokens=_tokens(expected),
                tokens_used=lambda response: _tokens(response.usage),
                claim=ledger.claim(key) if ledger is not None else None,
            )


def _tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens
