"""The tasks that finish what a provider proposed: find values on the pages, check them, and score them."""

from dataclasses import dataclass, replace

from docsieve.domain.extraction import Proposal, Result
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.azure.engine import AZURE_ENGINE, propose_from_analyses
from docsieve.errors.extractions import EngineFailed, EngineTimeout
from docsieve.sandbox.paths import InputPath
from docsieve.sandbox.task import Task
from docsieve.tasks.documents import SourceDocument, materials


@dataclass(frozen=True, slots=True)
class FinishProposal(Task[Result]):
    crash = EngineFailed
    timeout = EngineTimeout

    documents: tuple[SourceDocument, ...]
    schema: Schema
    engine: str
    threshold: float
    proposal: Proposal

    def perform(self, report: OnProgress) -> Result:
        from docsieve.analysis.proof.results import finish

        report(Progress("extracting"))
        documents = materials(self.documents)
        pages = sum(len(each.pages) for each in documents)
        proposal = replace(self.proposal, usage=replace(self.proposal.usage, pages=pages))
        report(Progress("grounding"))
        return finish(documents, self.schema, proposal, engine=self.engine, threshold=self.threshold)


@dataclass(frozen=True, slots=True)
class FinishAnalyses(Task[Result]):
    """`analyses` are the answers of Azure's prebuilt models, one per document and in the same order."""

    crash = EngineFailed
    timeout = EngineTimeout

    documents: tuple[SourceDocument, ...]
    analyses: tuple[InputPath, ...]
    schema: Schema
    threshold: float

    def perform(self, report: OnProgress) -> Result:
        from docsieve.analysis.proof.results import finish

        report(Progress("extracting"))
        documents = materials(self.documents)
        answers = [path.read_bytes() for path in self.analyses]
        proposal = propose_from_analyses(answers, documents, self.schema)
        return finish(documents, self.schema, proposal, engine=AZURE_ENGINE.name, threshold=self.threshold)
