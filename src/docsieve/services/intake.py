"""Intake: an upload becomes a document with a job that reads it.

The bytes are stored first; then one SQL call records the document, its job and its Idempotency-Key together. A document
therefore never points to missing bytes, and bytes without a document are removed by the sweep of orphan blobs. Instead
of its bytes, an upload can name their source: then the document's first job downloads them.
"""

import hashlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve import faults
from docsieve.blobs.port import BlobStore
from docsieve.db.access import projects as project_rows
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.db.documents import intake
from docsieve.db.documents import rows as documents
from docsieve.db.documents.intake import Idempotency, KeyAlreadyUsed, NewDocument, NewUpload
from docsieve.db.documents.rows import Document
from docsieve.disk import require_room_for_work
from docsieve.domain.batches import PRIORITY_OFFSET
from docsieve.domain.documents import original_key
from docsieve.domain.ids import new_id
from docsieve.domain.reading_options import ReadingOptions
from docsieve.domain.schedules.windows import URGENT_PRIORITY
from docsieve.domain.schemas.choice import RESERVED
from docsieve.domain.scope import Scope
from docsieve.errors import (
    DatabaseUnavailable,
    DocsieveError,
    EmptyDocument,
    IdempotencyConflict,
    Invalid,
    OcrEngineUnknown,
    TooLarge,
    Unavailable,
    UnknownProject,
    UnsupportedType,
)
from docsieve.parsers import registry
from docsieve.parsers.ocr.registry import engine_names
from docsieve.parsers.port import HEAD_BYTES
from docsieve.resources import Resources
from docsieve.services import engines
from docsieve.services.access import projects
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.definitions import schemas
from docsieve.services.documents import first_job
from docsieve.services.webhooks.urls import check_webhook_url
from docsieve.sources import SourceUrl


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """What the sender asked for in addition to sending the file."""

    project: str | None = None
    schema_ref: str | None = None
    engine: str | None = None
    priority: int = 0
    webhook_url: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    password: str | None = field(default=None, repr=False)
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    batch: UUID | None = None
    run_at: datetime | None = None
    persist_data: bool = True
    delete_after: datetime | None = None


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that was received completely; `document_id` is where its bytes are stored, if they are."""

    document_id: UUID
    filename: str
    media_type: str
    size: int
    sha256: str

    def fingerprint(self, options: UploadOptions) -> str:
        return _fingerprint(self.filename, self.sha256, options)

    def row(self, resources: Resources, **options: Any) -> NewDocument:
        return NewDocument(self.document_id, self.filename, self.media_type, self.size, self.sha256, **options)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that will be downloaded."""

    document_id: UUID
    filename: str
    source: SourceUrl
    media_type: None = None

    def fingerprint(self, options: UploadOptions) -> str:
        return _fingerprint(self.filename, self.source.whole, options)

    def row(self, resources: Resources, **options: Any) -> NewDocument:
        sealed = resources.sealer.seal(self.source.whole)
        return NewDocument(
            self.document_id, self.filename, None, None, None, source=self.source.shown, sealed_source=sealed, **options
        )


def _fingerprint(filename: str, content: str, options: UploadOptions) -> str:
    """Equal for equal requests. Leaves out the password, which could be guessed from a stored hash."""
    stored = {**asdict(replace(options, password=None)), "reading": options.reading.stored()}
    return hashlib.sha256(json.dumps([filename, content, stored], sort_keys=True, default=str).encode()).hexdigest()


async def upload(
    resources: Resources,
    scope: Scope,
    filename: str,
    chunks: AsyncIterator[bytes],
    options: Callable[[], UploadOptions],
    *,
    api_key: str,
    idempotency_key: str | None = None,
) -> Document:
    """Store a file and queue its reading. A repeated Idempotency-Key returns the document of the first request.

    `options` is called after the last chunk, because the fields of a form may follow its file.

    Raises IdempotencyConflict if the key was used for a different request, Unauthorized if `api_key` is no longer
    valid, and an error of `errors.py` for a file or options that cannot be accepted. Nothing is recorded then.
    """
    require_room_for_work(resources.settings)
    max_bytes = resources.settings.max_upload_bytes
    if idempotency_key is not None and await _is_used(resources, scope, idempotency_key):
        file = await measure_file(filename, chunks, max_bytes=max_bytes)
        document = await _replay(resources, scope, file, options(), idempotency_key)
        if document is None:
            raise Unavailable("The document of this Idempotency-Key was deleted in the meantime; try again.")
        return document
    file = await store_file(resources.blobs, scope.tenant_id, filename, chunks, max_bytes=max_bytes)
    return await accept(resources, scope, file, options, api_key=api_key, idempotency_key=idempotency_key)


