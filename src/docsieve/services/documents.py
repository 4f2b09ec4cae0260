"""Accepting, reprocessing and deleting documents."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from uuid import UUID

from docsieve.db import documents, lessons
from docsieve.db import intake as intake_sql
from docsieve.db import jobs as queue_sql
from docsieve.db.documents import Document, Removed
from docsieve.db.intake import NewDocument
from docsieve.db.session import Session
from docsieve.domain.documents import images_folder, original_key
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.reading import ReadingWishes
from docsieve.domain.scope import Scope
from docsieve.errors import DocumentBusy, IdempotencyConflict, Invalid, NotFound, OcrEngineUnknown
from docsieve.parsers.ocr.registry import engine_names
from docsieve.resources import Resources
from docsieve.services import extractions, learning, projects, schemas
from docsieve.services.projects import UnknownProject
from docsieve.services.tenants import DEFAULT

REPROCESS_PRIORITY = 10


class ProcessDocument(JobArgs):
    kind = "process_document"

    document_id: UUID


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the sender asked for beside the bytes."""

    project: str | None = None
    schema_ref: str | None = None
    engine: str | None = None
    priority: int = 0
    webhook_url: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    password: str | None = None
    reading: ReadingWishes = field(default_factory=ReadingWishes)


@dataclass(frozen=True, slots=True)
class StoredUpload:
    """Bytes that are whole and durable in the store and wait for their row."""

    document_id: UUID
    filename: str
    media_type: str
    size: int
    sha256: str

    def fingerprint(self, wishes: Wishes) -> str:
        """What makes two requests the same request, but for the password: from a stored hash it could be guessed."""
        said = asdict(replace(wishes, password=None))
        if not (reading := wishes.reading.stored()):
            del said["reading"]  # requests from before there were such wishes stay the same requests
        else:
            said["reading"] = reading
        parts = [self.filename, self.sha256, said]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


async def accept(
    resources: Resources,
    scope: Scope,
    upload: StoredUpload,
    wishes: Wishes,
    *,
    api_key: str,
    idempotency_key: str | None,
) -> Document:
    """Record the document, its job and its Idempotency-Key together, after its bytes are safe, if the key still holds.

    Raises KeyAlreadyUsed where another request with the key came first; `replay` then tells what it stands for.
    """
    _check_reading(resources, wishes.reading)
    await _check_extraction(resources, scope, wishes)
    new = NewDocument(
        id=upload.document_id,
        project=DEFAULT if wishes.project is None and scope.project_id is None else wishes.project,
        filename=upload.filename,
        media_type=upload.media_type,
        size=upload.size,
        sha256=upload.sha256,
        schema_ref=wishes.schema_ref,
        engine=wishes.engine,
        webhook_url=wishes.webhook_url,
        metadata=wishes.metadata,
        sealed_password=resources.sealer.seal(wishes.password) if wishes.password is not None else None,
        reading=wishes.reading.stored(),
    )
    job = _reading_of(resources, upload.document_id, priority=wishes.priority)
    fingerprint = upload.fingerprint(wishes) if idempotency_key is not None else None
    document = await intake_sql.accept(
        resources.database, scope, new, job, api_key=api_key, key=idempotency_key, fingerprint=fingerprint
    )
    if document is None:
        raise UnknownProject(f"There is no project named {new.project}.")
    return document


def _check_reading(resources: Resources, reading: ReadingWishes) -> None:
    """What nobody here could do is refused now and not when a worker comes to it."""
    if reading.ocr_engine is not None and reading.ocr_engine not in engine_names():
        raise OcrEngineUnknown(f"This server has no OCR engine named {reading.ocr_engine}.")
    if reading.parser is not None and reading.parser not in resources.remote_parsers:
        raise Invalid(f"This server has no parser named {reading.parser}.")


