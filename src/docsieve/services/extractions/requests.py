"""Requests for extractions: settled when they are made, queued, and cancelled."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.access import projects
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.db.documents import rows as documents
from docsieve.db.documents.intake import Idempotency
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.rows import Extraction, NewExtraction
from docsieve.db.queue import job_records
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.extraction import (
    DEFAULT_ENGINE,
    DEFAULT_THRESHOLD,
    ExtractionSpec,
    PageInput,
)
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.schemas.choice import AUTO, NONE, inline_schema
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import IdempotencyConflict, Invalid, NotFound
from docsieve.errors.jobs import JobNotCancellable
from docsieve.pipelines.engines.registry import engine_named
from docsieve.resources import Resources
from docsieve.services import engines
from docsieve.services.deferral import deferral
from docsieve.services.definitions import prompts, schemas
from docsieve.services.webhooks.urls import check_webhook_url

WAIT_SECONDS = 3600.0
"""How long a job waits at most for the end of a document's reading, which normally wakes it. Only a safety net."""


class ExtractDocuments(JobArgs):
    job_type = "extract_fields"

    extraction_id: UUID


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """Options of a request. Missing ones come from the project, and then from the server."""

    schema_ref: str | None = None
    schema: Schema | None = None
    engine: str | None = None
    model: str | None = None
    prompt_ref: str | None = None
    use_cache: bool = True
    show: PageInput = "text"


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """A client's request for an extraction over documents in their order."""

    documents: Sequence[UUID]
    options: ExtractionOptions
    priority: int = 0
    metadata: dict[str, Any] = field(default_factory=dict)
    allow_missing: bool = False
    webhook_url: str | None = None
    run_at: datetime | None = None
    is_report: bool = False

    def fingerprint(self) -> str:
        """Equal for two requests that are the same request."""
        documents = list(map(str, self.documents))
        described = [documents, asdict(self.options), self.priority, self.metadata, self.allow_missing]
        described += [each for each in (self.webhook_url, self.run_at) if each is not None]
        return hashlib.sha256(json.dumps(described, default=str).encode()).hexdigest()


async def settle(session: Session, project: Project, options: ExtractionOptions) -> ExtractionSpec:
    """Resolve schema, prompt, engine and model now, so that later changes to them do not affect the extraction.

    A schema that depends on the class of the documents is left open (see `by_class`).

    Raises UnknownSchema, SchemaInvalid, UnknownPrompt or UnknownEngine. It may not be configured.
    """
    engine = engine_named(options.engine or project.engine or DEFAULT_ENGINE).about
    threshold = project.threshold if project.threshold is not None else DEFAULT_THRESHOLD
    prompt_ref = options.prompt_ref or project.prompt_ref
    prompt = await prompts.resolve(session, prompt_ref) if prompt_ref is not None else None
    name, version, schema = await _schema(session, project, options)
    return ExtractionSpec(
        schema=schema,
        engine=engine.name,
        threshold=threshold,
        schema_name=name,
        schema_version=version,
        prompt_name=prompt.name if prompt is not None else None,
        prompt_version=prompt.version if prompt is not None else None,
        prompt=prompt.content if prompt is not None else None,
        model=options.model or project.model,
        fallback_engine=project.fallback_engine,
        use_cache=options.use_cache,
        show=options.show,
    )


async def _schema(
    session: Session, project: Project, options: ExtractionOptions
) -> tuple[str | None, int | None, Schema]:
    """Name, version and schema. Raises Invalid if there is none, UnknownSchema or SchemaInvalid."""
    choice = project.schema_for(options.schema_ref)
    schema = options.schema if options.schema is not None else inline_schema(choice)
    if schema is not None:
        schemas.check(schema)
        return None, None, schema
    if choice == NONE:
        raise Invalid("schema: `none` means that nothing is extracted. Name a schema, or use `auto`.")
    if choice != AUTO:
        return await schemas.resolve(session, choice)
    return AUTO, None, {}


