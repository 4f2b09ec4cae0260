"""Splits a packet in a worker: finds its cuts and writes its parts, each a file with its pages.

A part's pages are stored under the key by which its own job looks for pages, so no part is read again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve import faults
from docsieve.composition import read_options
from docsieve.db.connection.session import Session
from docsieve.db.documents import packets as packets_sql
from docsieve.db.documents.intake import NewDocument
from docsieve.db.documents.packets import Packet
from docsieve.db.documents.rows import Source
from docsieve.domain.documents import original_key, pages_key
from docsieve.domain.ids import new_id
from docsieve.domain.packets import Cut, DetectedSplits, LeftOutPage, PageRange, decided, parts
from docsieve.domain.pages.page import OnProgress
from docsieve.errors import DocumentError
from docsieve.logs import get_logger
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.read import Reader
from docsieve.pipelines.workdir import WorkDir
from docsieve.resources import Resources
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.services.documents import not_found, read_again
from docsieve.services.packets.parts import part_name, settle
from docsieve.services.stored_files import download_original
from docsieve.tasks.split import DetectSplits, WriteParts, can_split

log = get_logger()


@dataclass(frozen=True, slots=True)
class SplitPacket:
    """Cuts that were found and parts that were written, all waiting for their rows.

    `detected` is None if the cuts are those that a person decided. `is_cut` says that there are parts to extract from.
    """

    document_id: UUID
    detected: DetectedSplits | None
    written: dict[PageRange, NewDocument]
    is_cut: bool

    async def record(self, session: Session, *, max_attempts: int) -> list[UUID]:
        """Returns the parts that were there before and stay.

        A person may have changed the cuts while parts were written; `settle` then has the rest written by a job.
        """
        packet = await packets_sql.lock(session, self.document_id)
        if packet is None:
            raise not_found()
        cuts: Sequence[Cut] = packet.cuts
        left_out: Sequence[LeftOutPage] = packet.left_out
        if self.detected is not None:
            cuts, left_out = decided(self.detected.cuts, packet.cuts), list(self.detected.left_out)
        changes = await settle(session, packet, cuts, left_out, written=self.written, max_attempts=max_attempts)
        return changes.kept


class Splitter:
    """One attempt at splitting one document, whose page file is in the working folder."""

    def __init__(
        self, resources: Resources, sandbox: Sandbox, source: Source, work: WorkDir, tenant_id: UUID, report: OnProgress
    ) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._source = source
        self._work = work
        self._tenant_id = tenant_id
        self._report = report

    async def detect(self, packet: Packet, reader: Reader, page_count: int, filename: str) -> SplitPacket:
        """Find the cuts, and write the parts that they and earlier decisions make."""
        await self._fetch_original()
        task = DetectSplits(
            InputPath(self._work.original), InputPath(self._work.pages), self._source.media_type, self._options
        )
        detected = await self._sandbox.run(task, on_progress=self._report)
        faults.step("split.detected")
        skipped = frozenset(page.page for page in detected.left_out)
        wanted = parts(decided(detected.cuts, packet.cuts), skipped, page_count)
        try:
            written = await self.write(wanted, reader, filename)
        except DocumentError as error:
            # the pages were read, so the document is ready; the job that tries again reports why it has no parts
            log.warning("parts_not_written", document_id=str(self._source.id), error=error.code)
            written = {}
        return SplitPacket(self._source.id, detected, written, is_cut=bool(written))

    async def write(self, wanted: Sequence[PageRange], reader: Reader, filename: str) -> dict[PageRange, NewDocument]:
        """Store the files and pages of parts. Until their rows are committed, they are orphans for the sweep."""
        if not wanted:
            return {}
        await self._fetch_original()
        task = WriteParts(
            InputPath(self._work.original),
            InputPath(self._work.pages),
            self._source.media_type,
            self._options,
            OutputPath(self._work.parts),
            list(wanted),
        )
        await self._sandbox.run(task, on_progress=self._report)
        written = {}
        for number, pages in enumerate(wanted):
            part_id = new_id()
            file, page_file = self._work.parts / f"{number}.file", self._work.parts / f"{number}.pages"
            stored = await self._resources.blobs.put_file(original_key(self._tenant_id, part_id), file)
            key = pages_key(self._tenant_id, stored.sha256, reader.name, reader.version)
            await self._resources.blobs.put_file(key, page_file)
            name = part_name(filename, pages)
            written[pages] = NewDocument(part_id, name, self._source.media_type, stored.size, stored.sha256)
        faults.step("split.parts_stored")
        return written

    async def _fetch_original(self) -> None:
        if await asyncio.to_thread(self._work.original.exists):
            return
        await download_original(self._resources.blobs, self._tenant_id, self._source, self._work.original)

    @property
    def _options(self) -> ReadOptions:
        sealed = self._source.sealed_password
        return read_options(
            self._resources.settings, password=self._resources.sealer.unseal(sealed) if sealed is not None else None
        )


def wants_split(source: Source, page_count: int) -> bool:
    """Whether to look for documents in a document."""
    return may_split(source) and page_count > 1


def may_split(source: Source) -> bool:
    """Whether documents are looked for if there are several pages; a part of a packet is not split further."""
    return source.reading.get("split") == "auto" and source.first_page is None and can_split(source.media_type)


async def reprocess_parts(session: Session, source: Source, kept: Sequence[UUID], *, max_attempts: int) -> None:
    """Queue the parts that stay when their packet is reprocessed, with its schema and engine of now."""
    await read_again(
        session,
        dict.fromkeys(kept, source.media_type),
        schema_ref=source.schema_ref,
        engine=source.engine,
        sealed_password=None,
        max_attempts=max_attempts,
    )
