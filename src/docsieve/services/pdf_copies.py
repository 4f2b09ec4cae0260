"""PDFs that are made from a document: written when first requested, and stored next to its page images."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from docsieve.composition import read_options
from docsieve.content.redaction import PlaceOnPage, Redaction
from docsieve.db.connection.session import Session
from docsieve.db.documents import rows as documents
from docsieve.db.documents.rows import Document, Source
from docsieve.db.extractions import fields as field_rows
from docsieve.db.extractions import rows as extractions
from docsieve.disk import needing_room
from docsieve.domain.audit import Action
from docsieve.domain.documents import copy_key
from docsieve.domain.scope import Scope
from docsieve.errors import Unavailable
from docsieve.errors.content import DocumentNotScanned, NothingRedacted
from docsieve.errors.extractions import ExtractionNotCompleted
from docsieve.errors.retention import OriginalDeleted
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.page_renderer import PageRenderer
from docsieve.pipelines.workdir import WorkDir
from docsieve.resources import Resources
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.task import Task
from docsieve.services import pages
from docsieve.services.documents import not_found
from docsieve.services.stored_files import download_original, download_pages, repaired_if_damaged
from docsieve.tasks.redact import WriteRedacted
from docsieve.tasks.render import needs_source
from docsieve.tasks.searchable import WriteSearchable, can_be_searchable

_MIN_TEXT = 4

NewTask = Callable[[WorkDir, ReadOptions], Task[Any]]


@dataclass(frozen=True, slots=True)
class PdfCopy:
    """A stored copy of a document."""

    document: Document
    key: str
    size: int


async def searchable(resources: Resources, scope: Scope, document_id: UUID) -> PdfCopy:
    """The document as a PDF whose scans have text.

    Raises NotFound, DocumentNotReady, DocumentNotScanned, OriginalDeleted, and what reading the document can raise.
    """
    document, source, pages_key = await _find(resources, scope, document_id)
    if not can_be_searchable(source.media_type):
        raise DocumentNotScanned

    def task(work: WorkDir, options: ReadOptions) -> WriteSearchable:
        return WriteSearchable(
            InputPath(work.original), InputPath(work.pages), OutputPath(work.copy), source.media_type, options
        )

    return await _ensure(resources, scope, document, source, pages_key, "searchable", task)


async def redacted(
    resources: Resources,
    scope: Scope,
    document_id: UUID,
    redaction: Redaction,
    *,
    fields: Sequence[str] = (),
    extraction_id: UUID | None = None,
) -> PdfCopy:
    """The document as pictures without what is redacted. Of `fields`, all that proves their values is.

    Raises as `searchable` does, and PatternInvalid, NothingRedacted and ExtractionNotCompleted.
    """
    document, source, pages_key = await _find(resources, scope, document_id)
    if fields:
        async with resources.database.tenant(scope) as session:
            redaction = await _with_fields(session, document_id, redaction, fields, extraction_id)
    redaction.check()

    def task(work: WorkDir, options: ReadOptions) -> WriteRedacted:
        original = InputPath(work.original) if needs_source(source.media_type) else None
        target = OutputPath(work.copy)
        return WriteRedacted(original, InputPath(work.pages), target, source.media_type, options, redaction)

    name = f"redacted-{hashlib.blake2b(repr(redaction).encode(), digest_size=16).hexdigest()}"
    return await _ensure(resources, scope, document, source, pages_key, name, task)


async def _with_fields(
    session: Session, document_id: UUID, redaction: Redaction, fields: Sequence[str], extraction_id: UUID | None
) -> Redaction:
    """With the places of these fields, and their texts wherever else they are, unless they are very short."""
    head = await extractions.head_of_document(session, document_id, extraction_id)
    if head is None or head.status != "completed":
        raise ExtractionNotCompleted
    places, texts = list(redaction.places), list(redaction.also)
    for path in fields:
        evidence = await field_rows.evidence_in_document(session, head.id, document_id, path)
        if not evidence:
            raise NothingRedacted(f"The field {path} has no place in this document.")
        places += [PlaceOnPage(each["page"], tuple(each["box"])) for each in evidence]
        texts += [each["text"] for each in evidence if len(each["text"].strip()) >= _MIN_TEXT]
    return replace(redaction, places=tuple(places), also=tuple(texts))


async def _find(resources: Resources, scope: Scope, document_id: UUID) -> tuple[Document, Source, str]:
    async with resources.database.tenant(scope) as session:
        document = await documents.find(session, document_id)
        source = await documents.source(session, document_id)
        if document is None or source is None:
            raise not_found()
        return document, source, await pages.key_of(session, document_id)


async def _ensure(
    resources: Resources,
    scope: Scope,
    document: Document,
    source: Source,
    pages_key: str,
    name: str,
    task: NewTask,
) -> PdfCopy:
    """The stored copy, created on the first request. The download is audited."""
    if source.original_deleted:
        raise OriginalDeleted
    key = copy_key(pages_key, name)
    if not await resources.blobs.exists(key):
        renderer = resources.renderer
        if renderer is None:
            raise Unavailable("This process does not write PDFs.")

        async def make() -> bytes:
            await _make(resources, renderer, scope, source, pages_key, key, task)
            return b""

        await renderer.once(scope.tenant_id, key, make)
    async with resources.database.tenant(scope) as session:
        owners = await documents.projects_of(session, [document.id])
        session.audit(Action.document_downloaded, "document", document.id, project_id=owners.get(document.id))
    return PdfCopy(document, key, await resources.blobs.size(key))


async def _make(
    resources: Resources,
    renderer: PageRenderer,
    scope: Scope,
    source: Source,
    pages_key: str,
    key: str,
    task: NewTask,
) -> None:
    settings, sealed = resources.settings, source.sealed_password
    options = read_options(settings, password=resources.sealer.unseal(sealed) if sealed is not None else None)
    with needing_room(settings), renderer.workdir() as work:
        async with repaired_if_damaged(resources, scope, source.id):
            await download_pages(resources.blobs, pages_key, work.pages)
        await download_original(resources.blobs, scope.tenant_id, source, work.original)
        await renderer.write_copy(task(work, options))
        await resources.blobs.put_file(key, work.copy)
    async with resources.database.tenant(scope) as session:
        deleted = await documents.source(session, source.id) is None
    if deleted:
        await asyncio.shield(resources.blobs.delete(key))
