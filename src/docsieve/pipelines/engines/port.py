"""How an extraction is run, whichever engine it names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from docsieve.domain.extraction import DEFAULT_ENGINE, DEFAULT_THRESHOLD, Result
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.port import EngineDescription
from docsieve.pipelines.bench import Bench, SourceDocument
from docsieve.pipelines.providers import Providers


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """What is asked of which documents, in their order; `lessons` is what corrections have taught the engine."""

    documents: Sequence[SourceDocument]
    schema: Schema
    engine: str = DEFAULT_ENGINE
    threshold: float = DEFAULT_THRESHOLD
    lessons: Mapping[str, Any] | None = None
    prompt: str | None = None


@dataclass(slots=True)
class Extracted:
    """`model` is who was asked outside, where somebody was."""

    result: Result
    engine_version: str
    model: str | None = None


class Engine(Protocol):
    """`providers` are required by engines that call out, and unused by all others."""

    @property
    def about(self) -> EngineDescription: ...

    async def extract(self, bench: Bench, request: ExtractionRequest, providers: Providers | None) -> Extracted:
        """Raises as `Sandbox.run` does, NoModel or NoAccount, and what the provider raises."""
        ...