async def accept(
    resources: Resources,
    scope: Scope,
    file: UploadedFile,
    options: Callable[[], UploadOptions],
    *,
    api_key: str,
    idempotency_key: str | None = None,
) -> Document:
    """Make a stored file a document, or delete it. Raises what `upload` raises."""
    try:
        document = await _record(resources, scope, file, options(), api_key, idempotency_key)
    except DatabaseUnavailable:
        raise  # it may have been committed, so the bytes stay; if it was not, the sweep removes them
    except DocsieveError:
        await resources.blobs.delete(original_key(scope.tenant_id, file.document_id))
        raise
    if document.id != file.document_id:
        await resources.blobs.delete(original_key(scope.tenant_id, file.document_id))
    faults.step("upload.committed")
    return document


async def accept_source(
    resources: Resources,
    scope: Scope,
    filename: str,
    source: SourceUrl,
    options: UploadOptions,
    *,
    api_key: str,
    idempotency_key: str | None = None,
) -> Document:
    """Record a document and queue the download of its file. Raises what `upload` raises about options and keys."""
    file = SourceFile(new_id(), filename, source)
    return await _record(resources, scope, file, options, api_key, idempotency_key)


async def store_file(
    blobs: BlobStore, tenant_id: UUID, filename: str, chunks: AsyncIterator[bytes], *, max_bytes: int
) -> UploadedFile:
    """Store the bytes of a new document. Raises what is wrong with the file, and then nothing is stored."""
    document_id = new_id()
    stream = CheckedStream(chunks, max_bytes=max_bytes)
    faults.step("upload.received")
    stored = await blobs.put_new(original_key(tenant_id, document_id), stream.chunks())
    faults.step("upload.blob_stored")
    return UploadedFile(document_id, filename, stream.media_type, stored.size, stored.sha256)


async def measure_file(filename: str, chunks: AsyncIterator[bytes], *, max_bytes: int) -> UploadedFile:
    """Read a file without storing it, to compare it with that of an earlier request."""
    stream = CheckedStream(chunks, max_bytes=max_bytes)
    digest = hashlib.sha256()
    async for chunk in stream.chunks():
        digest.update(chunk)
    return UploadedFile(new_id(), filename, stream.media_type, stream.size, digest.hexdigest())


class CheckedStream:
    """Passes chunks through in constant memory, and raises as soon as the file turns out to be unacceptable.

    `size` and `media_type` are complete after the last chunk.
    """

    def __init__(self, chunks: AsyncIterator[bytes], *, max_bytes: int) -> None:
        self._chunks = chunks
        self._max_bytes = max_bytes
        self.size = 0
        self.media_type = ""

    async def chunks(self) -> AsyncIterator[bytes]:
        head = b""
        async for chunk in self._chunks:
            self.size += len(chunk)
            if self.size > self._max_bytes:
                raise TooLarge(f"The document is larger than {self._max_bytes} bytes.")
            if self.media_type:
                yield chunk
                continue
            head += chunk
            if len(head) >= HEAD_BYTES:
                self.media_type = _detect(head)
                yield head
        if not self.size:
            raise EmptyDocument
        if not self.media_type:
            self.media_type = _detect(head)
            yield head


def _detect(head: bytes) -> str:
    media_type = registry.detect(head[:HEAD_BYTES])
    if media_type is None:
        raise UnsupportedType
    return media_type


async def check_options(resources: Resources, scope: Scope, options: UploadOptions) -> None:
    """Refuse now what could not be done later."""
    check_webhook_url(options.webhook_url, resources.settings)
    _check_reading(resources, options.reading)
    await _check_extraction(resources, scope, options)


