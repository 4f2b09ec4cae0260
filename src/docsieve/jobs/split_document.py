"""Writes the parts of a packet that are missing after a person changed its cuts."""

from docsieve.db.connection.session import Session
from docsieve.db.documents import packets as packets_sql
from docsieve.db.documents import rows as documents
from docsieve.db.documents.rows import Document, Source
from docsieve.disk import needing_room
from docsieve.domain.packets import PageRange, parts
from docsieve.errors import DocumentNotReady, NotFound
from docsieve.pipelines.read import Reader
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.kinds import Attempt, Closing
from docsieve.resources import Resources
from docsieve.sandbox.pool import Sandbox
from docsieve.services.packets.parts import SplitDocument
from docsieve.services.packets.splitting import SplitPacket, Splitter
from docsieve.services.stored_files import download_pages, repaired_if_damaged


class SplitDocumentHandler:
    def __init__(self, resources: Resources, sandbox: Sandbox, workdirs: WorkDirs) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._workdirs = workdirs

    async def __call__(self, args: SplitDocument, attempt: Attempt) -> Closing:
        document, source, pages_key, missing = await self._resources.persist(lambda: self._look_up(args, attempt))
        with needing_room(self._resources.settings), self._workdirs.new() as work:
            async with repaired_if_damaged(self._resources, attempt.scope, source.id):
                await download_pages(self._resources.blobs, pages_key, work.pages)
            splitter = Splitter(self._resources, self._sandbox, source, work, attempt.job.tenant_id, attempt.report)
            reader = Reader(document.parser or "", document.parser_version or "")
            written = await splitter.write(missing, reader, document.filename)

        async def close(session: Session) -> None:
            packet = SplitPacket(source.id, None, written, is_cut=bool(missing))
            await packet.record(session, max_attempts=self._resources.settings.max_attempts)

        return close

    async def _look_up(self, args: SplitDocument, attempt: Attempt) -> tuple[Document, Source, str, list[PageRange]]:
        async with self._resources.database.tenant(attempt.scope) as session:
            document = await documents.find(session, args.document_id)
            source = await documents.source(session, args.document_id)
            packet = await packets_sql.find(session, args.document_id)
            key = await documents.pages_key(session, args.document_id)
            if document is None or source is None or packet is None:
                raise NotFound("The document was deleted.")
            if key is None:
                raise DocumentNotReady("The document has no pages.")
            existing = {part.pages for part in await packets_sql.parts(session, [args.document_id])}
        skipped = frozenset(page.page for page in packet.left_out)
        wanted = parts(packet.cuts, skipped, packet.page_count or 0)
        return document, source, key, [pages for pages in wanted if pages not in existing]
