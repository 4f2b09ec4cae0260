"""The extraction that comes with an upload: settled when reading begins, recorded when it ends.

A schema that depends on the class of the document is settled once that is known. If the extraction fails for good, the
document is still ready, and the extraction says why it failed.
"""

import hashlib
from dataclasses import dataclass, replace
from typing import Self
from uuid import UUID

from docsieve.db.access import projects
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.db.documents.rows import Source
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.rows import NewExtraction
from docsieve.domain.classes import Classification
from docsieve.domain.extraction import DEFAULT_ENGINE, ExtractionOutcome, ExtractionSpec, Result
from docsieve.domain.ids import id_at
from docsieve.domain.jobs import ClaimedJob, JobFailure
from docsieve.domain.schemas.choice import NONE, choice_name
from docsieve.errors import AttemptError, DocsieveError
from docsieve.errors.extractions import UnknownSchema
from docsieve.errors.providers import ProviderBusy
from docsieve.logs import get_logger
from docsieve.pipelines.engines.registry import engine_named
from docsieve.services.extractions import results
from docsieve.services.extractions.by_class import settle_by_class
from docsieve.services.extractions.requests import ExtractionOptions, settle
from docsieve.services.extractions.run import ExtractionRun, learned
from docsieve.tasks.documents import SourceDocument
from docsieve.tasks.extract import WantedFields

log = get_logger()


@dataclass(frozen=True, slots=True)
class UploadExtraction:
    """`failure` says why it cannot even begin."""

    new: NewExtraction
    job: ClaimedJob
    project: Project
    failure: JobFailure | None = None

    @classmethod
    async def look_up(cls, session: Session, source: Source, job: ClaimedJob) -> Self | None:
        """None if the document is only to be read: a document of a batch gets its fields from there."""
        project = await projects.find_by_id(session, source.project_id)
        if project is None or project.schema_for(source.schema_ref) == NONE:
            return None
        if source.in_batch and source.schema_ref is None:
            return None
        spec, failure = await _settled(session, project, source)
        new = NewExtraction(id=_id_of(job), project_id=project.id, job_id=job.id, documents=[source.id], spec=spec)
        return cls(new, job, project, failure)

    @property
    def by_class(self) -> bool:
        """Whether the schema is still to be chosen, by the class of the document."""
        return self.failure is None and self.new.spec.by_class

    async def classified(self, session: Session, found: Classification) -> Self:
        """The same with its schema. Raises NoSchemaChosen if the document has a class without one."""
        try:
            spec = await settle_by_class(session, self.project, self.new.spec, [found])
        except UnknownSchema as error:
            return replace(self, failure=JobFailure(error.code, error.detail))
        return replace(self, new=replace(self.new, spec=spec))

    async def wanted_while_reading(self, session: Session) -> WantedFields | None:
        """What the process that reads the document can extract too, knowing nothing of other documents.

        None if the schema depends on the class, the engine calls out, or it has lessons from other documents.
        """
        spec = self.new.spec
        if self.failure is not None or spec.by_class:
            return None
        engine = engine_named(spec.engine).about
        if engine.calls_out or await learned(session, spec, engine) is not None:
            return None
        return WantedFields(str(self.new.documents[0]), spec.schema, spec.engine, spec.threshold)

    async def run(
        self, run: ExtractionRun, document: SourceDocument, found: Result | None = None
    ) -> ExtractionOutcome | JobFailure:
        """`found` is what was extracted while the document was read.

        Raises what a retry may cure, unless this is the last attempt; ProviderBusy always.
        """
        if self.failure is not None:
            return self.failure
        try:
            return await run.extract(self.new, [document], found)
        except ProviderBusy:
            raise
        except DocsieveError as error:
            if not error.permanent and not (isinstance(error, AttemptError) and self.job.last_attempt):
                raise
            log.warning("extraction_failed", job_id=self.job.id, extraction_id=self.new.id, error=error.code)
            return JobFailure(error.code, error.detail)

    async def record(self, session: Session, outcome: ExtractionOutcome | JobFailure) -> None:
        await extractions.begin(session, self.new)
        await results.record(session, self.new, outcome, job_id=self.job.id, attempt=self.job.attempt)


async def _settled(session: Session, project: Project, source: Source) -> tuple[ExtractionSpec, JobFailure | None]:
    """With a failure, the specification contains only the request."""
    try:
        options = ExtractionOptions(schema_ref=source.schema_ref, engine=source.engine)
        return await settle(session, project, options), None
    except DocsieveError as error:
        if not error.permanent:
            raise
        asked = ExtractionSpec(
            schema={},
            schema_name=choice_name(project.schema_for(source.schema_ref)),
            engine=source.engine or project.engine or DEFAULT_ENGINE,
        )
        return asked, JobFailure(error.code, error.detail)


def _id_of(job: ClaimedJob) -> UUID:
    """The same in all attempts of the job, so that answers cached for the extraction are found again."""
    return id_at(job.id.int >> 80, int.from_bytes(hashlib.sha256(job.id.bytes).digest()[:10]))
