"""Downloads the file of a document from its source. The job that reads or unpacks it follows.

Each attempt stores the file under a new key and records that, once and behind the fence of its lease. Only a recorded
file is copied to the key of the document, so that a worker that lost its lease can never change what another stored.
"""

import asyncio
from contextlib import aclosing
from uuid import UUID

from docsieve import faults, metrics
from docsieve.db.connection.session import Session
from docsieve.db.documents import downloads
from docsieve.db.documents.downloads import PendingDownload, StagedFile
from docsieve.db.queue.new_jobs import enqueue
from docsieve.disk import needing_room
from docsieve.domain.documents import original_key, staging_folder
from docsieve.domain.ids import new_id
from docsieve.domain.pages.page import Progress
from docsieve.errors import AttemptError, BlobMissing, NotFound
from docsieve.errors.uploads import SourceUnavailable
from docsieve.outbound.http import OutboundClient
from docsieve.queue.kinds import Attempt, Closing
from docsieve.resources import Resources
from docsieve.services import intake
from docsieve.services.documents import DownloadDocument, first_job
from docsieve.services.intake import CheckedStream
from docsieve.services.sources import check_source, read_source

MAX_SECONDS = 3600.0
"""A source that sends little at a time holds a slot no longer than this."""


class DownloadDocumentHandler:
    def __init__(self, resources: Resources, outbound: OutboundClient) -> None:
        self._resources = resources
        self._outbound = outbound

    async def __call__(self, args: DownloadDocument, attempt: Attempt) -> Closing:
        pending = await self._resources.persist(lambda: self._look_up(args.document_id, attempt))
        blobs, key = self._resources.blobs, original_key(attempt.job.tenant_id, args.document_id)
        with needing_room(self._resources.settings):
            staged = pending.staged or await self._stage(args.document_id, attempt, pending)
            attempt.report(Progress("storing"))
            try:
                await blobs.copy(staged.key, key)
            except BlobMissing:
                await self._check_copied(args.document_id, attempt, staged, key)
        faults.step("download.copied")

        async def close(session: Session) -> None:
            job = first_job(
                args.document_id,
                staged.media_type,
                max_attempts=self._resources.settings.max_attempts,
                job_id=new_id(),
                project_id=pending.project_id,
                priority=attempt.job.priority,
            )
            await downloads.finish(session, args.document_id, staged, job)
            await enqueue(session, [job])
            await blobs.delete(staged.key)

        return close

    async def _look_up(self, document_id: UUID, attempt: Attempt) -> PendingDownload:
        async with self._resources.database.tenant(attempt.scope) as session:
            pending = await downloads.find(session, document_id)
        if pending is None:
            raise NotFound("The document was deleted.")
        return pending

    async def _stage(self, document_id: UUID, attempt: Attempt, pending: PendingDownload) -> StagedFile:
        """Download the file. It is recorded, or deleted."""
        attempt.report(Progress("downloading"))
        tenant_id, blobs = attempt.job.tenant_id, self._resources.blobs
        key = f"{staging_folder(tenant_id, document_id)}/{new_id()}"
        try:
            staged = await self._download(key, tenant_id, pending)
            faults.step("download.staged")
            await self._record(document_id, attempt, staged)
        except AttemptError:
            await blobs.delete(key)
            raise
        faults.step("download.recorded")
        metrics.upload_bytes.inc(staged.size)
        return staged

    async def _download(self, key: str, tenant_id: UUID, pending: PendingDownload) -> StagedFile:
        settings = self._resources.settings
        source = check_source(self._resources.sealer.unseal(pending.sealed_source), settings, tenant_id)
        max_bytes = settings.max_upload_bytes
        try:
            async with (
                asyncio.timeout(MAX_SECONDS),
                aclosing(read_source(source, self._outbound, max_bytes=max_bytes)) as chunks,
            ):
                stream = CheckedStream(chunks, max_bytes=max_bytes)
                stored = await self._resources.blobs.put(key, stream.chunks())
        except TimeoutError as error:
            raise SourceUnavailable(f"The source did not send the file within {MAX_SECONDS:.0f} seconds.") from error
        return StagedFile(key, stream.media_type, stored.size, stored.sha256)

    async def _record(self, document_id: UUID, attempt: Attempt, staged: StagedFile | None) -> None:
        async def write() -> bool:
            async with self._resources.database.tenant(attempt.scope) as session:
                return await downloads.record(session, document_id, staged, job=attempt.job)

        if not await self._resources.persist(write):
            raise AttemptError("The lease was lost, so nothing more is written.")

    async def _check_copied(self, document_id: UUID, attempt: Attempt, staged: StagedFile, key: str) -> None:
        """The staged file is gone: an earlier attempt has copied it and was lost before it could say so."""
        chunks = self._resources.blobs.stream(key)
        try:
            copied = await intake.measure_file("", chunks, max_bytes=staged.size)
        except BlobMissing:
            copied = None
        if copied is None or copied.sha256 != staged.sha256:
            await self._record(document_id, attempt, None)
            raise SourceUnavailable("The downloaded file was lost and will be downloaded again.")
