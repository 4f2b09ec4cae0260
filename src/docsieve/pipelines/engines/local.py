"""Runs an engine that needs no provider: all of it happens in a sandboxed child."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec
from docsieve.engines.port import EngineDescription
from docsieve.pipelines.bench import Bench, SourceDocument
from docsieve.pipelines.engines.port import Lessons
from docsieve.pipelines.engines.results import checked_result
from docsieve.pipelines.providers import Providers


@dataclass(frozen=True, slots=True)
class SandboxedEngine:
    about: EngineDescription

    async def extract(
        self,
        bench: Bench,
        spec: ExtractionSpec,
        documents: Sequence[SourceDocument],
        *,
        lessons: Lessons | None = None,
        providers: Providers | None = None,
    ) -> ExtractionOutcome:
        asked = {
            "schema": spec.schema,
            "engine": self.about.name,
            "lessons": lessons,
            "threshold": spec.threshold,
        }
        answer, _ = await bench.run("extract_fields", documents, asked)
        return ExtractionOutcome(await asyncio.to_thread(checked_result, answer, spec.schema), self.about.version)
