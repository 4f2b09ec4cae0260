"""Limits on the calls to a provider that all workers share: concurrency slots, rates and a circuit breaker.

`Limiter` runs calls within the limits. The limits themselves are behind a protocol, because pipelines do not know the
database; a command that works on files runs without them.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Literal, Protocol, TypeVar
from uuid import UUID

from docsieve import metrics
from docsieve.errors.providers import AskedAlready, ProviderBusy, ProviderDown, ProviderError, ProviderRefused

LEASE_SECONDS = 30.0
MAX_WAIT_SECONDS = 10.0
"""A caller waits this long for a slot; a longer wait sends the job back to the queue."""

_RENEW_SECONDS = 10.0
_TRIES = 3
_MAX_RETRY_WAIT_SECONDS = 5.0
_FIRST_BACKOFF_SECONDS = 0.25

T = TypeVar("T")

Outcome = Literal["answered", "busy", "failed", "stopped"]


class Limits(Protocol):
    """Slots at all providers."""

    async def take(self, provider: str, *, tokens: int, claim: UUID | None = None) -> UUID | float:
        """A slot, or the number of seconds to wait. Raises AskedAlready while another caller holds the claim."""
        ...

    async def is_down(self, provider: str) -> bool:
        """Whether the provider's breaker is open."""
        ...

    async def renew(self, slot: UUID) -> None: ...

    async def give_back(
        self, provider: str, slot: UUID, outcome: Outcome, *, seconds: float = 0.0, more_tokens: int = 0
    ) -> float:
        """Free the slot and report the outcome; returns how many seconds a caller that failed must wait."""
        ...


class Limiter:
    """Calls one provider (`provider:model`) within its limits, and retries short failures."""

    def __init__(
        self, provider: str, limits: Limits | None = None, *, max_wait_seconds: float = MAX_WAIT_SECONDS
    ) -> None:
        self.provider = provider
        self.max_wait_seconds = max_wait_seconds
        self._limits = limits

    async def run(
        self,
        call: Callable[[], Awaitable[T]],
        *,
        tokens: int = 0,
        tokens_used: Callable[[T], int] | None = None,
        claim: UUID | None = None,
    ) -> T:
        """Run `call` in a slot; of several callers with the same claim only one has a slot at a time.

        `tokens` is an estimate that the token rate is charged with; `tokens_used` corrects it by the result.

        Raises ProviderBusy when the limits or the provider require a longer wait, ProviderDown while the breaker is
        open, AskedAlready while another caller holds the claim, and what `call` raises.
        """
        for attempt in range(1, _TRIES + 1):
            try:
                return await self._run_once(call, tokens, tokens_used, claim)
            except (ProviderRefused, AskedAlready):
                raise
            except ProviderBusy as busy:
                wait = busy.seconds
                if attempt == _TRIES or wait > min(_MAX_RETRY_WAIT_SECONDS, self.max_wait_seconds):
                    raise
            except ProviderError:
                wait = _FIRST_BACKOFF_SECONDS * 2**attempt
                if attempt == _TRIES:
                    raise
            await asyncio.sleep(wait * random.uniform(0.8, 1.2))
        raise AssertionError("the last attempt returns or raises")

    async def _run_once(
        self,
        call: Callable[[], Awaitable[T]],
        tokens: int,
        tokens_used: Callable[[T], int] | None,
        claim: UUID | None,
    ) -> T:
        if self._limits is None:
            result = await call()
        else:
            slot = await self._take(self._limits, tokens, claim)
            result = await self._run_in_slot(self._limits, slot, call)
            more = tokens_used(result) - tokens if tokens_used is not None else 0
            await finish(self._limits.give_back(self.provider, slot, "answered", more_tokens=more))
        metrics.provider_calls.labels(self.provider).inc()
        return result

    async def _take(self, limits: Limits, tokens: int, claim: UUID | None) -> UUID:
        deadline = asyncio.get_running_loop().time() + self.max_wait_seconds
        while True:
            taken = await limits.take(self.provider, tokens=tokens, claim=claim)
            if isinstance(taken, UUID):
                return taken
            if asyncio.get_running_loop().time() + taken > deadline:
                wait = taken * random.uniform(1.0, 1.5)
                if await limits.is_down(self.provider):
                    raise self._down(wait)
                raise ProviderBusy(f"{self.provider} is at its concurrency or rate limit.", wait)
            await asyncio.sleep(taken * random.uniform(0.3, 1.0))

    async def _run_in_slot(self, limits: Limits, slot: UUID, call: Callable[[], Awaitable[T]]) -> T:
        """The result of `call`; a failure gives the slot back.

        A caller that fails while the breaker is open, or whose failure opens it, waits like all others.
        """
        try:
            async with _renewing(limits, slot):
                return await call()
        except ProviderBusy as busy:
            await finish(limits.give_back(self.provider, slot, "busy", seconds=busy.seconds))
            raise
        except ProviderRefused:
            await finish(limits.give_back(self.provider, slot, "answered"))
            raise
        except ProviderError as error:
            wait = await finish(limits.give_back(self.provider, slot, "failed"))
            if wait > 0:
                raise self._down(wait) from error
            raise
        except BaseException:
            await finish(limits.give_back(self.provider, slot, "stopped"))
            raise

    def _down(self, wait: float) -> ProviderDown:
        return ProviderDown(f"{self.provider} keeps failing. No requests are sent to it for a while.", wait)


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


async def finish(work: Awaitable[T]) -> T:
    """Wait for `work` even if the caller is cancelled: a paid response must be stored, a slot given back."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
