"""Runs an engine that needs no provider: all of it happens in a sandboxed child."""

import asyncio
from dataclasses import dataclass

from docsieve.engines.port import EngineDescription
from docsieve.pipelines.bench import Bench
from docsieve.pipelines.engines.port import Extracted, ExtractionRequest
from docsieve.pipelines.engines.results import checked_result
from docsieve.pipelines.providers import Providers


@dataclass(frozen=True, slots=True)
class SandboxedEngine:
    about: EngineDescription

    async def extract(self, bench: Bench, request: ExtractionRequest, providers: Providers | None = None) -> Extracted:
        asked = {
            "schema": request.schema,
            "engine": self.about.name,
            "lessons": request.lessons,
            "threshold": request.threshold,
        }
        answer, _ = await bench.run("extract_fields", request.documents, asked)
        return Extracted(await asyncio.to_thread(checked_result, answer, request.schema), self.about.version)
