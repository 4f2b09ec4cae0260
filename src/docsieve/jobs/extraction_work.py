"""One extraction by one attempt: what it needs is looked up, the pipeline runs, how it ended waits to be written."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from docsieve import faults
from docsieve.db import documents as documents_sql
from docsieve.db import lessons
from docsieve.db.access import projects
from docsieve.db.connection.outage import retry_through_outages
from docsieve.db.documents import Source
from docsieve.db.extractions import Extraction, NewExtraction
from docsieve.domain.extraction import DEFAULT_ENGINE, ExtractionOutcome, ExtractionSpec
from docsieve.domain.pages import Progress
from docsieve.domain.prompts import filled
from docsieve.engines.port import EngineDescription
from docsieve.errors import NotFound
from docsieve.jobs.outside_work import OutsideWork
from docsieve.pipelines.engines.port import Runtime
from docsieve.pipelines.engines.registry import engine_named
from docsieve.pipelines.workdir import WorkDir
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks.documents import SourceDocument

T = TypeVar("T")

Asked = Extraction | NewExtraction


@dataclass(slots=True)
class _Known:
    """What the database says: version and content of the lessons in use, the project's name, and the documents."""

    lessons: tuple[int, dict[str, Any]] | None
    project: str | None
    sources: list[Source] = field(default_factory=list)


class ExtractionWork:
    def __init__(self, resources: Resources, sandbox: Sandbox, attempt: Attempt) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._attempt = attempt

    async def run(self, asked: Asked, documents: Sequence[SourceDocument], work: WorkDir) -> ExtractionOutcome:
        """No transaction is open while an engine thinks or a provider is asked."""
        self._attempt.report(Progress("extracting"))
        engine = engine_named(asked.spec.engine)
        known = await self._persist(lambda: self._look_up(asked, engine.about))
        runtime = Runtime(self._sandbox, work, self._attempt.report)
        providers = None
        if engine.about.calls_out:
            providers = OutsideWork(
                self._resources, self._attempt, runtime, asked, engine.about, documents, known.sources, self._persist
            ).opened()
        lessons_version, learned = known.lessons if known.lessons is not None else (None, None)
        spec = replace(asked.spec, prompt=_prompt(asked.spec, documents[0], known.project))
        outcome = await engine.extract(runtime, spec, documents, lessons=learned, providers=providers)
        faults.step("extract.finished")
        return replace(outcome, lessons_version=lessons_version)

    async def _look_up(self, asked: Asked, engine: EngineDescription) -> _Known:
        async with self._resources.database.tenant(self._attempt.scope) as session:
            project = await projects.find_by_id(session, asked.project_id)
            name = asked.spec.schema_name
            learned = None
            if name is not None and engine.learns:
                learned = await lessons.active(session, name, DEFAULT_ENGINE)
            known = _Known(learned, project.name if project is not None else None)
            for document_id in asked.documents if engine.calls_out else ():
                source = await documents_sql.source(session, document_id)
                if source is None:
                    raise NotFound("A document of this extraction was deleted.")
                known.sources.append(source)
            return known

    async def _persist(self, work: Callable[[], Awaitable[T]], /) -> T:
        return await retry_through_outages(work, seconds=self._resources.settings.lease_seconds)


def _prompt(spec: ExtractionSpec, first: SourceDocument, project: str | None) -> str | None:
    if spec.prompt is None:
        return None
    values = {"project": project, "schema": spec.schema_ref, "language": first.language, "class": first.document_class}
    return filled(spec.prompt, values)
