"""What the classifier asks a model costs money like everything else: the vendors' SDKs, the real database."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from uuid import UUID

import pytest

from docsieve.db.connection.session import Database
from docsieve.db.providers import limits
from docsieve.domain.classes import Classification
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.errors.providers import ProviderBusy
from docsieve.llm.port import ChatModel
from docsieve.llm.prices import Prices
from docsieve.pipelines.classification import ASK_BELOW, improve
from docsieve.pipelines.providers import Providers
from docsieve.services.providers.ledger import ProviderLedger
from docsieve.services.providers.limits import SharedLimits
from docsieve.services.providers.spending import MonthlySpending
from docsieve.services.providers.spending import month as month_of
from tests.llm.loopback import MODEL, Loopback, Protocol, Said, serving
from tests.llm.protocols.anthropic import Anthropic
from tests.llm.protocols.gemini import Gemini
from tests.llm.protocols.openai import OpenAI
from tests.services.providers.conftest import set_budget

UNSURE = Classification("other", ASK_BELOW - 0.1)
BETTER = Classification("letter", 0.9, by="model")
TEXT = "Dear Madam, the umbrellas have come."


@pytest.fixture(params=(OpenAI, Anthropic, Gemini), ids=lambda protocol: protocol.name)
def server(request: pytest.FixtureRequest) -> Iterator[Loopback]:
    with serving(request.param()) as started:
        started.said = Said('{"class": "letter", "confidence": 0.9}')
        yield started


@dataclass
class Reader:
    """The job that reads one document, as far as its class goes."""

    model: ChatModel
    ledger: ProviderLedger
    prices: Prices | None

    async def classify(self, text: str = TEXT) -> Classification:
        limits = SharedLimits(self.ledger.database)
        providers = Providers(model=self.model, prices=self.prices, ledger=self.ledger, limits=limits)
        return await improve(UNSURE, providers.model_calls(), text)

    def of_another_document(self) -> "Reader":
        return replace(self, ledger=replace(self.ledger, job_id=new_id(), document_ids=[new_id()]))

    async def month(self) -> MonthlySpending:
        async with self.ledger.database.tenant(Scope(self.ledger.tenant_id)) as session:
            return await month_of(session, None)


@pytest.fixture
async def reader(server: Loopback, database: Database, scope: Scope, project_id: UUID) -> AsyncIterator[Reader]:
    protocol: Protocol = server.protocol
    model = protocol.open(server.url)
    ledger = ProviderLedger(database, scope.tenant_id, project_id, None, [new_id()], job_id=new_id())
    table = {model.provider: {MODEL: {"input": 1000.0, "output": 2000.0}}}
    yield Reader(model, ledger, Prices.model_validate({"as_of": "2026-11", "models": table}))
    await model.close()


async def test_a_class_is_booked_for_the_project_with_its_tokens_and_no_extraction(reader: Reader) -> None:
    assert await reader.classify() == BETTER
    spent = await reader.month()
    (project,) = spent.projects
    (model,) = project.models
    assert (project.project, model.provider, model.calls) == ("default", reader.model.name, 1)
    assert (model.input_tokens, model.output_tokens, float(model.cost)) == (120, 30, 0.18)
    pool = reader.ledger.database.pool
    assert await pool.fetchval("select count(*) from spending where extraction_id is null") == 1


async def test_the_same_text_is_classified_for_money_once(reader: Reader, server: Loopback) -> None:
    for each in (reader, reader, reader.of_another_document()):
        assert await each.classify() == BETTER
    assert len(server.requests) == 1
    assert (await reader.month()).calls == 1


@pytest.mark.parametrize("whose", ["tenants", "projects"])
async def test_a_used_up_budget_leaves_the_local_class_and_sends_nothing(
    reader: Reader, server: Loopback, whose: str
) -> None:
    ledger = reader.ledger
    await set_budget(ledger.database, whose, ledger.tenant_id if whose == "tenants" else ledger.project_id, 0.1)
    assert await reader.classify() == BETTER
    assert await reader.of_another_document().classify("Dear Sir, so have the hats.") is UNSURE
    assert await reader.of_another_document().classify() == BETTER, "what was kept costs nothing"
    assert len(server.requests) == 1


async def test_with_a_budget_a_model_without_a_price_is_not_asked_for_a_class(reader: Reader, server: Loopback) -> None:
    unpriced = replace(reader, prices=None)
    await set_budget(reader.ledger.database, "tenants", reader.ledger.tenant_id, 100.0)
    assert await unpriced.classify() is UNSURE
    assert server.requests == []
    await set_budget(reader.ledger.database, "tenants", reader.ledger.tenant_id, None)
    assert await unpriced.classify() == BETTER


async def test_the_classifier_keeps_within_the_limits_of_its_model(reader: Reader, server: Loopback) -> None:
    async with reader.ledger.database.system() as connection:
        await limits.set_limits(
            connection, reader.model.name, concurrency=1, requests_per_minute=1, tokens_per_minute=None
        )
    assert await reader.classify() == BETTER
    with pytest.raises(ProviderBusy):
        await reader.of_another_document().classify("Dear Sir, so have the hats.")
    assert len(server.requests) == 1


async def test_a_model_that_asks_to_wait_is_left_alone_by_all_classifiers(reader: Reader, server: Loopback) -> None:
    server.replies = [server.problem(429, "rate_limit_exceeded", Retry_After="60")]
    for each in (reader, reader.of_another_document()):
        with pytest.raises(ProviderBusy):
            await each.classify()
    assert len(server.requests) == 1


async def test_no_document_waits_for_its_class_while_the_model_is_down(reader: Reader, server: Loopback) -> None:
    server.replies = [server.problem(500, "server_error")] * 20
    for _ in range(4):
        assert await reader.of_another_document().classify() is UNSURE
    assert len(server.requests) == 5, "five failures opened the breaker"
    async with reader.ledger.database.system() as connection:
        (found,) = await limits.list_all(connection)
    assert found.breaker == "open"


async def test_an_answer_that_is_no_class_is_paid_for_once_by_a_job(reader: Reader, server: Loopback) -> None:
    server.said = Said("I would say a letter.")
    for _ in range(2):
        assert await reader.classify() is UNSURE
    assert len(server.requests) == 1
    server.said = Said('{"class": "letter", "confidence": 0.9}')
    assert await reader.of_another_document().classify() == BETTER
