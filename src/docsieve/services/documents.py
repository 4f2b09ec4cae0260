"""Accepting documents."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from uuid import UUID

from docsieve.db import documents
from docsieve.db import intake as intake_sql
from docsieve.db.access import projects as project_rows
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.db.documents import Document
from docsieve.db.intake import NewDocument
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.reading import ReadingWishes
from docsieve.domain.scope import Scope
from docsieve.errors import (
    IdempotencyConflict,
    Invalid,
    OcrEngineUnknown,
    UnknownProject,
)
from docsieve.parsers.ocr.registry import engine_names
from docsieve.resources import Resources
from docsieve.services import engines
from docsieve.services.access import projects
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.definitions import schemas


class ProcessDocument(JobArgs):
    """`anew` reads the bytes again although this version of the parser has read them before.

    `repair` makes pages that were lost again, and nothing else: no extraction, and no documents of attachments.
    """

    job_type = "process_document"

    document_id: UUID
    anew: bool = False
    repair: bool = False


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
    job = reading_of(resources, upload.document_id, new_id(), priority=wishes.priority)
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
    """Raises UnknownSchema, UnknownProject, or what `engines.check_configured` raises.

    Skips the database unless a schema or an engine was named.
    """
    if wishes.engine is None and wishes.schema_ref is None:
        return
    async with resources.database.tenant(scope) as session:
        if wishes.schema_ref is not None:
            await schemas.resolve(session, wishes.schema_ref)
        if wishes.engine is not None:
            project = await _project(session, wishes.project)
            engines.check_configured(resources.settings, wishes.engine, model=project.model)


async def _project(session: Session, name: str | None) -> Project:
    """The one that is named, or else the key's own, or else the tenant's default one."""
    if name is None and session.scope.project_id is not None:
        project = await project_rows.find_by_id(session, session.scope.project_id)
        assert project is not None, "a project's keys are deleted with it"
        return project
    return await projects.find(session, name or DEFAULT)


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


def reading_of(
    resources: Resources,
    document_id: UUID,
    job_id: UUID,
    *,
    priority: int,
    project_id: UUID | None = None,
    anew: bool = False,
) -> NewJob:
    return NewJob(
        ProcessDocument(document_id=document_id, anew=anew),
        id=job_id,
        project_id=project_id,
        document_id=document_id,
        priority=priority,
        max_attempts=resources.settings.max_attempts,
    )
