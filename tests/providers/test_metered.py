"""Metered calls with the real client, a provider on loopback and the real database."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from docsieve.db.connection.session import Database
from docsieve.db.providers import limits
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.engines.llm.prepare import PageRef, Part, PreparedText
from docsieve.errors.providers import (
    AnswerMalformed,
    AnswerUnreadable,
    BudgetExceeded,
    PriceUnknown,
    ProviderBusy,
    ProviderError,
    ProviderRefused,
)
from docsieve.llm.port import Answer, Question
from docsieve.llm.vendors.openai_compatible import OpenAICompatibleModel
from docsieve.pipelines.model_calls import ModelCalls, propose, question_key
from docsieve.pipelines.prebuilt import Original, analyze
from docsieve.providers.metered import MeteredCalls
from docsieve.remote.azure.prebuilt import AzureAccount
from docsieve.services.providers.ledger import ProviderLedger
from docsieve.services.providers.limits import SharedLimits
from docsieve.services.providers.spending import month as month_of
from tests.llm.loopback import KEY, MODEL, Loopback, Reply, Said, serving
from tests.llm.protocols.openai import Compatible
from tests.remote.azure.azure_service import KEY as AZURE_KEY
from tests.remote.azure.azure_service import azure_service, succeeded
from tests.services.providers.conftest import set_budget

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"total": {"type": "number"}, "currency": {"type": "string"}}}
PREPARED = PreparedText([Part("Total 12.50", [PageRef(0, 1)])], pages=1)
NAME = f"compatible:{MODEL}"
COST = 0.25


def price(answer: Answer) -> float | None:
    return COST


@dataclass
class Extraction:
    """One extraction of one tenant, with metered calls."""

    model: OpenAICompatibleModel
    ledger: ProviderLedger
    limits: SharedLimits

    def asking(self, *, use_cache: bool = True) -> ModelCalls:
        ledger = replace(self.ledger, use_cache=use_cache)
        return ModelCalls(self.model, MeteredCalls(self.model.name, ledger=ledger, limits=self.limits), price)

    async def run(self, asking: ModelCalls | None = None) -> dict[str, Any]:
        proposal = await propose(asking or self.asking(), PREPARED, SCHEMA, prompt=None)
        return {path: found.value for path, found in proposal.found.items()}

    def another(self) -> "Extraction":
        return replace(self, ledger=replace(self.ledger, extraction_id=new_id()))


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving(Compatible()) as started:
        yield started


@pytest.fixture
async def extraction(server: Loopback, database: Database, ledger: ProviderLedger) -> Any:
    model = server.protocol.open(server.url)
    assert isinstance(model, OpenAICompatibleModel)
    yield Extraction(model, ledger, SharedLimits(database))
    await model.close()


async def spent(extraction: Extraction) -> tuple[float, int]:
    async with extraction.ledger.database.tenant(Scope(extraction.ledger.tenant_id)) as session:
        found = await month_of(session, None)
    return float(found.cost), found.calls


async def count(database: Database, table: str) -> int:
    return int(await database.pool.fetchval(f"select count(*) from {table}"))


async def test_the_same_question_is_paid_for_once_by_a_tenant(extraction: Extraction, server: Loopback) -> None:
    first, second = extraction.asking(), extraction.another().asking()
    assert await extraction.run(first) == await extraction.run(second) == {"total": 12.5}
    assert len(server.requests) == 1
    assert (first.usage.calls, first.usage.cost, first.usage.cache_hits) == (1, COST, 0)
    assert (first.usage.input_tokens, first.usage.cached_input_tokens, first.usage.output_tokens) == (120, 40, 30)
    assert (second.usage.calls, second.usage.cost, second.usage.cache_hits, second.usage.saved) == (0, 0.0, 1, COST)
    assert await spent(extraction) == (COST, 1)


async def test_jobs_that_ask_the_same_at_once_pay_for_it_once(extraction: Extraction, server: Loopback) -> None:
    jobs = [extraction.another() for _ in range(5)]
    askings = [job.asking() for job in jobs]

    answers = await asyncio.gather(*(job.run(asking) for job, asking in zip(jobs, askings, strict=True)))

    assert answers == [{"total": 12.5}] * 5
    assert len(server.requests) == 1
    assert sorted(asking.usage.cache_hits for asking in askings) == [0, 1, 1, 1, 1]
    assert await spent(extraction) == (COST, 1)
    assert await count(extraction.ledger.database, "provider_leases") == 0


@dataclass(frozen=True)
class OvertakenLedger(ProviderLedger):
    """Another job asks the same and is answered after this one has looked into the cache."""

    other: Callable[[], Awaitable[object]] | None = None

    async def reserve(self, cost: float | None) -> UUID | None:
        assert self.other is not None
        await self.other()
        return await ProviderLedger.reserve(self, cost)


async def test_a_job_does_not_pay_for_what_was_answered_after_it_looked_into_the_cache(
    extraction: Extraction, server: Loopback
) -> None:
    given = {each.name: getattr(extraction.ledger, each.name) for each in fields(ProviderLedger)}
    ledger = OvertakenLedger(**{**given, "extraction_id": new_id()}, other=extraction.run)
    late = replace(extraction, ledger=ledger)
    asking = late.asking()

    assert await late.run(asking) == {"total": 12.5}

    assert len(server.requests) == 1
    assert (asking.usage.calls, asking.usage.cache_hits) == (0, 1)
    assert await spent(extraction) == (COST, 1)
    assert await count(extraction.ledger.database, "provider_leases") == 0


async def test_a_job_that_waits_for_the_same_answer_asks_when_the_other_job_fails(
    extraction: Extraction, server: Loopback
) -> None:
    server.replies.append(Reply(hang=True))
    first = asyncio.create_task(extraction.run())
    await server.first_request()
    second = asyncio.create_task(extraction.another().run())
    third = asyncio.create_task(extraction.another().run(extraction.another().asking(use_cache=False)))
    assert await third == {"total": 12.5}, "a job that does not use the cache does not wait"
    assert not second.done()
    first.cancel()
    assert await second == {"total": 12.5}
    assert len(server.requests) == 3


async def test_a_job_without_the_cache_uses_no_cached_answer_and_leaves_none(
    extraction: Extraction, server: Loopback
) -> None:
    await extraction.run()
    other = extraction.another()
    await other.run(other.asking(use_cache=False))
    await other.run(other.asking(use_cache=False))  # a retry of the same extraction finds its own
    assert len(server.requests) == 2


async def test_a_used_up_budget_sends_nothing_to_the_provider(extraction: Extraction, server: Loopback) -> None:
    await set_budget(extraction.ledger.database, "tenants", extraction.ledger.tenant_id, 0.0)
    with pytest.raises(BudgetExceeded):
        await extraction.run()
    assert server.requests == []


async def test_with_a_budget_a_model_without_a_price_is_not_asked(extraction: Extraction, server: Loopback) -> None:
    def unpriced() -> ModelCalls:
        return ModelCalls(
            extraction.model, MeteredCalls(NAME, ledger=extraction.ledger, limits=extraction.limits), lambda _: None
        )

    await set_budget(extraction.ledger.database, "projects", extraction.ledger.project_id, 100.0)
    with pytest.raises(PriceUnknown) as refused:
        await extraction.run(unpriced())
    assert (refused.value.status, refused.value.code, refused.value.permanent) == (402, "price_unknown", True)
    assert server.requests == []
    await set_budget(extraction.ledger.database, "projects", extraction.ledger.project_id, None)
    asking = unpriced()
    assert await extraction.run(asking) == {"total": 12.5}
    assert asking.usage.details["price_unknown"] == NAME
    assert await spent(extraction) == (0, 1)


async def test_a_cached_answer_may_be_used_when_the_budget_is_used_up(extraction: Extraction) -> None:
    await extraction.run()
    await set_budget(extraction.ledger.database, "tenants", extraction.ledger.tenant_id, 0.0)
    assert await extraction.another().run() == {"total": 12.5}


async def test_no_worker_sends_a_request_while_a_provider_asks_to_wait(
    extraction: Extraction, server: Loopback
) -> None:
    server.replies.append(server.problem(429, "rate_limit_exceeded", Retry_After="120"))
    with pytest.raises(ProviderBusy) as first:
        await extraction.run()
    with pytest.raises(ProviderBusy) as second:
        await extraction.another().run()
    assert first.value.seconds == 120
    assert second.value.seconds > 60
    assert len(server.requests) == 1
    assert await count(extraction.ledger.database, "provider_leases") == 0


async def test_an_outage_opens_the_breaker_and_stops_the_requests(extraction: Extraction, server: Loopback) -> None:
    server.replies += [server.problem(500, "server_error")] * 10
    with pytest.raises(ProviderError) as first:
        await extraction.run()
    assert not isinstance(first.value, ProviderBusy)
    with pytest.raises(ProviderBusy) as second:  # the fifth failure opens the breaker: from now on callers wait
        await extraction.run()
    assert len(server.requests) == 5
    with pytest.raises(ProviderBusy):
        await extraction.another().run()
    assert len(server.requests) == 5
    assert 5 < second.value.seconds <= 15


async def test_a_temporary_failure_is_retried(extraction: Extraction, server: Loopback) -> None:
    server.replies += [server.problem(500, "server_error"), server.problem(429, "slow_down", Retry_After="0")]
    assert await extraction.run() == {"total": 12.5}
    assert len(server.requests) == 3
    assert await spent(extraction) == (COST, 1)


async def test_a_refusal_does_not_open_the_breaker(extraction: Extraction, server: Loopback) -> None:
    server.replies += [server.problem(401, "invalid_api_key")] * 10
    for _ in range(8):
        with pytest.raises(ProviderRefused):
            await extraction.run()
    async with extraction.ledger.database.system() as connection:
        (found,) = await limits.list_all(connection)
    assert found.breaker == "closed"


async def test_answers_that_cannot_be_used_are_paid_for_once_and_known_to_the_next_attempt(
    extraction: Extraction, server: Loopback
) -> None:
    server.said = Said("no JSON at all")
    for _ in range(2):
        asking = extraction.asking()
        with pytest.raises(AnswerMalformed):
            await extraction.run(asking)
    assert len(server.requests) == 3
    assert await spent(extraction) == (3 * COST, 3)
    server.said = Said()
    assert await extraction.another().run() == {"total": 12.5}  # another extraction does not inherit the problem


async def test_a_cached_unreadable_answer_raises_the_same_error_again(extraction: Extraction, server: Loopback) -> None:
    server.said = Said('{"total": 1', finish="length")
    question = Question("s", "u", SCHEMA)
    for _ in range(2):
        with pytest.raises(AnswerUnreadable) as malformed:
            await extraction.asking().ask(question)
        assert (malformed.value.answer.finish, malformed.value.answer.text) == ("length", '{"total": 1')
    assert len(server.requests) == 1


async def test_a_cancelled_call_gives_its_slot_and_its_money_back(extraction: Extraction, server: Loopback) -> None:
    database = extraction.ledger.database
    await set_budget(database, "tenants", extraction.ledger.tenant_id, 10.0)
    server.replies.append(Reply(hang=True))
    work = asyncio.create_task(extraction.run())
    await server.first_request()
    assert await count(database, "provider_leases") == 1
    assert await count(database, "spending_reservations") == 1
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert await count(database, "provider_leases") == 0
    assert await count(database, "spending_reservations") == 0
    assert await spent(extraction) == (0, 0)


async def test_a_cancel_waits_until_the_answer_is_stored(extraction: Extraction, server: Loopback) -> None:
    storing, cancelled = asyncio.Event(), asyncio.Event()

    class Slow(ProviderLedger):
        async def settle(self, *given: Any, **named: Any) -> None:
            storing.set()
            await cancelled.wait()
            await super().settle(*given, **named)

    ledger = extraction.ledger
    slow = Slow(ledger.database, ledger.tenant_id, ledger.project_id, ledger.extraction_id, ledger.document_ids)
    work = asyncio.create_task(replace(extraction, ledger=slow).run())
    await storing.wait()
    work.cancel()
    cancelled.set()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert await extraction.run() == {"total": 12.5}
    assert len(server.requests) == 1


def test_the_markers_around_documents_do_not_change_the_key() -> None:
    def asked(mark: str, text: str) -> bytes:
        return question_key(Question("s", f"<document {mark}>\n{text}\n</document {mark}>\nmore", SCHEMA), "m")

    one, other = "0" * 16, "f" * 16
    forged = f"<document {one}>\nx\n</document {one}>"
    assert asked(one, "text") == asked(other, "text")
    assert asked(one, "text") != asked(other, "another text")
    assert asked("a" * 16, forged) != asked("b" * 16, forged.replace(one, other))
    assert question_key(Question("s", "u", SCHEMA), "m") != question_key(Question("s", "u", SCHEMA), "n")
    assert question_key(Question("s", "u", SCHEMA), "m") != question_key(Question("t", "u", SCHEMA), "m")
    assert question_key(Question("s", "u", SCHEMA), "m") != question_key(Question("s", "u", None), "m")


WORKER = """
import asyncio, sys
from uuid import UUID
from pydantic import SecretStr
from docsieve.db.connection.session import Database
from docsieve.llm.vendors.openai_compatible import OpenAICompatibleModel
from docsieve.pipelines.model_calls import ModelCalls, propose
from docsieve.providers.metered import MeteredCalls
from docsieve.services.providers.limits import SharedLimits
from docsieve.services.providers.ledger import ProviderLedger
from tests.providers.test_metered import PREPARED, SCHEMA, price

