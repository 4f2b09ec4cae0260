"""How an extraction is run, whichever engine it names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec
from docsieve.domain.pages.page import OnProgress
from docsieve.engines.port import EngineDescription
from docsieve.pipelines.providers import Providers
from docsieve.pipelines.workdir import WorkDir
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks.documents import SourceDocument

Lessons = dict[str, Any]
"""What corrections have taught the built-in engine."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """What every engine runs with: the sandbox, a directory for its files, and a callback for its progress."""

    sandbox: Sandbox
    work: WorkDir
    on_progress: OnProgress = lambda _: None


class Engine(Protocol):
    @property
    def about(self) -> EngineDescription: ...

    async def extract(
        self,
        runtime: Runtime,
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