async def start(
    session: Session, resources: Resources, request: ExtractionRequest, *, idempotency_key: str | None = None
) -> Extraction:
    """Record an extraction and enqueue its job in the same transaction.

    Raises NotFound when a document is not visible, IdempotencyConflict if the key belongs to a different request, and
    what `settle`, `engines.check_configured` and `check_webhook_url` raise.
    """
    check_webhook_url(request.webhook_url, resources.settings)
    fingerprint = request.fingerprint()
    if idempotency_key is not None:
        replayed = await _replay(session, idempotency_key, fingerprint)
        if replayed is not None:
            return replayed
    project = await _project_of(session, request.documents)
    new = await begin(
        session,
        resources,
        project,
        request,
        Idempotency(idempotency_key, fingerprint) if idempotency_key is not None else None,
    )
    if new is None:
        assert idempotency_key is not None
        replayed = await _replay(session, idempotency_key, fingerprint)
        if replayed is None:
            raise IdempotencyConflict("This Idempotency-Key was already used in a different project.")
        return replayed
    return await _existing(session, new.id)


async def begin(
    session: Session,
    resources: Resources,
    project: Project,
    request: ExtractionRequest,
    idempotency: Idempotency | None,
) -> NewExtraction | None:
    """Record an extraction over documents of the project and enqueue its job.

    None if the Idempotency-Key was used before. Raises what `settle` and `engines.check_configured` raise.
    """
    spec = await settle(session, project, request.options)
    if spec.by_class and not project.class_schemas:
        raise Invalid("Name or send a schema, or assign one to the project or to a class of its documents.")
    engines.check_configured(resources.settings, spec.engine, model=spec.model)
    new = NewExtraction(
        id=new_id(),
        project_id=project.id,
        job_id=new_id(),
        documents=request.documents,
        spec=spec,
        allow_missing=request.allow_missing,
        client_metadata=request.metadata,
        webhook_url=request.webhook_url,
        is_report=request.is_report,
        idempotency_key=idempotency.key if idempotency is not None else None,
        fingerprint=idempotency.fingerprint if idempotency is not None else None,
    )
    if not await extractions.begin(session, new):
        return None
    when = await deferral(session, project, run_at=request.run_at, priority=request.priority)
    job = NewJob(
        ExtractDocuments(extraction_id=new.id),
        id=new.job_id,
        project_id=project.id,
        priority=request.priority,
        max_attempts=resources.settings.max_attempts,
        run_at=when.run_at,
        deferred_by=when.deferred_by,
    )
    await enqueue(session, [job])
    return new


async def _replay(session: Session, idempotency_key: str, fingerprint: str) -> Extraction | None:
    found = await extractions.find_by_key(session, idempotency_key)
    if found is None:
        return None
    if found[0] != fingerprint:
        raise IdempotencyConflict
    return await _existing(session, found[1])


async def _existing(session: Session, extraction_id: UUID) -> Extraction:
    extraction = await extractions.find(session, extraction_id)
    if extraction is None:
        raise NotFound("Extraction not found.")
    return extraction


async def _project_of(session: Session, document_ids: Sequence[UUID]) -> Project:
    if len(set(document_ids)) != len(document_ids):
        raise Invalid("document_ids: a document is listed twice.")
    owners = await documents.projects_of(session, document_ids)
    if len(owners) != len(document_ids):
        raise NotFound("Document not found.")
    if len(set(owners.values())) > 1:
        raise Invalid("document_ids: all documents of an extraction must be in one project.")
    project = await projects.find_by_id(session, owners[document_ids[0]])
    assert project is not None
    return project


async def cancel(session: Session, extraction_id: UUID) -> Extraction:
    """Final at once. One that comes with the reading of its document is cancelled with that document's job."""
    extraction = await _existing(session, extraction_id)
    if extraction.status not in ("pending", "processing") or not await job_records.cancel(session, extraction.job_id):
        extraction = await _existing(session, extraction_id)
        raise JobNotCancellable(f"The extraction is {extraction.status}; only an unfinished one can be cancelled.")
    return await _existing(session, extraction_id)
