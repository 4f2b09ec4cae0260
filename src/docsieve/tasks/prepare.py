"""The task that prepares documents for a language model: their pages become parts of text."""

from dataclasses import dataclass

from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.llm.prepare import PreparedText, prepare
from docsieve.errors.extractions import EngineFailed, EngineTimeout
from docsieve.sandbox.task import Task
from docsieve.tasks.documents import SourceDocument, materials


@dataclass(frozen=True, slots=True)
class PrepareText(Task[PreparedText]):
    """`max_pages` limits the pages per part, because their images go with it."""

    crash = EngineFailed
    timeout = EngineTimeout

    documents: tuple[SourceDocument, ...]
    schema: Schema
    max_pages: int | None = None

    def perform(self, report: OnProgress) -> PreparedText:
        report(Progress("extracting"))
        return prepare(materials(self.documents), self.schema, max_pages=self.max_pages)
