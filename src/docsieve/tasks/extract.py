"""The task that extracts fields with a local engine: pages and a schema become values with their evidence."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docsieve.domain.extraction import Result
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.registry import local_engine
from docsieve.errors.extractions import EngineFailed, EngineTimeout
from docsieve.sandbox.paths import InputPath
from docsieve.sandbox.task import Task
from docsieve.tasks.documents import SourceDocument, materials

EXTRACTING, GROUNDING = "extracting", "grounding"
"""The stages of this task."""


@dataclass(frozen=True, slots=True)
class WantedFields:
    """What to extract from a document that is being read. Nothing in it comes from other documents, as lessons do."""

    document_id: str
    schema: Schema
    engine: str
    threshold: float

    def of(self, pages: Path, language: str | None, document_class: str) -> "ExtractFields":
        """The task for the document, once it is read."""
        document = SourceDocument(self.document_id, InputPath(pages), language, document_class)
        return ExtractFields((document,), self.schema, self.engine, self.threshold)


@dataclass(frozen=True, slots=True)
class ExtractFields(Task[Result]):
    """`lessons` is what the engine has learned from corrections."""

    crash = EngineFailed
    timeout = EngineTimeout

    documents: tuple[SourceDocument, ...]
    schema: Schema
    engine: str
    threshold: float
    lessons: dict[str, Any] | None = None

    def perform(self, report: OnProgress) -> Result:
        from docsieve.analysis.proof.results import finish

        report(Progress(EXTRACTING))
        documents, engine = materials(self.documents), local_engine(self.engine)
        proposal = engine.propose(documents, self.schema, lessons=self.lessons)
        proposal.usage.pages = sum(len(each.pages) for each in documents)
        report(Progress(GROUNDING))
        return finish(documents, self.schema, proposal, engine=self.engine, threshold=self.threshold)
