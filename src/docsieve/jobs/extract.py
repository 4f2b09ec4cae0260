"""Runs a requested extraction: waits until all its documents are unpacked and read, then extracts from their pages."""

from collections.abc import Sequence
from dataclasses import replace

from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.documents import DocumentPart
from docsieve.db.extractions.rows import Extraction
from docsieve.disk import needing_room
from docsieve.domain.classes import OTHER, Classification
from docsieve.domain.documents import IN_PROGRESS
from docsieve.domain.extraction import ExtractionSpec, MissingDocument
from docsieve.domain.pages.page import Progress
from docsieve.errors import DocumentNotReady, EmptyDocument, NotFound
from docsieve.errors.providers import ProviderBusy
from docsieve.pipelines.engines.port import Runtime
from docsieve.pipelines.workdir import WorkDir, WorkDirs
from docsieve.queue.kinds import Attempt, Closing, Snooze
from docsieve.resources import Resources
from docsieve.sandbox.paths import InputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.services.extractions import results
from docsieve.services.extractions.archives import parts_without_archives
from docsieve.services.extractions.by_class import settle_by_class
from docsieve.services.extractions.requests import WAIT_SECONDS, ExtractDocuments
from docsieve.services.extractions.run import ExtractionRun
from docsieve.services.stored_files import download_pages, repaired_if_damaged
from docsieve.tasks.documents import SourceDocument

_PAUSE_SECONDS = 5.0

# The entries of an unpacked archive take its place. One that is still listed has none.
_NEVER_READ = ("failed", "cancelled", "unpacked")


class ExtractDocumentsHandler:
    def __init__(self, resources: Resources, sandbox: Sandbox, workdirs: WorkDirs) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._workdirs = workdirs

    async def __call__(self, args: ExtractDocuments, attempt: Attempt) -> Closing:
        async def look_up() -> tuple[Extraction | None, list[DocumentPart]]:
            async with self._resources.database.tenant(attempt.scope) as session:
                parts = await parts_without_archives(session, args.extraction_id)
                return await extractions.find(session, args.extraction_id), parts

        extraction, parts = await self._resources.persist(look_up)
        if extraction is None:
            raise NotFound("The extraction was deleted.")
        readable, missing = _sorted_out(extraction, parts)
        by_class = extraction.spec.by_class
        spec = await self._settled(extraction, readable, attempt) if by_class else extraction.spec
        extraction = replace(extraction, documents=[part.id for part in readable], spec=spec)
        with needing_room(self._resources.settings), self._workdirs.new() as work:
            documents = await self._fetch(readable, work, attempt)
            run = ExtractionRun(self._resources, attempt.job, Runtime(self._sandbox, work, attempt.report))
            try:
                outcome = await run.extract(extraction, documents)
            except ProviderBusy as busy:
                raise Snooze(busy.seconds) from busy

        async def close(session: Session) -> None:
            job = attempt.job
            if by_class:
                await extractions.set_schema(session, extraction.id, extraction.spec)
            await results.record(session, extraction, outcome, job_id=job.id, attempt=job.attempt, missing=missing)

        return close

    async def _settled(self, extraction: Extraction, parts: Sequence[DocumentPart], attempt: Attempt) -> ExtractionSpec:
        """With the schema that fits the class of the documents. Raises NoSchemaChosen if there is none."""
        found = [Classification(part.document_class or OTHER, part.class_confidence or 0.0) for part in parts]

        async def choose() -> ExtractionSpec:
            async with self._resources.database.tenant(attempt.scope) as session:
                project = await projects.find_by_id(session, extraction.project_id)
                assert project is not None, "a project with documents is not deleted"
                return await settle_by_class(session, project, extraction.spec, found)

        return await self._resources.persist(choose)

    async def _fetch(self, parts: Sequence[DocumentPart], work: WorkDir, attempt: Attempt) -> list[SourceDocument]:
        attempt.report(Progress("fetching"))
        fetched = []
        for number, part in enumerate(parts):
            assert part.pages_key is not None
            pages = InputPath(work.path / f"pages-{number}")
            async with repaired_if_damaged(self._resources, attempt.scope, part.id):
                await download_pages(self._resources.blobs, part.pages_key, pages)
            fetched.append(SourceDocument(str(part.id), pages, part.language, part.document_class))
        return fetched


def _sorted_out(
    extraction: Extraction, parts: Sequence[DocumentPart]
) -> tuple[list[DocumentPart], list[MissingDocument]]:
    """The documents that were read, and those to leave out because they never will be.

    Raises Snooze while a document is being read. Raises NotFound or DocumentNotReady if documents may not be left out,
    or if none would be left.
    """
    readable = [part for part in parts if part.status not in _NEVER_READ]
    missing = [_missing(part) for part in parts if part.status in _NEVER_READ]
    deleted = MissingDocument(None, None, NotFound.code, "The document was deleted.")
    missing += [deleted] * (extraction.document_count - len(parts))
    if missing and not (extraction.allow_missing and readable):
        if missing[0].document_id is None:
            raise NotFound("A document of this extraction was deleted.")
        raise DocumentNotReady(missing[0].message)
    if unread := [part.id for part in readable if part.status in IN_PROGRESS]:
        raise Snooze(WAIT_SECONDS, waits_for=max(unread))
    if any(part.status != "ready" or part.pages_key is None for part in readable):
        raise Snooze(_PAUSE_SECONDS)
    return readable, missing


def _missing(part: DocumentPart) -> MissingDocument:
    if part.status == "unpacked":
        message = f"Archive {part.id} contains no document that can be read."
        return MissingDocument(part.id, part.filename, EmptyDocument.code, message)
    message = f"Document {part.id} has no pages; its status is {part.status}."
    return MissingDocument(part.id, part.filename, part.error_code or DocumentNotReady.code, message)
