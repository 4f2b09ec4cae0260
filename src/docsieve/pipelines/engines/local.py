"""Runs an engine that needs no provider: all of it happens in a sandboxed child."""

from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec
from docsieve.engines.port import EngineDescription
from docsieve.pipelines.engines.port import Lessons, Runtime
from docsieve.pipelines.engines.results import checked_result
from docsieve.pipelines.providers import Providers
from docsieve.tasks.documents import SourceDocument
from docsieve.tasks.extract import ExtractFields


@dataclass(frozen=True, slots=True)
class SandboxedEngine:
    about: EngineDescription

    async def extract(
        self,
        runtime: Runtime,
        spec: ExtractionSpec,
        documents: Sequence[SourceDocument],
        *,
        lessons: Lessons | None = None,
        providers: Providers | None = None,
    ) -> ExtractionOutcome:
        task = ExtractFields(tuple(documents), spec.schema, self.about.name, spec.threshold, lessons=lessons)
        result = await runtime.sandbox.run(task, on_progress=runtime.on_progress)
        return ExtractionOutcome(await checked_result(result, spec.schema), self.about.version)
