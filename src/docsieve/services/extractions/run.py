"""One attempt at an extraction: look up what it needs, run its engine, return the outcome."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docsieve import faults
from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.db.documents import rows as documents_sql
from docsieve.db.documents.rows import Source
from docsieve.db.extractions import lessons
from docsieve.db.extractions.rows import Extraction, NewExtraction
from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec, FailedEngine, Result
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.pages.page import Progress
from docsieve.domain.prompts import filled
from docsieve.domain.scope import Scope
from docsieve.engines.port import EngineDescription
from docsieve.errors import AttemptError, DocsieveError, NotFound
from docsieve.errors.providers import ProviderBusy, ProviderDown
from docsieve.logs import get_logger
from docsieve.pipelines.engines.port import Runtime
from docsieve.pipelines.engines.registry import engine_named
from docsieve.pipelines.engines.results import checked_result
from docsieve.resources import Resources
from docsieve.services.extractions.providers import ExtractionProviders
from docsieve.tasks.documents import SourceDocument

log = get_logger()


@dataclass(slots=True)
class _Stored:
    """What the database holds: version and content of the active lessons, the project's name, and the documents."""

    lessons: tuple[int, dict[str, Any]] | None
    project: str | None
    sources: list[Source] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ExtractionRun:
    """Runs extractions on behalf of one attempt at a job."""

    resources: Resources
    job: ClaimedJob
    runtime: Runtime

    async def extract(
        self,
        extraction: Extraction | NewExtraction,
        documents: Sequence[SourceDocument],
        found: Result | None = None,
    ) -> ExtractionOutcome:
        """If the engine fails for good, or its provider is down, the fallback engine takes its place.

        `found` is what the engine found while the document was read, without lessons; it is only checked.
        """
        spec = extraction.spec
        try:
            if found is not None:
                return await self._checked(spec, found)
            return await self._extract(extraction, documents)
        except DocsieveError as error:
            if spec.fallback_engine in (None, spec.engine) or not self._gives_up(error):
                raise
            failed = FailedEngine(spec.engine, error.code, error.detail)
        log.warning("extraction_falls_back", extraction_id=extraction.id, engine=failed.engine, error=failed.code)
        instead = replace(extraction, spec=replace(spec, engine=spec.fallback_engine))
        return replace(await self._extract(instead, documents), fallback_from=failed)

    async def _checked(self, spec: ExtractionSpec, found: Result) -> ExtractionOutcome:
        outcome = ExtractionOutcome(await checked_result(found, spec.schema), engine_named(spec.engine).about.version)
        faults.step("extract.finished")
        return outcome

    def _gives_up(self, error: DocsieveError) -> bool:
        """Whether neither waiting nor another attempt would help, and another engine might."""
        if isinstance(error, NotFound):
            return False
        if isinstance(error, ProviderBusy):
            return isinstance(error, ProviderDown)
        return error.permanent or (isinstance(error, AttemptError) and self.job.last_attempt)

    async def _extract(
        self, extraction: Extraction | NewExtraction, documents: Sequence[SourceDocument]
    ) -> ExtractionOutcome:
        """No transaction is open while an engine works or a provider is called."""
        self.runtime.on_progress(Progress("extracting"))
        engine = engine_named(extraction.spec.engine)
        stored = await self.resources.persist(lambda: self._look_up(extraction, engine.about))
        providers = None
        if engine.about.calls_out:
            providers = ExtractionProviders(
                self.resources, self.job.tenant_id, self.runtime, extraction, documents, stored.sources
            ).open(engine.about)
        lessons_version, taught = stored.lessons if stored.lessons is not None else (None, None)
        spec = replace(extraction.spec, prompt=_prompt(extraction.spec, documents[0], stored.project))
        outcome = await engine.extract(self.runtime, spec, documents, lessons=taught, providers=providers)
        faults.step("extract.finished")
        return replace(outcome, lessons_version=lessons_version)

    async def _look_up(self, extraction: Extraction | NewExtraction, engine: EngineDescription) -> _Stored:
        async with self.resources.database.tenant(Scope(self.job.tenant_id)) as session:
            project = await projects.find_by_id(session, extraction.project_id)
            taught = await learned(session, extraction.spec, engine)
            stored = _Stored(taught, project.name if project is not None else None)
            for document_id in extraction.documents if engine.calls_out else ():
                source = await documents_sql.source(session, document_id)
                if source is None:
                    raise NotFound("A document of this extraction was deleted.")
                stored.sources.append(source)
            return stored


async def learned(
    session: Session, spec: ExtractionSpec, engine: EngineDescription
) -> tuple[int, dict[str, Any]] | None:
    """Version and content of what corrections have taught the engine about the schema."""
    if spec.schema_name is None or engine.lessons_of is None:
        return None
    return await lessons.active(session, spec.schema_name, engine.lessons_of)


def _prompt(spec: ExtractionSpec, first: SourceDocument, project: str | None) -> str | None:
    if spec.prompt is None:
        return None
    values = {"project": project, "schema": spec.schema_ref, "language": first.language, "class": first.document_class}
    return filled(spec.prompt, values)
