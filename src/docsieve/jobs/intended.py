"""The extraction that comes with an upload: settled with the reading's beginning, written with its end.

What goes wrong with it for good costs the document nothing: that is read, and the extraction says why it failed.
"""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID

from docsieve.db import extractions
from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.db.documents import Source
from docsieve.db.extractions import NewExtraction, Written
from docsieve.domain.extraction import DEFAULT_ENGINE, DEFAULT_THRESHOLD
from docsieve.domain.ids import id_at
from docsieve.domain.jobs import ClaimedJob, JobFailure
from docsieve.errors import AttemptError, DocsieveError
from docsieve.errors.providers import ProviderBusy
from docsieve.jobs.extraction_work import ExtractionWork
from docsieve.logs import get_logger
from docsieve.pipelines.bench import SourceDocument
from docsieve.services import extractions as service
from docsieve.services.extractions import Wishes

log = get_logger()


@dataclass(frozen=True, slots=True)
class Performed:
    """An extraction that ended and waits for its row."""

    new: NewExtraction
    written: Written

    async def record(self, session: Session) -> None:
        await extractions.begin(session, self.new)
        await service.record(session, self.new, self.written)


@dataclass(frozen=True, slots=True)
class Intended:
    """`failure` says that it cannot even begin."""

    new: NewExtraction
    failure: JobFailure | None = None

    @classmethod
    async def look_up(cls, session: Session, source: Source, job: ClaimedJob) -> "Intended | None":
        """None where neither the sender nor the project names a schema."""
        project = await projects.find_by_id(session, source.project_id)
        if project is None or (source.schema_ref is None and project.schema_ref is None):
            return None
        settled, failure = None, None
        try:
            settled = await service.plan(session, project, Wishes(schema_ref=source.schema_ref, engine=source.engine))
        except DocsieveError as error:
            if not error.permanent:
                raise
            failure = JobFailure(error.code, error.detail)
        said = (
            asdict(settled)
            if settled is not None
            else {
                "schema": {},
                "schema_name": source.schema_ref or project.schema_ref,
                "engine": source.engine or project.engine or DEFAULT_ENGINE,
                "threshold": DEFAULT_THRESHOLD,
            }
        )
        new = NewExtraction(id=_id_of(job), project_id=project.id, job_id=job.id, documents=[source.id], **said)
        return cls(new, failure)

    async def perform(self, work: ExtractionWork, document: SourceDocument, folder: Path, job: ClaimedJob) -> Performed:
        """Raises what may pass, unless this is the last attempt; ProviderBusy always."""
        if self.failure is not None:
            return self._failed(job, self.failure)
        try:
            return Performed(self.new, await work.run(self.new, [document], folder))
        except ProviderBusy:
            raise
        except DocsieveError as error:
            if not error.permanent and not (isinstance(error, AttemptError) and job.last_attempt):
                raise
            log.warning("extraction_failed", job_id=job.id, extraction_id=self.new.id, error=error.code)
            return self._failed(job, JobFailure(error.code, error.detail))

    def _failed(self, job: ClaimedJob, failure: JobFailure) -> Performed:
        return Performed(self.new, Written(job.id, job.attempt, failure=failure))


def _id_of(job: ClaimedJob) -> UUID:
    """The same in all attempts of the job, so that answers which were kept for the extraction are found again."""
    return id_at(job.id.int >> 80, int.from_bytes(hashlib.sha256(job.id.bytes).digest()[:10]))
