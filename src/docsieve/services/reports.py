"""Reports: several files of one case become one extraction with the project's schema, engine and model."""

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.access import projects
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.db.documents import intake
from docsieve.db.documents.intake import Idempotency, KeyAlreadyUsed, NewDocument, NewUpload
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.rows import Extraction
from docsieve.disk import require_room_for_work
from docsieve.domain.documents import original_key
from docsieve.domain.extraction import DEFAULT_THRESHOLD
from docsieve.domain.schemas.choice import NONE
from docsieve.domain.scope import Scope
from docsieve.errors import (
    DatabaseUnavailable,
    EmptyDocument,
    IdempotencyConflict,
    NotFound,
    TooLarge,
    Unavailable,
    UnsupportedType,
)
from docsieve.resources import Resources
from docsieve.services.documents import first_job
from docsieve.services.extractions import requests
from docsieve.services.extractions.requests import ExtractionOptions, ExtractionRequest
from docsieve.services.intake import UploadedFile, measure_file, store_file
from docsieve.services.webhooks.urls import check_webhook_url

DEFAULT_SCHEMA = "medical-report"
"""What is extracted from a report of a project without a schema."""

_LEVELS = (("High", 0.85), ("Medium", DEFAULT_THRESHOLD), ("Low", 0.0))

