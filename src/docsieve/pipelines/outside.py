"""Engines that ask somebody outside: a child prepares what is sent, the worker asks, a child finds it on the pages."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from docsieve.domain.extraction import Proposal
from docsieve.domain.pages import Progress
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.llm.engine import Showing
from docsieve.engines.llm.prepare import MOST_PAGES_SHOWN, PreparedText
from docsieve.engines.llm.questions import question, system_prompt
from docsieve.errors import Invalid, ParserCrashed
from docsieve.llm.port import Answer, ChatModel
from docsieve.llm.prices import Prices, cost
from docsieve.pipelines.asking import Asking, propose
from docsieve.pipelines.bench import Bench, SourceDocument
from docsieve.pipelines.paying import Ledger, Limits, Paying
from docsieve.pipelines.prebuilt import Original
from docsieve.remote.azure.prebuilt import AzureAccount

_prepared = TypeAdapter(PreparedText)


class NoModel(Invalid):
    """This engine asks a language model, and none is configured."""

    code = "no_model"


class NoAccount(Invalid):
    """This engine asks Azure Document Intelligence, which is not configured."""

    code = "no_account"


@dataclass(frozen=True, slots=True)
class Outside:
    """Who may be asked for one extraction, and who counts what that takes; a command on files needs no counting.

    With `use_kept` false no answer is used that was kept for another extraction. `originals` fetches the documents as
    they came, which only some engines need.
    """

    model: ChatModel | None = None
    prices: Prices | None = None
    ledger: Ledger | None = None
    limits: Limits | None = None
    use_kept: bool = True
    showing: Showing | None = None
    account: AzureAccount | None = None
    originals: Callable[[], Awaitable[Sequence[Original]]] | None = None
    schema_name: str | None = None

    def asking(self) -> Asking:
        """Raises NoModel."""
        model = self.model
        if model is None:
            raise NoModel
        paying = Paying(model.name, ledger=self.ledger, limits=self.limits, use_kept=self.use_kept)

        def price(answer: Answer) -> float | None:
            return cost(model.provider, model.model, answer, self.prices)

        return Asking(model, paying, price)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Documents that are ready to be asked about, by one model."""

    asking: Asking
    prepared: PreparedText
    prompt: str | None
    showing: Showing | None
    bench: Bench

    async def propose(self, schema: Schema) -> Proposal:
        """Raises what the provider, the ledger and the limits raise."""
        self.bench.report(Progress("asking"))
        return await propose(
            self.asking,
            self.prepared,
            schema,
            prompt=self.prompt,
            showing=self.showing,
            on_part=lambda done, parts: self.bench.report(Progress("asking", done, parts)),
        )

    def estimate(self, schema: Schema) -> float:
        """About what it costs to ask for all of a schema."""
        system = system_prompt(schema, self.prompt)
        asked = (question(system, schema, part, mode="text") for part in self.prepared.parts)
        return sum(self.asking.expected(each).cost for each in asked)


async def inquire(
    bench: Bench, documents: Sequence[SourceDocument], schema: Schema, *, prompt: str | None, outside: Outside | None
) -> Inquiry:
    """Raises NoModel; what is sent is prepared in the sandbox."""
    if outside is None:
        raise NoModel
    asking, showing = outside.asking(), outside.showing
    shows_pages = showing is not None and showing.mode != "text"
    asked = {"schema": schema, "most_characters": None, "most_pages": MOST_PAGES_SHOWN if shows_pages else None}
    answer, _ = await bench.run("prepare_text", documents, asked)
    try:
        prepared = await asyncio.to_thread(_prepared.validate_json, answer)
    except ValidationError as error:
        raise ParserCrashed("What was prepared to be sent is not text of documents.") from error
    return Inquiry(asking, prepared, prompt, showing, bench)
