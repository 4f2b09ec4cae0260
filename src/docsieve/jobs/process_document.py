"""Reads a document: fetch the bytes, turn them into pages in the sandbox, store the pages, record what was found."""

from pathlib import Path

from docsieve import faults
from docsieve.db import documents
from docsieve.db.documents import ReadResult, Source
from docsieve.db.session import Session
from docsieve.domain.documents import original_key, pages_key
from docsieve.domain.pagefile import PageIndex
from docsieve.domain.pages import Progress
from docsieve.errors import BlobMissing, NotFound
from docsieve.jobs import attached
from docsieve.jobs.attached import Children
from docsieve.jobs.scratch import Scratch
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines import reading
from docsieve.pipelines.reading import Attached, Read, Workplace
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
        with self._scratch.directory() as directory:
            return await _Reading(self._resources, self._sandbox, source, attempt, Workplace(Path(directory))).run()


class _Reading:
    """One attempt at one document."""

    def __init__(
        self, resources: Resources, sandbox: Sandbox, source: Source, attempt: Attempt, place: Workplace
    ) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._source = source
        self._attempt = attempt
        self._place = place
        self._tenant_id = attempt.job.tenant_id
        self._options = _options(resources, source)
        self._parser, self._version = reading.reader_of(source.media_type, self._options)

    async def run(self) -> Closing:
        key = self._key()
        index = await self._already_read(key)
        if index is None:
            read, attachments = await self._read(key)
        else:
            read = Read(index.page_count, len(index.errors), sum(index.characters), index.media_type)
            attachments = await self._attachments_of_known_pages(index)
        children = await Children.store(self._resources, self._tenant_id, self._source, attachments)
        result = ReadResult(
            pages_key=key,
            page_count=read.page_count,
            pages_failed=read.pages_failed,
            characters=read.characters,
            parser=self._parser,
            parser_version=self._version,
            cached=index is not None,
            media_type=read.media_type,
        )
        job = self._attempt.job

        async def close(session: Session) -> None:
            await documents.record_reading(session, self._source.id, result, job_id=job.id, attempt=job.attempt)
            await children.record(session, job, max_attempts=self._resources.settings.max_attempts)

        return close

    def _key(self) -> str:
        only_for = self._source.id if self._source.sealed_password is not None else None
        return pages_key(self._tenant_id, self._source.sha256, self._parser, self._version, only_for=only_for)

    async def _already_read(self, key: str) -> PageIndex | None:
        """What an earlier attempt, or another document with the same bytes, has read is not read again."""
        try:
            return await pages.read_index(self._resources.blobs, key)
        except BlobMissing:
            return None

    async def _fetch(self) -> None:
        self._attempt.report(Progress("fetching"))
        await self._resources.blobs.download(original_key(self._tenant_id, self._source.id), self._place.original)
        faults.step("job.blob_fetched")

    async def _read(self, key: str) -> tuple[Read, list[Attached]]:
        await self._fetch()
        read, _, attachments = await reading.read(
            self._sandbox,
            self._place,
            media_type=self._source.media_type,
            options=self._options,
            analysis={},
            attachments_of=attached.of_which(self._source),
            on_progress=self._attempt.report,
        )
        faults.step("job.read")
        self._attempt.report(Progress("storing", read.page_count, read.page_count))
        await self._resources.blobs.put_file(key, self._place.pages)
        faults.step("job.pages_stored")
        return read, attachments

    async def _attachments_of_known_pages(self, index: PageIndex) -> list[Attached]:
        """The pages are known, but what is attached has yet to become documents of this one."""
        if not index.info.attachments or attached.of_which(self._source) == "none":
            return []
        await self._fetch()
        return await reading.attachments(
            self._sandbox,
            self._place,
            media_type=self._source.media_type,
            options=self._options,
            attachments_of=attached.of_which(self._source),
            on_progress=self._attempt.report,
        )


def _options(resources: Resources, source: Source) -> ReadOptions:
    settings, wishes, sealed = resources.settings, source.reading, source.sealed_password
    return ReadOptions(
        password=resources.sealer.unseal(sealed) if sealed is not None else None,
        max_pages=settings.max_pages,
        max_pixels=settings.max_pixels,
        ocr_engine=wishes.get("ocr_engine") or settings.ocr_engine,
        ocr_languages=tuple(wishes.get("ocr_languages") or settings.ocr_languages),
    )
