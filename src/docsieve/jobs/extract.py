"""Runs a requested extraction: waits until all its documents are read, then extracts from their pages."""

from collections.abc import Sequence
from datetime import UTC, datetime

from docsieve.db import extractions
from docsieve.db.connection.session import Session
from docsieve.db.extractions import DocumentPart, Extraction
from docsieve.disk import needing_room
from docsieve.domain.pages import Progress
from docsieve.errors import DocumentNotReady, NotFound
from docsieve.errors.providers import ProviderBusy
from docsieve.pipelines.engines.port import Runtime
from docsieve.pipelines.workdir import WorkDir, WorkDirs
from docsieve.queue.kinds import Attempt, Closing, Snooze
from docsieve.resources import Resources
from docsieve.sandbox.paths import InputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.services.extractions import results
from docsieve.services.extractions.requests import ExtractDocuments
from docsieve.services.extractions.run import ExtractionRun
from docsieve.services.stored_files import download_pages, repaired_if_damaged
from docsieve.tasks.documents import SourceDocument

_MIN_WAIT, _MAX_WAIT = 0.5, 30.0
_WAIT_SHARE = 0.25


class ExtractDocumentsHandler:
    def __init__(self, resources: Resources, sandbox: Sandbox, workdirs: WorkDirs) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._workdirs = workdirs

    async def __call__(self, args: ExtractDocuments, attempt: Attempt) -> Closing:
        async def look_up() -> tuple[Extraction | None, list[DocumentPart]]:
            async with self._resources.database.tenant(attempt.scope) as session:
                found = await extractions.find(session, args.extraction_id)
                return found, await extractions.parts(session, args.extraction_id)

        extraction, parts = await self._resources.persist(look_up)
        if extraction is None:
            raise NotFound("The extraction was deleted.")
        _check_ready(extraction, parts)
        with needing_room(self._resources.settings), self._workdirs.new() as work:
            documents = await self._fetch(parts, work, attempt)
            run = ExtractionRun(self._resources, attempt.job, Runtime(self._sandbox, work, attempt.report))
            try:
                outcome = await run.extract(extraction, documents)
            except ProviderBusy as busy:
                raise Snooze(busy.seconds) from busy

        async def close(session: Session) -> None:
            await results.record(session, extraction, outcome, job_id=attempt.job.id, attempt=attempt.job.attempt)

        return close

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


def _check_ready(extraction: Extraction, parts: Sequence[DocumentPart]) -> None:
    """Raises Snooze while a document is being read, and NotFound or DocumentNotReady if one never will be."""
    if len(parts) < extraction.document_count:
        raise NotFound("A document of this extraction was deleted.")
    for part in parts:
        if part.status in ("failed", "cancelled"):
            raise DocumentNotReady(f"Document {part.id} has no pages; its status is {part.status}.")
    if any(part.status != "ready" or part.pages_key is None for part in parts):
        age = (datetime.now(UTC) - extraction.created_at).total_seconds()
        raise Snooze(min(max(age * _WAIT_SHARE, _MIN_WAIT), _MAX_WAIT))