async def _check_extraction(resources: Resources, scope: Scope, wishes: Wishes) -> None:
    """Raises UnknownSchema or UnknownEngine. Nobody waits for the database who names no schema."""
    if wishes.engine is not None:
        extractions.check_engine(wishes.engine)
    if wishes.schema_ref is not None:
        async with resources.database.tenant(scope) as session:
            await schemas.resolve(session, wishes.schema_ref)


async def key_used(session: Session, idempotency_key: str) -> bool:
    return await intake_sql.find_idempotent(session, idempotency_key) is not None


async def replay(
    session: Session, resources: Resources, upload: StoredUpload, wishes: Wishes, idempotency_key: str
) -> Document | None:
    """The document an Idempotency-Key stands for, if it was used; raises IdempotencyConflict for another body."""
    found = await intake_sql.find_idempotent(session, idempotency_key)
    if found is None:
        return None
    fingerprint, document_id = found
    if fingerprint != upload.fingerprint(wishes):
        raise IdempotencyConflict
    source = await documents.source(session, document_id)
    if source is None:
        if await intake_sql.find_idempotent(session, idempotency_key) is not None:
            raise IdempotencyConflict("This Idempotency-Key was used before in another project.")
        return None
    sealed = source.sealed_password
    if wishes.password != (resources.sealer.unseal(sealed) if sealed is not None else None):
        raise IdempotencyConflict
    return await documents.find(session, document_id)


def _reading_of(resources: Resources, document_id: UUID, *, priority: int, project_id: UUID | None = None) -> NewJob:
    return NewJob(
        ProcessDocument(document_id=document_id),
        id=new_id(),
        project_id=project_id,
        document_id=document_id,
        priority=priority,
        max_attempts=resources.settings.max_attempts,
    )


async def reprocess(
    session: Session, resources: Resources, document_id: UUID, *, schema_ref: str | None, engine: str | None
) -> UUID:
    """Queue the document again, ahead of new ones; returns the job's id. Raises DocumentBusy while one is under way.

    With a schema, its own or the project's, the job makes a new extraction; what was extracted before stays.
    """
    document = await documents.find(session, document_id)
    if document is None:
        raise NotFound("There is no such document.")
    if engine is not None:
        extractions.check_engine(engine)
    if schema_ref is not None:
        await schemas.resolve(session, schema_ref)
    project_id = await projects.resolve(session, document.project)
    job = _reading_of(resources, document_id, priority=REPROCESS_PRIORITY, project_id=project_id)
    assert job.id is not None
    if not await documents.begin_reprocessing(
        session, document_id, job_id=job.id, schema_ref=schema_ref, engine=engine
    ):
        raise DocumentBusy(f"Document {document_id} already has a job under way; cancel it first.")
    await queue_sql.enqueue(session, [job])
    return job.id


async def delete(session: Session, document_id: UUID) -> list[Removed]:
    """Remove the document, those that came inside it, and all that hangs on them.

    Their blobs go once this is committed, by `delete_blobs`.

    A worker that is reading it finds its fence broken and stops. What it has taught is unlearned.
    """
    family = await documents.family(session, document_id)
    taught = await lessons.taught_by(session, family)
    removed = await documents.delete(session, family)
    for schema_name in taught:
        await learning.enqueue(session, schema_name)
    if not removed:
        raise NotFound("There is no such document.")
    return removed


async def delete_blobs(resources: Resources, tenant_id: UUID, removed: Removed) -> None:
    """Delete the bytes of a removed document, and its pages with their images unless another has the same content.

    That other document may be in a project which the caller cannot see, so all of the tenant is asked.
    """
    await resources.blobs.delete(original_key(tenant_id, removed.id))
    if removed.pages_key is None:
        return
    pages_are_its_own = removed.had_password
    async with resources.database.system() as connection:
        content_shared = await documents.known_contents(connection, [(tenant_id, removed.sha256)])
    if pages_are_its_own or not content_shared:
        await resources.blobs.delete(removed.pages_key)
        for key in [image.key async for image in resources.blobs.list(images_folder(removed.pages_key))]:
            await resources.blobs.delete(key)
