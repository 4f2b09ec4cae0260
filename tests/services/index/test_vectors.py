"""Vectors from a provider: within its shared limits, at the cost of the document's project, and never in the way."""

from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import cast
from uuid import UUID

import pytest
from pydantic import SecretStr

from docsieve.db.connection.session import Database
from docsieve.db.index import embedders
from docsieve.db.providers import limits
from docsieve.db.providers.limits import ProviderLimits
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.scope import SYSTEM_TENANT, Scope
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.openai_compatible import OpenAICompatibleEmbedder
from docsieve.jobs.reindex import EmbedChunksHandler, Reindex, ReindexHandler
from docsieve.queue.kinds import Attempt, Snooze
from docsieve.resources import Resources
from docsieve.services.index.chunk_index import EmbedChunks
from docsieve.services.providers.spending import ModelSpending
from docsieve.services.providers.spending import month as month_of
from tests.provider_server import KEY, NATIVE_DIMENSIONS, ProviderServer, problem, serving
from tests.services.index.library import Library, new_library, page
from tests.services.providers.conftest import set_budget

PRICED = "text-embedding-3-small"
OUR_OWN = "nomic-embed-text"
SENTENCE = "A violin is tuned in fifths."


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with serving() as started:
        yield started


@pytest.fixture(params=[PRICED])
def model(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def embedder(server: ProviderServer, model: str) -> AsyncIterator[OpenAICompatibleEmbedder]:
    opened = OpenAICompatibleEmbedder(server.url, SecretStr(KEY), model, NATIVE_DIMENSIONS)
    yield opened
    await opened.close()


@pytest.fixture
async def library(library_of_locals: Library, embedder: OpenAICompatibleEmbedder) -> Library:
    return Library(library_of_locals.database, library_of_locals.scope, KnownEmbedders(embedder))


@pytest.fixture
async def library_of_locals(database: Database) -> Library:
    return await new_library(database)


@pytest.fixture
async def project_of(library: Library) -> UUID:
    project_id: UUID = await library.database.pool.fetchval(
        "select id from projects where tenant_id = $1", library.scope.tenant_id
    )
    return project_id


def _resources(library: Library) -> Resources:
    return cast(
        Resources,
        SimpleNamespace(database=library.database, embedders=library.known, clients=SimpleNamespace(prices=None)),
    )


def _attempt(kind: str) -> Attempt:
    return Attempt(ClaimedJob(new_id(), 1, "w", SYSTEM_TENANT, None, None, kind, "maintenance", "{}", 1, 0))


async def _embed(library: Library, document_id: UUID) -> None:
    await EmbedChunksHandler(_resources(library))(EmbedChunks(document_id=document_id), _attempt("embed_chunks"))


async def _sweep(library: Library) -> None:
    await library.database.pool.execute("update embedders set swept_at = null")
    await ReindexHandler(_resources(library))(Reindex(), _attempt("reindex"))


async def _count(library: Library, what: str) -> int:
    return int(await library.database.pool.fetchval(f"select count(*) from {what}"))


async def _spent(library: Library) -> list[ModelSpending]:
    async with library.database.tenant(Scope(library.scope.tenant_id)) as session:
        return [model for project in (await month_of(session, None)).projects for model in project.models]


async def _limits(library: Library) -> list[ProviderLimits]:
    async with library.database.system() as connection:
        return await limits.list_all(connection)


async def _set_limits(library: Library, model: str, *, requests_per_minute: int) -> None:
    async with library.database.system() as connection:
        await limits.set_limits(
            connection,
            f"openai:{model}",
            concurrency=1,
            requests_per_minute=requests_per_minute,
            tokens_per_minute=None,
        )


async def test_the_vectors_of_a_document_are_booked_for_its_project_and_those_of_queries_are_not_booked(
    library: Library,
) -> None:
    side = await library.project("side")
    await library.add(page(SENTENCE), project_id=side)
    (spent,) = await _spent(library)
    assert (spent.provider, spent.calls, spent.input_tokens) == (f"openai:{PRICED}", 1, 1)
    assert float(spent.cost) == 0.00000002
    assert await _count(library, f"spending where project_id = '{side}' and extraction_id is null") == 1
    assert (await library.ask("instrument")).embedder is not None
    assert await _spent(library) == [spent]
    assert await _count(library, "cached_responses") == await _count(library, "spending_reservations") == 0


async def test_tokens_that_the_provider_does_not_count_are_estimated(library: Library, server: ProviderServer) -> None:
    server.counts_tokens = False
    await library.add(page("word " * 400))
    (spent,) = await _spent(library)
    assert 400 <= spent.input_tokens <= 600


@pytest.mark.parametrize("whose", ["tenants", "projects"])
async def test_a_used_up_budget_costs_a_document_its_vectors_until_there_is_money_again(
    library: Library, server: ProviderServer, project_of: UUID, whose: str
) -> None:
    owner = library.scope.tenant_id if whose == "tenants" else project_of
    await set_budget(library.database, whose, owner, 0.0)
    wanted = await library.add(page(SENTENCE))
    assert await library.found("violin") == [wanted]
    assert await _count(library, "jobs where job_type = 'embed_chunks'") == 0, "it would only wait for money"
    before = len(server.requests)
    await _embed(library, wanted)
    await _sweep(library)
    assert (len(server.requests), await _count(library, "chunk_vectors")) == (before, 0)
    await set_budget(library.database, whose, owner, 1.0)
    await _sweep(library)
    assert await _count(library, "chunk_vectors") == 1


async def test_whose_budget_is_used_up_holds_up_no_other_and_no_change_of_embedder(
    library_of_locals: Library, library: Library, project_of: UUID
) -> None:
    await library_of_locals.add(page(SENTENCE))
    neighbor = await new_library(library.database)
    for text in ("Ships in the harbour.", "Apple trees."):
        await neighbor.add(page(text))
    await set_budget(library.database, "projects", project_of, 0.0)
    await _sweep(library)
    async with library.database.system() as connection:
        (used,) = await embedders.in_use(connection)
    assert (used.name, used.state) == (library.known.chosen.name, "active")
    having = f"chunk_vectors where tenant_id = '{neighbor.scope.tenant_id}'"
    assert (await _count(library, having), await _count(library, "chunk_vectors")) == (2, 2)
    assert [each.calls for each in await _spent(neighbor)] == [1], "both chunks in one request"


@pytest.mark.parametrize("model", [OUR_OWN], indirect=True)
async def test_a_model_of_ones_own_has_no_price_and_needs_no_budget(library: Library, project_of: UUID) -> None:
    await set_budget(library.database, "projects", project_of, 0.0)
    await library.add(page(SENTENCE))
    assert await _count(library, "chunk_vectors") == 1
    (spent,) = await _spent(library)
    assert (spent.provider, spent.input_tokens, float(spent.cost)) == (f"openai:{OUR_OWN}", 1, 0.0)


async def test_readings_and_searches_do_without_vectors_where_the_limits_would_make_them_wait(
    library: Library, server: ProviderServer
) -> None:
    await _set_limits(library, PRICED, requests_per_minute=1)
    first = await library.add(page(SENTENCE))
    second = await library.add(page("Ships in the harbour."))
    found = await library.ask("harbour")
    assert (found.hits[0].document_id, found.embedder) == (second, None)
    assert len(server.requests) == 1
    assert await _count(library, f"jobs where job_type = 'embed_chunks' and document_id = '{second}'") == 1
    assert await _count(library, f"chunk_vectors where document_id = '{first}'") == 1


async def test_a_provider_that_asks_to_wait_is_left_alone_by_readings_searches_and_jobs(
    library: Library, server: ProviderServer
) -> None:
    server.replies = [problem(429, "rate_limit_exceeded", **{"Retry-After": "60"})]
    wanted = await library.add(page(SENTENCE))
    await library.add(page("Ships in the harbour."))
    assert (await library.ask("violin")).embedder is None
    with pytest.raises(Snooze) as snoozed:
        await _embed(library, wanted)
    assert 30 < snoozed.value.seconds <= 90
    await _sweep(library)
    assert len(server.requests) == 1
    await library.database.pool.execute("update provider_limits set blocked_until = '-infinity'")
    await _embed(library, wanted)
    assert await _count(library, f"chunk_vectors where document_id = '{wanted}'") == 1


async def test_failures_open_the_breaker_and_no_caller_waits_for_it(library: Library, server: ProviderServer) -> None:
    server.replies = [problem(500, "server_error")] * 20
    for number in range(4):
        await library.add(page(f"{SENTENCE} {number}"))
    assert len(server.requests) == 5, "five failures opened the breaker"
    assert [(each.name, each.breaker) for each in await _limits(library)] == [(f"openai:{PRICED}", "open")]
    found = await library.ask("violin")
    assert (len(found.hits), found.embedder, len(server.requests)) == (4, None, 5)


async def test_the_local_embedder_takes_no_slot_and_books_nothing(library_of_locals: Library) -> None:
    await library_of_locals.add(page(SENTENCE))
    assert (await library_of_locals.ask("instrument")).embedder is not None
    await _sweep(library_of_locals)
    assert await _limits(library_of_locals) == []
    assert await _count(library_of_locals, "spending") == 0
