"""Asks embedders: those outside within the limits that all processes share, and for chunks at their project's cost.

One that needs nobody outside is asked directly and costs nothing.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.session import Database
from docsieve.domain.extraction import Usage
from docsieve.domain.ids import new_id
from docsieve.embeddings.port import Answered, Embedder, Gate, RemoteEmbedder, Vectors
from docsieve.llm.prices import Prices, shipped_prices
from docsieve.pipelines.paying import Bought, Kept, Paying
from docsieve.services.providers.provider_limits import SharedLimits
from docsieve.services.providers.spending import ExtractionLedger

IMPATIENT_SECONDS = 1.0
"""For what can do without vectors, or get them later; a job of its own may wait longer."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Payer:
    """Whose chunks they are."""

    tenant_id: UUID
    project_id: UUID


async def embed_question(database: Database, embedder: Embedder, text: str) -> Vectors:
    """Some ten tokens, which nobody is charged for. Raises what the embedder raises, and ProviderBusy by its limits."""
    if not isinstance(embedder, RemoteEmbedder):
        return await embedder.embed([text], query=True)
    paying = Paying(_name(embedder), limits=SharedLimits(database), patience_seconds=IMPATIENT_SECONDS)
    return await embedder.embed([text], query=True, gate=_gate(paying, dollars_a_token=0.0))


async def embed_chunks(
    database: Database,
    embedder: Embedder,
    texts: Sequence[str],
    payer: Payer,
    *,
    prices: Prices | None,
    patience_seconds: float,
) -> Vectors:
    """Raises BudgetExceeded besides what the embedder raises, and ProviderBusy by its limits.

    A model without a price is taken for one of our own, which costs nothing and so needs no budget.
    """
    if not isinstance(embedder, RemoteEmbedder):
        return await embedder.embed(texts)
    ledger = _VectorLedger(ExtractionLedger(database, payer.tenant_id, payer.project_id, None, ()))
    limits = SharedLimits(database)
    paying = Paying(_name(embedder), ledger=ledger, limits=limits, patience_seconds=patience_seconds)
    price = (prices or shipped_prices()).of(embedder.provider, embedder.model)
    dollars_a_token = price.input / _MILLION if price is not None else 0.0
    return await embedder.embed(texts, gate=_gate(paying, dollars_a_token=dollars_a_token))


def _name(embedder: RemoteEmbedder) -> str:
    return f"{embedder.provider}:{embedder.model}"


def _gate(paying: Paying, *, dollars_a_token: float) -> Gate:
    async def gate(request: Callable[[], Awaitable[Answered]], *, about_tokens: int) -> Vectors:
        answered: Answered | None = None

        async def call() -> Bought:
            nonlocal answered
            answered = await request()
            return Bought(b"", taking(about_tokens if answered.tokens is None else answered.tokens))

        await paying.buy(b"", expected=taking(about_tokens), call=call)
        assert answered is not None
        return answered.vectors

    def taking(tokens: int) -> Usage:
        return Usage(calls=1, input_tokens=tokens, cost=tokens * dollars_a_token)

    return gate


@dataclass(frozen=True, slots=True)
class _VectorLedger:
    """`Ledger` that keeps no answers: vectors are kept with their chunks."""

    booking: ExtractionLedger

    async def find(self, key: bytes, *, shared: bool) -> Kept | None:
        return None

    def claim(self, key: bytes, *, shared: bool) -> UUID:
        return new_id()

    async def reserve(self, cost: float | None) -> UUID | None:
        return await self.booking.reserve(cost) if cost else None

    async def release(self, reservation: UUID) -> None:
        await self.booking.release(reservation)

    async def settle(
        self, provider: str, reservation: UUID | None, usage: Usage, *, key: bytes, body: bytes, shared: bool
    ) -> None:
        await self.booking.book(provider, reservation, usage)
