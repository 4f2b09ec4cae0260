"""Shows the pages of a long document while it is being read for the first time.

The reader appends to a page file and to the chunks, and what is new there is published from time to time, behind the
fence of the attempt. A later attempt begins again, and the end of the reading replaces all of it.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice, takewhile
from uuid import UUID

from docsieve import faults
from docsieve.db.connection.session import Database
from docsieve.db.documents import early_pages as rows
from docsieve.db.documents.rows import Source
from docsieve.db.index import chunks as chunk_rows
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.pages.chunks import PackedChunk
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.pages.pagefile import frame_json, page_text, pages_so_far
from docsieve.domain.scope import Scope
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger
from docsieve.pipelines.workdir import WorkDir
from docsieve.services.index.chunk_index import EARLY_STEMMING, index_early

log = get_logger()

# Most documents have been read by then. Later slices are larger, so that a long document has a few dozen of them.
_FIRST_SECONDS = 1.0
_SHARE = 0.2
_PAGES_AT_ONCE = 50
_CHUNKS_AT_ONCE = 500
_MAX_PAGE_BYTES = 1024**2


async def page_json(database: Database, scope: Scope, document_id: UUID, number: int) -> bytes | None:
    """A page of a document that is being read."""
    async with database.tenant(scope) as session:
        frame = await rows.page(session, document_id, number)
    return frame_json(frame) if frame is not None else None


async def texts(database: Database, scope: Scope, document_id: UUID) -> list[str]:
    """The texts of the pages that have been read."""
    found: list[str] = []
    while True:
        async with database.tenant(scope) as session:
            frames = await rows.pages(session, document_id, after=len(found), limit=_PAGES_AT_ONCE)
        found += [page_text(frame_json(frame)) for frame in frames]
        if len(frames) < _PAGES_AT_ONCE:
            return found


@dataclass(slots=True)
class _Place:
    """How much of the reader's files is published."""

    pages: int = 0
    pages_at: int = 0
    chunks_at: int = 0


class EarlyPages:
    """Publishes what one attempt has read so far."""

    def __init__(self, database: Database, job: ClaimedJob, source: Source, work: WorkDir) -> None:
        self._database = database
        self._job = job
        self._source = source
        self._work = work
        self._ended = asyncio.Event()
        self._news = asyncio.Event()
        self._reported = 0
        self._place = _Place()

    @asynccontextmanager
    async def shown(self, report: OnProgress) -> AsyncIterator[OnProgress]:
        """While the body reads the document and reports its progress to what this returns."""

        def watched(progress: Progress) -> None:
            self._hear(progress)
            report(progress)

        publishing = asyncio.ensure_future(self._follow())
        try:
            yield watched
        finally:
            self._ended.set()
            await publishing

    def _hear(self, progress: Progress) -> None:
        if progress.stage != "reading" or progress.page is None:
            return
        if progress.page < self._reported:
            self._place = _Place()  # begun again, with another OCR backend
        self._reported = progress.page
        if progress.page > 0:
            self._news.set()

    async def publish(self) -> bool:
        """Publish what was written since the last time.

        False if the job is no longer ours, or if there are pages of an earlier reading, which stay until the end.
        """
        while slice_ := await asyncio.to_thread(self._read, self._place):
            if not await self._write(*slice_):
                return False
        return True

    async def _follow(self) -> None:
        began = time.monotonic()
        while await self._is_due(max(_FIRST_SECONDS, _SHARE * (time.monotonic() - began))):
            self._news.clear()
            try:
                if not await self.publish():
                    return
            except DatabaseUnavailable as error:
                # it may have been written all the same
                self._place = _Place()
                log.warning("pages_not_shown", document_id=str(self._source.id), error=error.reason)

    async def _is_due(self, seconds: float) -> bool:
        """When this time has passed and a page was read. False after the last page, or if all were read by then."""
        ended = asyncio.ensure_future(self._ended.wait())
        news = asyncio.ensure_future(self._news.wait())
        await asyncio.wait([ended], timeout=seconds)
        await asyncio.wait([ended, news], return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        news.cancel()
        return self._news.is_set() and (self._place.pages > 0 or not self._ended.is_set())

    def _read(self, place: _Place) -> "tuple[_Place, _Place, list[bytes], list[PackedChunk]] | None":
        """What was written after a place, with the place after that.

        A chunk is written after its pages. A page that is too large, and what follows it, is shown at the end.
        """
        try:
            with self._work.chunks.open("rb") as file:
                file.seek(place.chunks_at)
                lines = [line for line in islice(file, _CHUNKS_AT_ONCE) if line.endswith(b"\n")]
            with self._work.pages.open("rb") as file:
                some = islice(pages_so_far(file, start=place.pages_at), _PAGES_AT_ONCE)
                pages = list(takewhile(lambda each: len(each[1]) <= _MAX_PAGE_BYTES, some))
        except FileNotFoundError:
            return None
        if not pages:
            return None
        after = _Place(place.pages + len(pages), pages[-1][0], place.chunks_at + sum(map(len, lines)))
        return place, after, [frame for _, frame in pages], [PackedChunk.from_json(line) for line in lines]

    async def _write(self, place: _Place, after: _Place, frames: list[bytes], chunks: list[PackedChunk]) -> bool:
        document_id, project_id = self._source.id, self._source.project_id
        indexed = await asyncio.to_thread(index_early, self._job.tenant_id, chunks)
        async with self._database.tenant(Scope(self._job.tenant_id)) as session:
            if not await queue_sql.hold(session.connection, self._job):
                return False
            if place.pages == 0:
                if not await rows.are_wanted(session, document_id):
                    return False
                await rows.clear(session, document_id)
            await rows.add(session, document_id, project_id, frames, first=place.pages + 1)
            await chunk_rows.add_chunks(session, document_id, project_id, indexed, stemming=EARLY_STEMMING)
            await rows.announce(session, document_id, project_id, after.pages)
        if self._place is place:
            self._place = after
        faults.signal("pages.shown", document_id)
        return True
