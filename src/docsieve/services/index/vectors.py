"""Runs embedders: remote ones within the limits that all processes share, and for chunks within the project's budget.

A local embedder is called directly and costs nothing.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.session import Database
from docsieve.domain.extraction import Usage
from docsieve.embeddings.port import Answered, Embedder, Gate, RemoteEmbedder, Vectors
from docsieve.llm.prices import Prices, shipped_prices
from docsieve.providers.budget import Budget, count_usage, reserved
from docsieve.providers.limits import Limiter, finish
from docsieve.services.providers.ledger import ProviderLedger
from docsieve.services.providers.limits import SharedLimits

SHORT_WAIT_SECONDS = 1.0
"""For callers that can do without vectors or add them later; a job whose only task they are may wait longer."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Payer:
    """The owner of the chunks."""

    tenant_id: UUID
    project_id: UUID


async def embed_question(database: Database, embedder: Embedder, text: str) -> Vectors:
    """About ten tokens, charged to no budget. Raises what the embedder and `Limiter.run` raise."""
    if not isinstance(embedder, RemoteEmbedder):
        return await embedder.embed([text], query=True)
    limiter = Limiter(_name(embedder), SharedLimits(database), max_wait_seconds=SHORT_WAIT_SECONDS)
    return await embedder.embed([text], query=True, gate=_gate(limiter))


async def embed_chunks(
    database: Database,
    embedder: Embedder,
    texts: Sequence[str],
    payer: Payer,
    *,
    prices: Prices | None,
    max_wait_seconds: float,
) -> Vectors:
    """Raises BudgetExceeded, and what the embedder and `Limiter.run` raise.

    A model without a price is assumed to be self-hosted: it costs nothing and needs no budget.
    """
    if not isinstance(embedder, RemoteEmbedder):
        return await embedder.embed(texts)
    limiter = Limiter(_name(embedder), SharedLimits(database), max_wait_seconds=max_wait_seconds)
    budget = ProviderLedger(database, payer.tenant_id, payer.project_id)
    price = (prices or shipped_prices()).of(embedder.provider, embedder.model)
    dollars_per_token = price.input / _MILLION if price is not None else 0.0
    return await embedder.embed(texts, gate=_gate(limiter, budget, dollars_per_token=dollars_per_token))


def _name(embedder: RemoteEmbedder) -> str:
    return f"{embedder.provider}:{embedder.model}"


def _gate(limiter: Limiter, budget: Budget | None = None, *, dollars_per_token: float = 0.0) -> Gate:
    async def gate(request: Callable[[], Awaitable[Answered]], *, about_tokens: int) -> Vectors:
        def tokens(answered: Answered) -> int:
            return about_tokens if answered.tokens is None else answered.tokens

        cost = about_tokens * dollars_per_token
        async with reserved(budget if cost else None, cost) as reservation:

            async def call() -> Answered:
                answered = await request()
                used = tokens(answered)
                usage = Usage(calls=1, input_tokens=used, cost=used * dollars_per_token)
                if budget is not None:
                    await finish(budget.book(limiter.provider, reservation, usage))
                count_usage(limiter.provider, usage)
                return answered

            return (await limiter.run(call, tokens=about_tokens, tokens_used=tokens)).vectors

    return gate
