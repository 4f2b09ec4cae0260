"""Extractions: what one shall do is settled when it is asked for, so that nothing that changes later changes it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from docsieve.db import documents, extractions
from docsieve.db import fields as field_rows
from docsieve.db.access import projects
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.db.extractions import Extraction, Mode, NewExtraction, Written
from docsieve.db.fields import NewField
from docsieve.db.queue import job_records
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.extraction import DEFAULT_ENGINE, DEFAULT_THRESHOLD, LeafMetadata, Result
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import leaves
from docsieve.errors import IdempotencyConflict, Invalid, JobNotCancellable, NotFound
from docsieve.pipelines.engines.registry import engine_named
from docsieve.resources import Resources
from docsieve.services import engines
from docsieve.services.definitions import prompts, schemas

_metadata = TypeAdapter(dict[str, LeafMetadata])


class ExtractDocuments(JobArgs):
    job_type = "extract_fields"

    extraction_id: UUID


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the one who asks says; what they leave open the project decides, and then the server."""

    schema_ref: str | None = None
    schema: Schema | None = None
    engine: str | None = None
    model: str | None = None
    prompt_ref: str | None = None
    use_cache: bool = True
    shows: Mode = "text"


@dataclass(frozen=True, slots=True)
class Plan:
    """All that an extraction depends on, but for the documents."""

    schema: Schema
    engine: str
    threshold: float
    schema_name: str | None = None
    schema_version: int | None = None
    prompt_name: str | None = None
    prompt_version: int | None = None
    prompt: str | None = None
    model: str | None = None
    use_cache: bool = True
    shows: Mode = "text"


@dataclass(frozen=True, slots=True)
class Order:
    """A request for an extraction over documents in their order."""

    documents: Sequence[UUID]
    wishes: Wishes
    priority: int = 0
    metadata: dict[str, Any] = field(default_factory=dict)

    def fingerprint(self) -> str:
        """What makes two requests the same request."""
        said = json.dumps([list(map(str, self.documents)), asdict(self.wishes), self.priority, self.metadata])
        return hashlib.sha256(said.encode()).hexdigest()


async def plan(session: Session, project: Project, wishes: Wishes) -> Plan:
    """Raises UnknownSchema, SchemaInvalid, UnknownPrompt or UnknownEngine; whether it is configured shows later."""
    engine = engine_named(wishes.engine or project.engine or DEFAULT_ENGINE).about
    threshold = project.threshold if project.threshold is not None else DEFAULT_THRESHOLD
    prompt_ref = wishes.prompt_ref or project.prompt_ref
    prompt = await prompts.resolve(session, prompt_ref) if prompt_ref is not None else None
    name, version, schema = None, None, wishes.schema
    if schema is not None:
        schemas.check(schema)
    else:
        schema_ref = wishes.schema_ref or project.schema_ref
        if schema_ref is None:
            raise Invalid("Name a schema, send one, or give the project one.")
        name, version, schema = await schemas.resolve(session, schema_ref)
    return Plan(
        schema=schema,
        engine=engine.name,
        threshold=threshold,
        schema_name=name,
        schema_version=version,
        prompt_name=prompt.name if prompt is not None else None,
        prompt_version=prompt.version if prompt is not None else None,
        prompt=prompt.content if prompt is not None else None,
        model=wishes.model or project.model,
        use_cache=wishes.use_cache,
        shows=wishes.shows,
    )


async def start(
    session: Session, resources: Resources, order: Order, *, idempotency_key: str | None = None
) -> Extraction:
    """Record an extraction and queue the job that performs it, in one transaction.

    Raises NotFound when a document is not in sight, IdempotencyConflict where the key belongs to another request, and
    what `plan` and `engines.check_configured` raise.
    """
    fingerprint = order.fingerprint()
    if idempotency_key is not None:
        replayed = await _replay(session, idempotency_key, fingerprint)
        if replayed is not None:
            return replayed
    project = await _project_of(session, order.documents)
    settled = await plan(session, project, order.wishes)
    engines.check_configured(resources.settings, settled.engine, model=settled.model)
    new = NewExtraction(
        id=new_id(),
        project_id=project.id,
        job_id=new_id(),
        documents=order.documents,
        client_metadata=order.metadata,
        idempotency_key=idempotency_key,
        fingerprint=fingerprint if idempotency_key is not None else None,
        **asdict(settled),
    )
    if not await extractions.begin(session, new):
        assert idempotency_key is not None
        replayed = await _replay(session, idempotency_key, fingerprint)
        if replayed is None:
            raise IdempotencyConflict("This Idempotency-Key was used before in another project.")
        return replayed
    job = NewJob(
        ExtractDocuments(extraction_id=new.id),
        id=new.job_id,
        project_id=project.id,
        priority=order.priority,
        max_attempts=resources.settings.max_attempts,
    )
    await queue_sql.enqueue(session, [job])
    return await _existing(session, new.id)


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
        raise NotFound("There is no such extraction.")
    return extraction


async def _project_of(session: Session, document_ids: Sequence[UUID]) -> Project:
    if len(set(document_ids)) != len(document_ids):
        raise Invalid("document_ids: a document is named twice.")
    owners = await documents.projects_of(session, document_ids)
    if len(owners) != len(document_ids):
        raise NotFound("There is no such document.")
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
        raise JobNotCancellable(f"The extraction is {extraction.status}; only one that is not finished can be.")
    return await _existing(session, extraction_id)


async def record(session: Session, extraction: Extraction | NewExtraction, written: Written) -> None:
    """Write how it ended: value, metadata and a row for each leaf, or why there is none. Nothing if it was deleted."""
    if not await extractions.write(session, extraction.id, written) or written.result is None:
        return
    rows = _rows(written.result, extraction)
    await field_rows.add(session, extraction.id, extraction.project_id, rows)


def _rows(result: Result, extraction: Extraction | NewExtraction) -> list[NewField]:
    known = {str(each): each for each in extraction.documents}
    rows = []
    for path, value in leaves(result.value):
        about = result.metadata[path]
        proven_by = (known[each.document_id] for each in about.evidence if each.document_id in known)
        rows.append(NewField(path, value, about, next(proven_by, extraction.documents[0])))
    return rows


def doubtful_paths(extraction: Extraction) -> set[str]:
    """The leaves that needed review when the extraction was written."""
    found = _metadata.validate_python(extraction.metadata or {})
    return {path for path, leaf in found.items() if leaf.needs_review}
