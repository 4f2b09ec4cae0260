"""Runs a cascade: the built-in engine, then a model for the weak fields, then both together on the page."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from docsieve import faults
from docsieve.domain.extraction import DEFAULT_ENGINE, ExtractionOutcome, ExtractionSpec, Proposal, Result
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.engines.llm.cascade import CASCADE_ENGINE, combined, sub_schema, weak_patterns
from docsieve.engines.registry import local_engine
from docsieve.pipelines.engines.local import SandboxedEngine
from docsieve.pipelines.engines.model import Inquiry
from docsieve.pipelines.engines.port import Lessons, Runtime
from docsieve.pipelines.engines.results import finish
from docsieve.pipelines.providers import Providers
from docsieve.tasks.documents import SourceDocument

Stronger = Callable[[Schema], Awaitable[Proposal]]
Finish = Callable[[Proposal], Awaitable[Result]]
Estimate = Callable[[Schema], float]
"""The approximate cost, in US dollars, of model_calls the stronger engine to fill a schema for these documents."""


class CascadeEngine:
    about = CASCADE_ENGINE

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
        first = SandboxedEngine(local_engine(DEFAULT_ENGINE).about)
        local = await first.extract(runtime, spec, documents, lessons=lessons)

        async def finish_both(proposal: Proposal) -> Result:
            faults.step("extract.answered")
            return await finish(runtime, spec, documents, proposal)

        cascade = Cascade(
            spec.schema,
            [each.id for each in documents],
            stronger=inquiry.propose,
            finish=finish_both,
            estimate=inquiry.estimate,
        )
        version = f"{self.about.version} ({first.about.name} {local.engine_version})"
        return ExtractionOutcome(await cascade.improve(local.result), version, inquiry.model_calls.model.name)


@dataclass(frozen=True, slots=True)
class Cascade:
    """`document_ids` are in the extraction's order."""

    schema: Schema
    document_ids: Sequence[str]
    stronger: Stronger
    finish: Finish
    estimate: Estimate

    async def improve(self, local: Result) -> Result:
        """Return the local result if every field is certain; otherwise combine both engines' values and finish again.

        `usage.saved` is how much more it would have cost to ask for every field.
        """
        asked = weak_patterns(self.schema, local)
        whole = self.estimate(self.schema)
        if not asked:
            return self._with_usage(local, asked, saved=whole)
        wanted = self.schema if len(asked) == len(fields_of(self.schema)) else sub_schema(self.schema, asked)
        said = await self.stronger(wanted)
        proposal = combined(self.schema, local, said, asked, self.document_ids)
        finished = await self.finish(proposal)
        return self._with_usage(replace(finished, usage=proposal.usage), asked, saved=whole - self.estimate(wanted))

    def _with_usage(self, result: Result, asked: Sequence[str], *, saved: float) -> Result:
        usage = result.usage
        cascade = {"asked": list(asked), "fields": len(fields_of(self.schema))}
        details = {**usage.details, "cascade": cascade}
        return replace(result, usage=replace(usage, saved=round(usage.saved + max(saved, 0.0), 9), details=details))
