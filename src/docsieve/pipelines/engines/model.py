"""Runs a language model: a child prepares what is sent, the worker asks, a child finds the answers on the pages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from docsieve import faults
from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec, Proposal
from docsieve.domain.pages import Progress
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.llm.engine import MODEL_ENGINE, Showing
from docsieve.engines.llm.prepare import MOST_PAGES_SHOWN, PreparedText
from docsieve.engines.llm.questions import question, system_prompt
from docsieve.errors.extractions import EngineFailed
from docsieve.errors.providers import NoModel
from docsieve.pipelines.asking import Asking, propose
from docsieve.pipelines.bench import Bench, SourceDocument
from docsieve.pipelines.engines.port import Lessons
from docsieve.pipelines.engines.results import finish
from docsieve.pipelines.providers import Providers

_prepared = TypeAdapter(PreparedText)


class ModelEngine:
    about = MODEL_ENGINE

    async def extract(
        self,
        bench: Bench,
        spec: ExtractionSpec,
        documents: Sequence[SourceDocument],
        *,
        lessons: Lessons | None = None,
        providers: Providers | None = None,
    ) -> ExtractionOutcome:
        inquiry = await Inquiry.prepare(bench, spec, documents, providers)
        proposal = await inquiry.propose(spec.schema)
        faults.step("extract.answered")
        result = await finish(bench, spec, documents, proposal)
        return ExtractionOutcome(result, self.about.version, inquiry.asking.model.name)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Documents that are ready to be sent to one model."""

    asking: Asking
    prepared: PreparedText
    prompt: str | None
    showing: Showing | None
    bench: Bench

    @classmethod
    async def prepare(
        cls, bench: Bench, spec: ExtractionSpec, documents: Sequence[SourceDocument], providers: Providers | None
    ) -> "Inquiry":
        """Raises NoModel. What is sent is prepared in the sandbox."""
        if providers is None:
            raise NoModel
        asking, showing = providers.asking(), providers.showing
        shows_pages = showing is not None and showing.mode != "text"
        asked = {
            "schema": spec.schema,
            "most_characters": None,
            "most_pages": MOST_PAGES_SHOWN if shows_pages else None,
        }
        answer, _ = await bench.run("prepare_text", documents, asked)
        try:
            prepared = await asyncio.to_thread(_prepared.validate_json, answer)
        except ValidationError as error:
            raise EngineFailed("The text prepared for the language model is invalid.") from error
        return cls(asking, prepared, spec.prompt, showing, bench)

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
        """The approximate cost, in US dollars, of asking for a whole schema."""
        system = system_prompt(schema, self.prompt)
        asked = (question(system, schema, part, mode="text") for part in self.prepared.parts)
        return sum(self.asking.expected(each).cost for each in asked)
