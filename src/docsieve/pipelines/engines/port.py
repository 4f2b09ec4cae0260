"""How an extraction is run, whichever engine it names."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec
from docsieve.engines.port import EngineDescription
from docsieve.pipelines.bench import Bench, SourceDocument
from docsieve.pipelines.providers import Providers

Lessons = Mapping[str, Any]
"""What corrections have taught the built-in engine."""


class Engine(Protocol):
    @property
    def about(self) -> EngineDescription: ...

    async def extract(
        self,
        bench: Bench,
        spec: ExtractionSpec,
        documents: Sequence[SourceDocument],
        *,
        lessons: Lessons | None = None,
        providers: Providers | None = None,
    ) -> ExtractionOutcome:
        """Extract from documents in their order. Engines that call out need `providers`; only some use `lessons`.

        Raises as `Sandbox.run` does, NoModel or NoAccount, and what the provider raises.
        """
        ...
