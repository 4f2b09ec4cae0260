"""Reads a document: fetch the bytes, turn them into pages in the sandbox, store the pages, record what was found.

Where its sender or its project names a schema, its fields are extracted in the same job.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from docsieve import faults
from docsieve.db import classes, documents
from docsieve.db.connection.outage import retry_through_outages
from docsieve.db.connection.session import Session
from docsieve.db.documents import ReadResult, Source
from docsieve.disk import needing_room
from docsieve.domain.chunks import PackedChunk
from docsieve.domain.classes import ClassDescription
from docsieve.domain.documents import original_key, pages_key
from docsieve.domain.extraction import ExtractionOutcome
from docsieve.domain.jobs import JobFailure
from docsieve.domain.pagefile import PageIndex
from docsieve.domain.pages import Progress
from docsieve.errors import BlobMissing, NotFound, OriginalDamaged, PagesDamaged
from docsieve.errors.providers import ProviderBusy
from docsieve.jobs import attached
from docsieve.jobs.attached import Children
from docsieve.jobs.extraction_work import ExtractionWork
from docsieve.jobs.intended import UploadExtraction
from docsieve.jobs.outside_work import classifier_of
from docsieve.jobs.scratch import Scratch
from docsieve.logs import get_logger
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines import classifying
from docsieve.pipelines import read as reading
from docsieve.pipelines.ocr import MachineOcr
from docsieve.pipelines.read import Attached, AttachmentsOf, Read, Reader
from docsieve.pipelines.workdir import WorkDir
from docsieve.providers.limits import Limiter
from docsieve.queue.kinds import Attempt, Closing, Snooze
from docsieve.remote.port import RemoteParser
from docsieve.remote.registry import remote_parser
from docsieve.resources import Resources
from docsieve.sandbox.paths import InputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.services.documents import ProcessDocument
from docsieve.services.index import indexing
from docsieve.services.providers.limits import SharedLimits
from docsieve.services.stored_files import download_pages
from docsieve.tasks.analyze import Analysis
from docsieve.tasks.documents import SourceDocument

log = get_logger()

T = TypeVar("T")


class ProcessDocumentHandler:
    def __init__(self, resources: Resources, sandbox: Sandbox, scratch: Scratch) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._scratch = scratch
        self._ocr = MachineOcr(resources.settings.data_dir, memory_mb=resources.settings.parser_memory_mb)

    async def __call__(self, args: ProcessDocument, attempt: Attempt) -> Closing:
        lease = self._resources.settings.lease_seconds

        async def look_up() -> tuple[Source | None, list[ClassDescription], UploadExtraction | None]:
            async with self._resources.database.tenant(attempt.scope) as session:
                source = await documents.source(session, args.document_id)
                intended = None
                if source is not None and not args.repair:
                    intended = await UploadExtraction.look_up(session, source, attempt.job)
                return source, await classes.descriptions(session), intended

        source, own_classes, intended = await retry_through_outages(look_up, seconds=lease)
        if source is None:
            raise NotFound("The document was deleted.")
        with needing_room(self._resources.settings), self._scratch.directory() as directory:
            work = WorkDir(Path(directory))
            # in a thread, because the first of its kind loads what it needs to tell its version
            reading_of = await asyncio.to_thread(
                _Reading, self._resources, self._sandbox, self._ocr, source, own_classes, intended, attempt, work
            )
            attachments_of = "none" if args.repair else attached.of_which(source)
            try:
                return await reading_of.run(force=args.force, attachments_of=attachments_of)
            except ProviderBusy as busy:
                raise Snooze(busy.seconds) from busy


class _Reading:
    """One attempt at one document."""

    def __init__(
        self,
        resources: Resources,
        sandbox: Sandbox,
        ocr: MachineOcr,
        source: Source,
        own_classes: list[ClassDescription],
        intended: UploadExtraction | None,
        attempt: Attempt,
        work: WorkDir,
    ) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._ocr = ocr
        self._source = source
        self._own_classes = own_classes
        self._intended = intended
        self._attempt = attempt
        self._work = work
        self._tenant_id = attempt.job.tenant_id
        self._options = _options(resources, source)
        self._remote = _remote(resources, source)
        self._readers = (
            reading.readers_of(source.media_type, self._options, ocr)
            if self._remote is None
            else [Reader(self._remote.name, self._remote.version)]
        )

    async def run(self, *, force: bool, attachments_of: AttachmentsOf) -> Closing:
        known = await self._already_read() if not force else None
        if known is None:
            read, analysis, attachments = await self._read(attachments_of)
        else:
            reader, index = known
            read = Read(reader, index.page_count, len(index.errors), sum(index.characters), index.media_type)
            analysis = await self._analyse()
            attachments = await self._attachments_of_known_pages(index, attachments_of)
        found = await classifying.improve(
            analysis.classification,
            classifier_of(self._resources, self._attempt, self._source, self._persist),
            analysis.sample,
            self._own_classes,
            document_id=str(self._source.id),
        )
        extraction = await self._extract(analysis, found.name)
        prepared = await self._prepare_search(analysis)
        children = await Children.store(self._resources, self._tenant_id, self._source, attachments)
        result = ReadResult(
            pages_key=self._key(read.reader),
            page_count=read.page_count,
            pages_failed=read.pages_failed,
            characters=read.characters,
            parser=read.reader.name,
            parser_version=read.reader.version,
            cached=known is not None,
            media_type=read.media_type,
            language=analysis.language,
            document_class=found.name,
            class_confidence=found.confidence,
        )
        job, document_id = self._attempt.job, self._source.id

        async def close(session: Session) -> None:
            await documents.record_reading(session, document_id, result, job_id=job.id, attempt=job.attempt)
            await prepared.record(session, document_id, self._source.project_id)
            await children.record(session, max_attempts=self._resources.settings.max_attempts)
            if self._intended is not None and extraction is not None:
                await self._intended.record(session, extraction)

        return close

    async def _extract(self, analysis: Analysis, document_class: str | None) -> ExtractionOutcome | JobFailure | None:
        if self._intended is None:
            return None
        extraction = ExtractionWork(self._resources, self._sandbox, self._attempt)
        document = SourceDocument(str(self._source.id), InputPath(self._work.pages), analysis.language, document_class)
        return await self._intended.run(extraction, document, self._work)

    def _key(self, reader: Reader) -> str:
        only_for = self._source.id if self._source.sealed_password is not None else None
        return pages_key(self._tenant_id, self._source.sha256, reader.name, reader.version, only_for=only_for)

    async def _already_read(self) -> tuple[Reader, PageIndex] | None:
        """What an earlier attempt, or another document with the same bytes, has read is not read again.

        Pages that are damaged are as good as none.
        """
        for reader in self._readers:
            try:
                return reader, await download_pages(self._resources.blobs, self._key(reader), self._work.pages)
            except BlobMissing:
                continue
            except PagesDamaged as error:
                log.warning("pages_damaged", document_id=str(self._source.id), error=error.detail)
        return None

    async def _fetch(self) -> None:
        self._attempt.report(Progress("fetching"))
        await self._resources.blobs.download(original_key(self._tenant_id, self._source.id), self._work.original)
        # pages are shared by this hash, so none may be made of other bytes
        if await asyncio.to_thread(_sha256, self._work.original) != self._source.sha256:
            raise OriginalDamaged
        faults.step("job.blob_fetched")

    async def _read(self, attachments_of: AttachmentsOf) -> tuple[Read, Analysis, list[Attached]]:
        await self._fetch()
        media_type = self._source.media_type
        if self._remote is not None:
            media_type = await self._fetch_answer(self._remote)
        read, analysis, attachments = await reading.read(
            self._sandbox,
            self._ocr,
            self._work,
            media_type=media_type,
            options=self._options,
            own_classes=self._own_classes,
            attachments_of=attachments_of,
            on_progress=self._attempt.report,
        )
        if self._remote is not None:
            read = replace(read, reader=Reader(self._remote.name, self._remote.version))
        faults.step("job.read")
        self._attempt.report(Progress("storing", read.page_count, read.page_count))
        await self._resources.blobs.put_file(self._key(read.reader), self._work.pages)
        faults.step("job.pages_stored")
        return read, analysis, attachments

    async def _fetch_answer(self, remote: RemoteParser) -> str:
        """Have the provider read the document and put its answer in its place; returns the answer's type."""
        answer = self._work.path / "answer"

        async def fetch() -> None:
            await remote.fetch(
                self._work.original, answer, password=self._options.password, on_progress=self._attempt.report
            )

        # Within the provider's limits, but not its budget, which is for extraction only.
        await Limiter(remote.provider, SharedLimits(self._resources.database)).run(fetch)
        await asyncio.to_thread(answer.replace, self._work.original)
        return remote.answer_type

    async def _analyse(self) -> Analysis:
        return await reading.analyze(
            self._sandbox, self._work, own_classes=self._own_classes, on_progress=self._attempt.report
        )

    async def _prepare_search(self, analysis: Analysis) -> indexing.Prepared:
        self._attempt.report(Progress("indexing"))
        chunks = await asyncio.to_thread(_read_chunks, self._work.chunks)
        database, embedders = self._resources.database, self._resources.embedders

        async def prepare() -> indexing.Prepared:
            return await indexing.prepare(
                database,
                embedders,
                self._tenant_id,
                chunks,
                language=analysis.language,
                project_id=self._source.project_id,
                prices=self._resources.prices,
            )

        return await self._persist(prepare)

    async def _persist(self, work: Callable[[], Awaitable[T]], /) -> T:
        return await retry_through_outages(work, seconds=self._resources.settings.lease_seconds)

    async def _attachments_of_known_pages(self, index: PageIndex, attachments_of: AttachmentsOf) -> list[Attached]:
        """The pages are known, but what is attached has yet to become documents of this one."""
        if not index.info.attachments or attachments_of == "none":
            return []
        await self._fetch()
        return await reading.attachments(
            self._sandbox,
            self._work,
            media_type=self._source.media_type,
            options=self._options,
            attachments_of=attachments_of,
            on_progress=self._attempt.report,
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_chunks(path: Path) -> list[PackedChunk]:
    with path.open("rb") as file:
        return [PackedChunk.from_json(line) for line in file]


def _options(resources: Resources, source: Source) -> ReadOptions:
    settings, wishes, sealed = resources.settings, source.reading, source.sealed_password
    return ReadOptions(
        password=resources.sealer.unseal(sealed) if sealed is not None else None,
        max_pages=settings.max_pages,
        ocr_engine=wishes.get("ocr_engine") or settings.ocr_engine,
        ocr_languages=tuple(wishes.get("ocr_languages") or settings.ocr_languages),
    )


def _remote(resources: Resources, source: Source) -> RemoteParser | None:
    name = source.reading.get("parser")
    return remote_parser(resources.remote_parsers, name, source.media_type) if name is not None else None