async def _record(
    resources: Resources,
    scope: Scope,
    file: UploadedFile | SourceFile,
    options: UploadOptions,
    api_key: str,
    idempotency_key: str | None,
) -> Document:
    """Record the document, or find that of a request with the same Idempotency-Key that was faster."""
    await check_options(resources, scope, options)
    new = file.row(
        resources,
        schema_ref=options.schema_ref,
        engine=options.engine,
        webhook_url=options.webhook_url,
        metadata=options.metadata,
        sealed_password=resources.sealer.seal(options.password) if options.password is not None else None,
        reading=options.reading.stored(),
        persist_data=options.persist_data,
        delete_after=options.delete_after,
    )
    project, priority = options.project, options.priority
    if options.batch is not None:
        priority -= PRIORITY_OFFSET
    elif project is None and scope.project_id is None:
        project = DEFAULT
    job = replace(
        first_job(file.document_id, file.media_type, max_attempts=resources.settings.max_attempts, priority=priority),
        run_at=options.run_at,
        urgent=options.priority >= URGENT_PRIORITY,
    )
    idempotency = Idempotency(idempotency_key, file.fingerprint(options)) if idempotency_key is not None else None
    try:
        document = await resources.acceptance.accept(
            scope, NewUpload(new, job, idempotency), project=project, api_key=api_key, batch=options.batch
        )
    except KeyAlreadyUsed:
        assert idempotency_key is not None
        document = await _replay(resources, scope, file, options, idempotency_key)
        if document is None:
            raise Unavailable("Another request with this Idempotency-Key is in progress; try again.") from None
        return document
    if document is None:
        raise UnknownProject(f"Project {project} not found.")
    return document


def _check_reading(resources: Resources, reading: ReadingOptions) -> None:
    """Refuse now what no worker could do later."""
    if reading.ocr_engine is not None and reading.ocr_engine not in engine_names():
        raise OcrEngineUnknown(f"OCR engine {reading.ocr_engine} is not available on this server.")
    if reading.parser is not None and reading.parser not in resources.remote_parsers:
        raise Invalid(f"Parser {reading.parser} is not available on this server.")


async def _check_extraction(resources: Resources, scope: Scope, options: UploadOptions) -> None:
    """Raises UnknownSchema, SchemaInvalid, UnknownProject, or what `engines.check_configured` raises.

    Skips the database unless a schema or an engine was named.
    """
    if options.engine is None and (options.schema_ref is None or options.schema_ref in RESERVED):
        return
    async with resources.database.tenant(scope) as session:
        if options.schema_ref is not None:
            await schemas.check_choice(session, options.schema_ref)
        if options.engine is not None:
            project = await project_of(session, options.project)
            engines.check_configured(resources.settings, options.engine, model=project.model)


async def project_of(session: Session, name: str | None) -> Project:
    """The named project, else the one that the API key is limited to, else the tenant's default project."""
    if name is None and session.scope.project_id is not None:
        project = await project_rows.find_by_id(session, session.scope.project_id)
        assert project is not None, "a project's keys are deleted with it"
        return project
    return await projects.find(session, name or DEFAULT)


async def _is_used(resources: Resources, scope: Scope, idempotency_key: str) -> bool:
    async with resources.database.tenant(scope) as session:
        return await intake.find_idempotent(session, idempotency_key) is not None


async def _replay(
    resources: Resources,
    scope: Scope,
    file: UploadedFile | SourceFile,
    options: UploadOptions,
    idempotency_key: str,
) -> Document | None:
    """The document of the first request with this key, or None if it was deleted in the meantime.

    Raises IdempotencyConflict if that request was a different one.
    """
    async with resources.database.tenant(scope) as session:
        found = await intake.find_idempotent(session, idempotency_key)
        if found is None:
            return None
        fingerprint, document_id = found
        if fingerprint != file.fingerprint(options):
            raise IdempotencyConflict
        document = await documents.find(session, document_id)
        if document is None:
            if await intake.find_idempotent(session, idempotency_key) is not None:
                raise IdempotencyConflict("This Idempotency-Key was already used in a different project.")
            return None
        sealed = await documents.sealed_password(session, document_id)
        if options.password != (resources.sealer.unseal(sealed) if sealed is not None else None):
            raise IdempotencyConflict
        return document
