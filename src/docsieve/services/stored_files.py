"""Checks the files of documents in the blob store against their checksums, and repairs damaged pages.

Pages are derived from the original, so damaged ones are treated as missing and read again. A damaged original can only
be reported.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from docsieve.blobs.port import BlobStore
from docsieve.db.connection.session import Database, Session
from docsieve.db.documents import deletion
from docsieve.db.documents import rows as documents
from docsieve.db.documents import stored_files as files_sql
from docsieve.db.documents.rows import Document, Source
from docsieve.db.documents.stored_files import StoredFiles
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.documents import original_key
from docsieve.domain.ids import new_id
from docsieve.domain.pages.pagefile import PageIndex, check_file
from docsieve.domain.scope import Scope
from docsieve.errors import BlobMissing, BlobStoreError, OriginalDamaged, PagesDamaged
from docsieve.errors.blobs import BlobSealBroken
from docsieve.errors.retention import OriginalDeleted
from docsieve.logs import get_logger
from docsieve.resources import Resources
from docsieve.services import pages
from docsieve.services.documents import not_found, processing_job

log = get_logger()

_REPAIR_PRIORITY = 20


async def queue_repair(session: Session, document_id: UUID, *, max_attempts: int) -> bool:
    """Queue the re-reading of a document from its original, without a new extraction; False if that is not possible."""
    job_id = new_id()
    project_id = await files_sql.begin_repair(session, document_id, job_id)
    if project_id is None:
        return False
    job = processing_job(
        document_id,
        max_attempts=max_attempts,
        job_id=job_id,
        project_id=project_id,
        priority=_REPAIR_PRIORITY,
        repair=True,
    )
    await enqueue(session, [job])
    log.warning("pages_damaged", document_id=str(document_id), job_id=str(job_id))
    return True


@asynccontextmanager
async def repaired_if_damaged(resources: Resources, scope: Scope, document_id: UUID) -> AsyncIterator[None]:
    """Wrap code that reads a document's pages: queue a repair if they are damaged or missing.

    Raises PagesDamaged then, which asks the client to retry later, NotFound if the document was deleted, or
    OriginalDeleted if there is nothing to restore them from.
    """
    try:
        yield
    except (BlobMissing, PagesDamaged) as error:
        async with resources.database.tenant(scope) as session:
            await queue_repair(session, document_id, max_attempts=resources.settings.max_attempts)
            document = await documents.find(session, document_id)
        if document is None:
            raise not_found() from error
        if document.original_deleted_at is not None:
            raise OriginalDeleted(
                "The stored pages are damaged, and the uploaded file, from which they could be restored, was deleted."
            ) from error
        if document.status in ("failed", "cancelled"):
            raise PagesDamaged(
                "The stored pages are damaged, and reading the document again failed; reprocess it."
            ) from error
        raise PagesDamaged("The stored pages are damaged and are being restored; try again in a moment.") from error


async def download_original(blobs: BlobStore, tenant_id: UUID, source: Source, path: Path) -> None:
    """Download the file of a document. Raises OriginalDamaged if it is not the one that was uploaded, and
    OriginalDeleted."""
    if source.original_deleted:
        raise OriginalDeleted
    try:
        await blobs.download(original_key(tenant_id, source.id), path)
    except BlobSealBroken as error:
        raise OriginalDamaged from error
    if await asyncio.to_thread(_sha256, path) != source.sha256:
        raise OriginalDamaged


async def stream_original(blobs: BlobStore, tenant_id: UUID, document: Document) -> AsyncIterator[bytes]:
    """The file of a document in chunks. The last is held back until the checksum of all is right.

    So a file that is not the one that was uploaded never looks complete. Raises OriginalDamaged.
    """
    digest, held = hashlib.sha256(), b""
    try:
        async for chunk in blobs.stream(original_key(tenant_id, document.id)):
            if held:
                yield held
            held = chunk
            await asyncio.to_thread(digest.update, chunk)
    except BlobSealBroken as error:
        log.error("original_damaged", document_id=str(document.id), error=error.code)
        raise OriginalDamaged from error
    if digest.hexdigest() != document.sha256:
        log.error("original_damaged", document_id=str(document.id))
        raise OriginalDamaged
    yield held


async def download_pages(blobs: BlobStore, key: str, path: Path) -> PageIndex:
    """Download a page file and verify it. Raises BlobMissing or PagesDamaged, and then leaves no file behind."""
    try:
        await blobs.download(key, path)
    except BlobSealBroken as error:
        raise PagesDamaged from error
    try:
        return await asyncio.to_thread(_check_path, path)
    except PagesDamaged:
        await asyncio.to_thread(path.unlink)
        raise


def _check_path(path: Path) -> PageIndex:
    with path.open("rb") as file:
        return check_file(file)


@dataclass(slots=True)
class Damage:
    """The result of a check: the documents by kind of damage."""

    checked: int = 0
    pages: list[UUID] = field(default_factory=list)
    originals: list[UUID] = field(default_factory=list)
    unreadable: list[UUID] = field(default_factory=list)


class FileCheck:
    """Reads whole files, a few megabytes at a time, and queues repairs of damaged pages."""

    def __init__(self, database: Database, blobs: BlobStore, *, max_attempts: int) -> None:
        self._database = database
        self._blobs = blobs
        self._max_attempts = max_attempts
        self.damage = Damage()

    async def run(self, batch: Sequence[StoredFiles]) -> None:
        """Check the files of documents, record the results and queue repairs."""
        damaged = []
        for each in batch:
            try:
                if not each.original_deleted and not await self._original_is_sound(each):
                    damaged.append(each.document_id)
                    log.error("original_damaged", document_id=str(each.document_id))
                await self._check_pages(each)
            except BlobStoreError as error:
                # the store failed, or the disk has a bad sector; continue with the other documents
                self.damage.unreadable.append(each.document_id)
                log.error("file_unreadable", document_id=str(each.document_id), error=error.detail)
        self.damage.checked += len(batch)
        self.damage.originals += damaged
        async with self._database.system() as connection:
            ids = [each.document_id for each in batch]
            await files_sql.record_checks(connection, ids, damaged_originals=damaged)

    async def _original_is_sound(self, files: StoredFiles) -> bool:
        digest, size = hashlib.sha256(), 0
        try:
            async for chunk in self._blobs.stream(original_key(files.tenant_id, files.document_id)):
                size += len(chunk)
                await asyncio.to_thread(digest.update, chunk)
        except BlobMissing:
            return not await self._has_original(files)
        except BlobSealBroken:
            return False
        return (size, digest.hexdigest()) == (files.size, files.sha256)

    async def _check_pages(self, files: StoredFiles) -> None:
        if files.pages_key is None:
            return
        try:
            await pages.check(self._blobs, files.pages_key)
        except (BlobMissing, PagesDamaged):
            async with self._database.tenant(Scope(files.tenant_id)) as session:
                if await queue_repair(session, files.document_id, max_attempts=self._max_attempts):
                    self.damage.pages.append(files.document_id)

    async def _has_original(self, files: StoredFiles) -> bool:
        """It may have been deleted since it was listed, with its document or alone."""
        async with self._database.system() as connection:
            return bool(await deletion.with_original(connection, [files.document_id]))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
