"""Turns an uploaded document into stored pages, or finds those that were stored before."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docsieve import faults
from docsieve.composition import read_options
from docsieve.db.documents.rows import Source
from docsieve.domain.classes import ClassDescription
from docsieve.domain.documents import pages_key
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.pages.pagefile import PageIndex
from docsieve.errors import BlobMissing, PagesDamaged
from docsieve.logs import get_logger
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines import read as reading
from docsieve.pipelines.ocr import MachineOcr
from docsieve.pipelines.read import Attached, AttachmentsOf, Read, Reader
from docsieve.pipelines.workdir import WorkDir
from docsieve.providers.limits import Limiter
from docsieve.remote.port import RemoteParser
from docsieve.remote.registry import remote_parser
from docsieve.resources import Resources
from docsieve.sandbox.pool import Sandbox
from docsieve.services.early_pages import EarlyPages
from docsieve.services.providers.limits import SharedLimits
from docsieve.services.stored_files import download_original, download_pages
from docsieve.tasks.analyze import Analysis
from docsieve.tasks.extract import WantedFields

log = get_logger()


@dataclass(frozen=True, slots=True)
class ReadPages:
    """Pages in the store, under `key`, and in the working folder; `cached` if they were read before."""

    read: Read
    key: str
    cached: bool
    analysis: Analysis
    attachments: list[Attached]


class PageReader:
    """One attempt at reading one document."""

    def __init__(
        self,
        resources: Resources,
        sandbox: Sandbox,
        ocr: MachineOcr,
        source: Source,
        own_classes: Sequence[ClassDescription],
        work: WorkDir,
        job: ClaimedJob,
        report: OnProgress,
    ) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._ocr = ocr
        self._source = source
        self._own_classes = own_classes
        self._work = work
        self._job = job
        self._tenant_id = job.tenant_id
        self._report = report
        self._options = _options(resources, source)
        self._remote = _remote(resources, source)

    async def read(
        self, *, force: bool, attachments_of: AttachmentsOf, fields: WantedFields | None = None
    ) -> ReadPages:
        """With `force`, pages that were stored before are read again. `fields` are extracted at the same time if that
        is cheaper, but never from stored pages."""
        # in a thread, because the first of its kind loads its parser or OCR engine to know the version
        readers = await asyncio.to_thread(self._readers)
        known = await self._find_stored(readers) if not force else None
        if known is None:
            return await self._read(attachments_of, fields)
        reader, index = known
        read = Read(reader, index.page_count, len(index.errors), sum(index.characters), index.media_type)
        analysis = await reading.analyze(
            self._sandbox, self._work, own_classes=self._own_classes, on_progress=self._report
        )
        return ReadPages(
            read,
            self._key(reader),
            cached=True,
            analysis=analysis,
            attachments=await self._attachments(index, attachments_of),
        )

    async def _find_stored(self, readers: Sequence[Reader]) -> tuple[Reader, PageIndex] | None:
        """Pages from an earlier attempt, or from another document with the same bytes. Damaged ones do not count."""
        for reader in readers:
            try:
                return reader, await download_pages(self._resources.blobs, self._key(reader), self._work.pages)
            except BlobMissing:
                continue
            except PagesDamaged as error:
                log.warning("pages_damaged", document_id=str(self._source.id), error=error.detail)
        return None

    async def _read(self, attachments_of: AttachmentsOf, fields: WantedFields | None) -> ReadPages:
        await self._fetch_original()
        media_type = self._source.media_type
        if self._remote is not None:
            media_type = await self._fetch_answer(self._remote)
        early = EarlyPages(self._resources.database, self._job, self._source, self._work)
        async with early.shown(self._report) as report:
            read, analysis, attachments = await reading.read(
                self._sandbox,
                self._ocr,
                self._work,
                media_type=media_type,
                options=self._options,
                own_classes=self._own_classes,
                attachments_of=attachments_of,
                on_progress=report,
                fields=fields,
            )
        if self._remote is not None:
            read = replace(read, reader=Reader(self._remote.name, self._remote.version))
        faults.step("job.read")
        self._report(Progress("storing", read.page_count, read.page_count))
        key = self._key(read.reader)
        await self._resources.blobs.put_file(key, self._work.pages)
        faults.step("job.pages_stored")
        return ReadPages(read, key, cached=False, analysis=analysis, attachments=attachments)

    async def _fetch_original(self) -> None:
        self._report(Progress("fetching"))
        # pages are shared by this hash, so none may be made from different bytes
        await download_original(self._resources.blobs, self._tenant_id, self._source, self._work.original)
        faults.step("job.blob_fetched")

    async def _fetch_answer(self, remote: RemoteParser) -> str:
        """Have the provider read the document, and replace the original by its answer; returns the answer's type."""
        answer = self._work.path / "answer"

        async def fetch() -> None:
            await remote.fetch(self._work.original, answer, password=self._options.password, on_progress=self._report)

        # Within the provider's limits, but not its budget, which is for extraction only.
        await Limiter(remote.provider, SharedLimits(self._resources.database)).run(fetch)
        await asyncio.to_thread(answer.replace, self._work.original)
        return remote.answer_type

    async def _attachments(self, index: PageIndex, attachments_of: AttachmentsOf) -> list[Attached]:
        """Attachments of a document whose pages were stored before: they still have to become documents."""
        if not index.info.attachments or attachments_of == "none":
            return []
        await self._fetch_original()
        return await reading.attachments(
            self._sandbox,
            self._work,
            media_type=self._source.media_type,
            options=self._options,
            attachments_of=attachments_of,
            on_progress=self._report,
        )

    def _readers(self) -> list[Reader]:
        if self._remote is not None:
            return [Reader(self._remote.name, self._remote.version)]
        return reading.readers_of(self._source.media_type, self._options, self._ocr)

    def _key(self, reader: Reader) -> str:
        only_for = self._source.id if self._source.sealed_password is not None else None
        return pages_key(self._tenant_id, self._source.sha256, reader.name, reader.version, only_for=only_for)


def _options(resources: Resources, source: Source) -> ReadOptions:
    sealed = source.sealed_password
    return read_options(
        resources.settings,
        password=resources.sealer.unseal(sealed) if sealed is not None else None,
        ocr_engine=source.reading.get("ocr_engine"),
        ocr_languages=source.reading.get("ocr_languages"),
    )


def _remote(resources: Resources, source: Source) -> RemoteParser | None:
    name = source.reading.get("parser")
    return remote_parser(resources.remote_parsers, name, source.media_type) if name is not None else None
