"""Processes an uploaded document: read its pages, enrich them, and close by recording everything in one transaction.

Enriching is classifying, extracting fields with the schema that was named or that fits the class, preparing the search
index and storing attachments.
"""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from docsieve.db.connection.session import Session
from docsieve.db.definitions import classes
from docsieve.db.documents import packets
from docsieve.db.documents import rows as documents
from docsieve.db.documents.packets import Packet
from docsieve.db.documents.rows import Document, ReadResult, Source
from docsieve.disk import needing_room
from docsieve.domain.classes import ClassDescription, Classification
from docsieve.domain.extraction import ExtractionOutcome
from docsieve.domain.jobs import JobFailure
from docsieve.domain.pages.chunks import PackedChunk
from docsieve.domain.pages.page import Progress
from docsieve.errors import NotFound
from docsieve.errors.extractions import NoSchemaChosen
from docsieve.errors.providers import ProviderBusy
from docsieve.pipelines.classification import improve
from docsieve.pipelines.engines.port import Runtime
from docsieve.pipelines.ocr import MachineOcr
from docsieve.pipelines.workdir import WorkDir, WorkDirs
from docsieve.queue.kinds import Attempt, Closing, Snooze
from docsieve.resources import Resources
from docsieve.sandbox.paths import InputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.services import attachments
from docsieve.services.attachments import Children
from docsieve.services.documents import ProcessDocument
from docsieve.services.extractions.providers import classifier_of
from docsieve.services.extractions.run import ExtractionRun
from docsieve.services.extractions.upload import UploadExtraction
from docsieve.services.index.chunk_index import Prepared, prepare
from docsieve.services.packets.splitting import SplitPacket, Splitter, may_split, reprocess_parts, wants_split
from docsieve.services.page_reader import PageReader, ReadPages
from docsieve.tasks.documents import SourceDocument
from docsieve.tasks.extract import WantedFields


@dataclass(frozen=True, slots=True)
class _Stored:
    """The document, the tenant's own classes, and the extraction requested with the upload.

    `wanted` is what of it the process that reads the document does at the same time.
    """

    source: Source
    own_classes: list[ClassDescription]
    extraction: UploadExtraction | None
    wanted: WantedFields | None = None


@dataclass(frozen=True, slots=True)
class _Enriched:
    """`no_fields` says why no schema was chosen, if one was to be chosen."""

    classification: Classification
    extraction: UploadExtraction | None
    no_fields: JobFailure | None
    outcome: ExtractionOutcome | JobFailure | None
    index: Prepared
    children: Children