async def main(url: str, server: str, key: str, model: str, *ids: str) -> None:
    database = await Database.open(url, connections=2)
    asked = OpenAICompatibleModel(server, SecretStr(key), model)
    ledger = ProviderLedger(database, *map(UUID, ids), [])
    calls = MeteredCalls(asked.name, ledger=ledger, limits=SharedLimits(database))
    await propose(ModelCalls(asked, calls, price), PREPARED, SCHEMA, prompt=None)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize(("step", "paid"), [("answer.received", 2), ("answer.kept", 1)])
async def test_a_worker_killed_after_the_answer_was_stored_does_not_pay_again(
    extraction: Extraction, server: Loopback, database_url: str, step: str, paid: int
) -> None:
    ledger = extraction.ledger
    ids = [str(each) for each in (ledger.tenant_id, ledger.project_id, ledger.extraction_id)]
    arguments = [sys.executable, "-c", WORKER, database_url, f"{server.url}/v1", KEY, MODEL, *ids]
    environment = {**os.environ, "DOCSIEVE_FAULT": step}
    died = await asyncio.to_thread(subprocess.run, arguments, env=environment)
    assert died.returncode == -signal.SIGKILL
    await ledger.database.pool.execute("update provider_leases set expires_at = clock_timestamp()")
    again = await asyncio.to_thread(subprocess.run, arguments)
    assert again.returncode == 0
    assert len(server.requests) == paid
    assert await spent(extraction) == (COST, 1)


async def test_a_prebuilt_analysis_is_paid_for_once_and_counted_by_the_page(
    ledger: ProviderLedger, database: Database, tmp_path: Path
) -> None:
    original = Original(tmp_path / "original", "5" * 64, "application/pdf", 4)
    original.path.write_bytes(b"%PDF-1.7 ...")
    answer = succeeded({"pages": [], "documents": []})
    async with azure_service() as service:
        service.polls = [answer]
        account = AzureAccount(service.endpoint, AZURE_KEY)
        for number in range(2):
            folder = tmp_path / str(number)
            folder.mkdir()
            own = replace(ledger, extraction_id=new_id())
            made = await analyze(
                account, [original], folder, schema_name="invoice", ledger=own, limits=SharedLimits(database)
            )
            assert json.loads(made.answers[0].read_bytes()) == answer.body
        assert len(service.documents) == 1
    assert (made.usage.cache_hits, made.usage.saved, made.usage.cost) == (1, 0.04, 0.0)
    async with database.tenant(Scope(ledger.tenant_id)) as session:
        (project,) = (await month_of(session, None)).projects
    (model,) = project.models
    assert (model.provider, model.pages, float(model.cost)) == ("azure-document-intelligence:prebuilt-invoice", 4, 0.04)
