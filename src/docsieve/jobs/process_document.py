"""Reads a document: fetch the bytes, turn them into pages in the sandbox, store the pages, record them."""

from pathlib import Path
from uuid import UUID

from docsieve import faults
from docsieve.db import documents
from docsieve.db.documents import Source
from docsieve.db.session import Session
from docsieve.domain.documents import original_key, pages_key
from docsieve.domain.pages import Progress
from docsieve.errors import BlobMissing, NotFound
from docsieve.jobs.scratch import Scratch
from docsieve.pipelines import reading
from docsieve.pipelines.reading import Read
from docsieve.queue.kinds import Attempt, Closing
from docsieve.resources import Resources
from docsieve.sandbox.pool import Sandbox
from docsieve.services import pages
from docsieve.services.documents import ProcessDocument


class ProcessDocumentHandler:
    def __init__(self, resources: Resources, sandbox: Sandbox, scratch: Scratch) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._scratch = scratch

    async def __call__(self, args: ProcessDocument, attempt: Attempt) -> Closing:
        async with self._resources.database.tenant(attempt.scope) as session:
            source = await documents.source(session, args.document_id)
        if source is None:
            raise NotFound("The document was deleted.")
        key = self._key(attempt.job.tenant_id, source)
        read = await self._already_read(key) or await self._read(source, key, attempt)

        async def close(session: Session) -> None:
            await documents.record_pages(
                session,
                source.id,
                pages_key=key,
                page_count=read.page_count,
                pages_failed=read.pages_failed,
                characters=read.characters,
                job_id=attempt.job.id,
                attempt=attempt.job.attempt,
            )

        return close

    def _key(self, tenant_id: UUID, source: Source) -> str:
        parser, version = reading.reader_of(source.media_type)
        only_for = source.id if source.sealed_password is not None else None
        return pages_key(tenant_id, source.sha256, parser, version, only_for=only_for)

    async def _already_read(self, key: str) -> Read | None:
        """What an earlier attempt, or another document with the same bytes, has read is not read again."""
        try:
            index = await pages.read_index(self._resources.blobs, key)
        except BlobMissing:
            return None
        return Read(index.page_count, len(index.errors), sum(index.characters))

    async def _read(self, source: Source, key: str, attempt: Attempt) -> Read:
        blobs, sealer = self._resources.blobs, self._resources.sealer
        with self._scratch.directory() as directory:
            original, output = Path(directory, "original"), Path(directory, "pages")
            attempt.report(Progress("fetching"))
            await blobs.download(original_key(attempt.job.tenant_id, source.id), original)
            faults.step("job.blob_fetched")
            read = await reading.read(
                self._sandbox,
                original,
                output,
                media_type=source.media_type,
                password=sealer.unseal(source.sealed_password) if source.sealed_password is not None else None,
                max_pages=self._resources.settings.max_pages,
                on_progress=attempt.report,
            )
            faults.step("job.read")
            attempt.report(Progress("storing", read.page_count, read.page_count))
            await blobs.put_file(key, output)
            faults.step("job.pages_stored")
        return read