class ProcessDocumentHandler:
    def __init__(self, resources: Resources, sandbox: Sandbox, workdirs: WorkDirs) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._workdirs = workdirs
        self._ocr = MachineOcr(resources.settings.data_dir, memory_mb=resources.settings.parser_memory_mb)

    async def __call__(self, args: ProcessDocument, attempt: Attempt) -> Closing:
        stored = await self._resources.persist(lambda: self._look_up(args, attempt))
        with needing_room(self._resources.settings), self._workdirs.new() as work:
            try:
                pages = await self._read(args, attempt, stored, work)
                packet = None if args.repair else await self._split(attempt, stored, pages, work)
                if packet is not None and packet.is_cut:
                    stored = replace(stored, extraction=None)
                enriched = await self._enrich(attempt, stored, pages, work)
            except ProviderBusy as busy:
                raise Snooze(busy.seconds) from busy

        async def close(session: Session) -> None:
            await self._close(session, attempt, stored, pages, enriched)
            if packet is not None:
                max_attempts = self._resources.settings.max_attempts
                kept = await packet.record(session, max_attempts=max_attempts)
                await reprocess_parts(session, stored.source, kept, max_attempts=max_attempts)

        return close

    async def _look_up(self, args: ProcessDocument, attempt: Attempt) -> _Stored:
        async with self._resources.database.tenant(attempt.scope) as session:
            source = await documents.source(session, args.document_id)
            if source is None:
                raise NotFound("The document was deleted.")
            extraction = None if args.repair else await UploadExtraction.look_up(session, source, attempt.job)
            wanted = None
            if extraction is not None and not may_split(source):
                wanted = await extraction.wanted_while_reading(session)
            return _Stored(source, await classes.descriptions(session), extraction, wanted)

    async def _read(self, args: ProcessDocument, attempt: Attempt, stored: _Stored, work: WorkDir) -> ReadPages:
        reader = PageReader(
            self._resources,
            self._sandbox,
            self._ocr,
            stored.source,
            stored.own_classes,
            work,
            attempt.job,
            attempt.report,
        )
        attachments_of = "none" if args.repair else attachments.wanted_from(stored.source)
        return await reader.read(force=args.force, attachments_of=attachments_of, fields=stored.wanted)

    async def _split(self, attempt: Attempt, stored: _Stored, pages: ReadPages, work: WorkDir) -> SplitPacket | None:
        """Of a packet that is cut, the parts are extracted instead of the whole."""
        source = stored.source
        if not wants_split(source, pages.read.page_count):
            return None

        async def look_up() -> tuple[Document | None, Packet | None]:
            async with self._resources.database.tenant(attempt.scope) as session:
                return await documents.find(session, source.id), await packets.find(session, source.id)

        document, packet = await self._resources.persist(look_up)
        if document is None or packet is None:
            raise NotFound("The document was deleted.")
        splitter = Splitter(self._resources, self._sandbox, source, work, attempt.job.tenant_id, attempt.report)
        return await splitter.detect(packet, pages.read.reader, pages.read.page_count, document.filename)

    async def _enrich(self, attempt: Attempt, stored: _Stored, pages: ReadPages, work: WorkDir) -> _Enriched:
        source, analysis = stored.source, pages.analysis
        classification = await improve(
            analysis.classification,
            classifier_of(self._resources, attempt.job, source),
            analysis.sample,
            stored.own_classes,
            document_id=str(source.id),
        )
        extraction, no_fields = await self._chosen(attempt, stored.extraction, classification)
        outcome = None
        if extraction is not None:
            run = ExtractionRun(self._resources, attempt.job, Runtime(self._sandbox, work, attempt.report))
            document = SourceDocument(str(source.id), InputPath(work.pages), analysis.language, classification.name)
            # what was found as a document of another class does not count
            same_class = classification.name == analysis.classification.name
            outcome = await extraction.run(run, document, pages.read.fields if same_class else None)
        return _Enriched(
            classification,
            extraction,
            no_fields,
            outcome,
            index=await self._index(attempt, source, work, analysis.language),
            children=await Children.store(self._resources, attempt.job.tenant_id, source, pages.attachments),
        )

    async def _chosen(
        self, attempt: Attempt, extraction: UploadExtraction | None, classification: Classification
    ) -> tuple[UploadExtraction | None, JobFailure | None]:
        """The extraction with its schema, or why its document has none."""
        if extraction is None or not extraction.by_class:
            return extraction, None

        async def choose() -> UploadExtraction:
            async with self._resources.database.tenant(attempt.scope) as session:
                return await extraction.classified(session, classification)

        try:
            return await self._resources.persist(choose), None
        except NoSchemaChosen as error:
            return None, JobFailure(error.code, error.detail)

    async def _index(self, attempt: Attempt, source: Source, work: WorkDir, language: str | None) -> Prepared:
        attempt.report(Progress("indexing"))
        chunks = await asyncio.to_thread(_read_chunks, work.chunks)
        return await self._resources.persist(
            lambda: prepare(
                self._resources.database,
                self._resources.embedders,
                attempt.job.tenant_id,
                chunks,
                language=language,
                project_id=source.project_id,
                prices=self._resources.clients.prices,
            )
        )

    async def _close(
        self, session: Session, attempt: Attempt, stored: _Stored, pages: ReadPages, enriched: _Enriched
    ) -> None:
        job, source = attempt.job, stored.source
        result = ReadResult(
            pages_key=pages.key,
            page_count=pages.read.page_count,
            pages_failed=pages.read.pages_failed,
            characters=pages.read.characters,
            parser=pages.read.reader.name,
            parser_version=pages.read.reader.version,
            cached=pages.cached,
            media_type=pages.read.media_type,
            language=pages.analysis.language,
            document_class=enriched.classification.name,
            class_confidence=enriched.classification.confidence,
            no_fields=enriched.no_fields,
        )
        await documents.record_reading(session, source.id, result, job_id=job.id, attempt=job.attempt)
        await enriched.index.record(session, source.id, source.project_id)
        await enriched.children.record(session, max_attempts=self._resources.settings.max_attempts)
        if enriched.extraction is not None and enriched.outcome is not None:
            await enriched.extraction.record(session, enriched.outcome)


def _read_chunks(path: Path) -> list[PackedChunk]:
    with path.open("rb") as file:
        return [PackedChunk.from_json(line) for line in file]
