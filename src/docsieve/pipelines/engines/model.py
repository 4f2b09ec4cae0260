"""Runs a language model: a child prepares the prompt, the worker sends it, a child grounds the answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from docsieve import faults
from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec, Proposal
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.llm.engine import MODEL_ENGINE, ShownPages
from docsieve.engines.llm.prepare import MAX_PAGES_SHOWN, PreparedText
from docsieve.engines.llm.questions import question, system_prompt
from docsieve.errors.providers import NoModel
from docsieve.pipelines.engines.port import Lessons, Runtime
from docsieve.pipelines.engines.results import finish
from docsieve.pipelines.model_calls import ModelCalls, propose
from docsieve.pipelines.providers import Providers
from docsieve.tasks.documents import SourceDocument
from docsieve.tasks.prepare import PrepareText


class ModelEngine:
    about = MODEL_ENGINE

    async def extract(
        self,
        runtime: Runtime,
        spec: ExtractionSpec,
        documents: Sequence[SourceDocument],
        *,
        lessons: Lessons | None = None,
        providers: Providers | None = None,
    ) -> ExtractionOutcome:
        inquiry = await Inquiry.prepare(runtime, spec, documents, providers)
        proposal = await inquiry.propose(spec.schema)
        faults.step("extract.answered")
        result = await finish(runtime, spec, documents, proposal)
        return ExtractionOutcome(result, self.about.version, inquiry.model_calls.model.name)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Documents that are ready to be sent to one model."""

    model_calls: ModelCalls
    prepared: PreparedText
    prompt: str | None
    shown: ShownPages | None
    on_progress: OnProgress

    @classmethod
    async def prepare(
        cls, runtime: Runtime, spec: ExtractionSpec, documents: Sequence[SourceDocument], providers: Providers | None
    ) -> "Inquiry":
        """Raises NoModel. The text is prepared in the sandbox."""
        if providers is None:
            raise NoModel
        model_calls, shown = providers.model_calls(), providers.shown
        shows_pages = shown is not None and shown.show != "text"
        task = PrepareText(tuple(documents), spec.schema, max_pages=MAX_PAGES_SHOWN if shows_pages else None)
        prepared = await runtime.sandbox.run(task, on_progress=runtime.on_progress)
        return cls(model_calls, prepared, spec.prompt, shown, runtime.on_progress)

    async def propose(self, schema: Schema) -> Proposal:
        """Raises what the provider, the ledger and the limits raise."""
        self.on_progress(Progress("model_calls"))
        return await propose(
            self.model_calls,
            self.prepared,
            schema,
            prompt=self.prompt,
            shown=self.shown,
            on_part=lambda done, parts: self.on_progress(Progress("model_calls", done, parts)),
        )

    def estimate(self, schema: Schema) -> float:
        """The approximate cost, in US dollars, of model_calls for a whole schema."""
        system = system_prompt(schema, self.prompt)
        asked = (question(system, schema, part, show="text") for part in self.prepared.parts)
        return sum(self.model_calls.expected(each).cost for each in asked)