Files = AsyncIterator[tuple[str, AsyncIterator[bytes]]]


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was accepted. `id` is the id of its extraction."""

    id: UUID
    job_id: UUID
    status: str
    files: Sequence[UploadedFile]
    webhook_url: str | None

    @property
    def size(self) -> int:
        return sum(each.size for each in self.files)


async def find_project(session: Session, name_or_id: str) -> Project:
    """Raises NotFound."""
    found = await projects.find(session.connection, session.scope.tenant_id, name_or_id)
    if found is None and (project_id := _uuid(name_or_id)) is not None:
        found = await projects.find_by_id(session, project_id)
    if found is None:
        raise NotFound("Project not found.")
    return found


async def submit(
    resources: Resources,
    scope: Scope,
    project: str,
    files: Files,
    webhook_url: Callable[[], str | None],
    *,
    idempotency_key: str | None = None,
) -> Report:
    """Store the files of a report and queue its extraction, all or nothing.

    `webhook_url` is called after the last file, because the fields of a form may follow its files. A repeated
    Idempotency-Key returns the report of the first request.

    Raises NotFound if there is no such project, IdempotencyConflict, and what is wrong with a file, which is named. No
    bytes remain then.
    """
    require_room_for_work(resources.settings)
    async with resources.database.tenant(scope) as session:
        await find_project(session, project)
        used = idempotency_key is not None and await extractions.find_by_key(session, idempotency_key) is not None
    if used:
        assert idempotency_key is not None
        measured = await _Receiver(resources, scope.tenant_id).measure(files)
        report = await _replay(resources, scope, project, measured, webhook_url(), idempotency_key)
        if report is None:
            raise Unavailable("The report of this Idempotency-Key was deleted in the meantime; try again.")
        return report
    receiver = _Receiver(resources, scope.tenant_id)
    try:
        stored = await receiver.store(files)
        return await _record(resources, scope, project, stored, webhook_url(), idempotency_key)
    except DatabaseUnavailable:
        raise  # it may have been committed, so the bytes stay; if it was not, the sweep removes them
    except KeyAlreadyUsed:
        await receiver.discard()
    except Exception:
        await receiver.discard()
        raise
    assert idempotency_key is not None
    report = await _replay(resources, scope, project, stored, webhook_url(), idempotency_key)
    if report is None:
        raise IdempotencyConflict("This Idempotency-Key was already used in a different project.")
    return report


class _Receiver:
    """Takes in the files of one report. Together they may be as large as one upload."""

    def __init__(self, resources: Resources, tenant_id: UUID) -> None:
        self._blobs = resources.blobs
        self._max_bytes = resources.settings.max_upload_bytes
        self._tenant_id = tenant_id
        self._stored: list[UploadedFile] = []

    async def store(self, files: Files) -> list[UploadedFile]:
        async for name, chunks in files:
            with _naming(name):
                left = self._max_bytes - sum(each.size for each in self._stored)
                self._stored.append(await store_file(self._blobs, self._tenant_id, name, chunks, max_bytes=left))
        return self._stored

    async def measure(self, files: Files) -> list[UploadedFile]:
        """Read the files without storing them, to compare them with those of an earlier request."""
        measured = []
        async for name, chunks in files:
            with _naming(name):
                measured.append(await measure_file(name, chunks, max_bytes=self._max_bytes))
        return measured

    async def discard(self) -> None:
        for each in self._stored:
            await self._blobs.delete(original_key(self._tenant_id, each.document_id))


@contextmanager
def _naming(filename: str) -> Iterator[None]:
    """Say which of the files it was."""
    try:
        yield
    except (EmptyDocument, TooLarge, UnsupportedType) as error:
        raise type(error)(f"{filename}: {error.detail}") from error


async def _record(
    resources: Resources,
    scope: Scope,
    project_name: str,
    files: Sequence[UploadedFile],
    webhook_url: str | None,
    idempotency_key: str | None,
) -> Report:
    """Record documents, extraction and jobs in one transaction.

    Raises KeyAlreadyUsed, and UrlInvalid or AddressNotAllowed for the webhook.
    """
    check_webhook_url(webhook_url, resources.settings)
    max_attempts = resources.settings.max_attempts
    async with resources.database.tenant(scope) as session:
        project = await find_project(session, project_name)
        idempotency = None
        if idempotency_key is not None:
            idempotency = Idempotency(idempotency_key, _fingerprint(project, files, webhook_url))
        added = [
            NewDocument(each.document_id, each.filename, each.media_type, each.size, each.sha256, schema_ref=NONE)
            for each in files
        ]
        jobs = [first_job(each.document_id, each.media_type, max_attempts=max_attempts) for each in files]
        await intake.add(session, project.id, [*map(NewUpload, added, jobs)])
        new = await requests.begin(session, resources, project, _request(project, files, webhook_url), idempotency)
        if new is None:
            raise KeyAlreadyUsed
    return Report(new.id, new.job_id, "pending", files, webhook_url)


def _request(project: Project, files: Sequence[UploadedFile], webhook_url: str | None) -> ExtractionRequest:
    schema_ref = project.schema_ref if project.schema_ref not in (None, NONE) else DEFAULT_SCHEMA
    return ExtractionRequest(
        [each.document_id for each in files],
        ExtractionOptions(schema_ref=schema_ref),
        allow_missing=True,
        webhook_url=webhook_url,
        is_report=True,
    )


def _fingerprint(project: Project, files: Sequence[UploadedFile], webhook_url: str | None) -> str:
    described = ["report", str(project.id), [[each.filename, each.sha256] for each in files], webhook_url]
    return hashlib.sha256(json.dumps(described).encode()).hexdigest()


async def _replay(
    resources: Resources,
    scope: Scope,
    project_name: str,
    files: Sequence[UploadedFile],
    webhook_url: str | None,
    idempotency_key: str,
) -> Report | None:
    """The report of the first request with this key; None if it was deleted. Raises IdempotencyConflict."""
    async with resources.database.tenant(scope) as session:
        project = await find_project(session, project_name)
        found = await extractions.find_by_key(session, idempotency_key)
        if found is None:
            return None
        fingerprint, extraction_id = found
        if fingerprint != _fingerprint(project, files, webhook_url):
            raise IdempotencyConflict
        extraction = await extractions.find(session, extraction_id)
        if extraction is None:
            return None
        return Report(extraction.id, extraction.job_id, extraction.status, files, webhook_url)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def confidence_summary(extraction: Extraction) -> str:
    """One sentence about a completed report, for a person."""
    leaves = (extraction.metadata or {}).values()
    doubtful = sum(leaf["needs_review"] for leaf in leaves)
    level = next(word for word, least in _LEVELS if (extraction.confidence or 0.0) >= least)
    if not doubtful:
        return f"{level} confidence. No field needs review."
    return f"{level} confidence. {doubtful} of {len(leaves)} fields {'needs' if doubtful == 1 else 'need'} review."
