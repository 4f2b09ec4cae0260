"""Creates and configures batches. Everything is checked now, so that a start finds nothing wrong with it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from docsieve.db.access import projects as project_rows
from docsieve.db.access.projects import Project
from docsieve.db.batches import rows
from docsieve.db.batches.rows import Batch, NewBatch
from docsieve.db.connection.session import Session
from docsieve.domain.batches import FieldDefinition, GroupBy
from docsieve.domain.ids import new_id
from docsieve.domain.schemas.choice import AUTO
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import IdempotencyConflict, Invalid, NotFound
from docsieve.errors.batches import BatchStarted
from docsieve.resources import Resources
from docsieve.services import engines
from docsieve.services.access import projects
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.batches.fields import schema_of
from docsieve.services.batches.patterns import NamePattern
from docsieve.services.definitions import prompts, schemas
from docsieve.services.webhooks.urls import check_webhook_url


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """What a request sets: columns by name, and a schema by reference, as JSON Schema, or as a list of fields.

    `clears_schema` removes the schema.
    """

    columns: dict[str, Any]
    schema_ref: str | None = None
    schema: Schema | None = None
    fields: Sequence[FieldDefinition] | None = None
    clears_schema: bool = False

    def fingerprint(self, project: str | None) -> str:
        """Equal for two requests that are the same request."""
        fields = [each.model_dump() for each in self.fields] if self.fields is not None else None
        request = [project, self.columns, self.schema_ref, self.schema, fields]
        return hashlib.sha256(json.dumps(request, sort_keys=True, default=str).encode()).hexdigest()


def schema_name(batch_id: UUID) -> str:
    """The name of the schema that is made from the fields of a batch."""
    return f"batch-{batch_id.hex[-12:]}"


async def found(session: Session, batch_id: UUID) -> Batch:
    batch = await rows.find(session, batch_id)
    if batch is None:
        raise NotFound("Batch not found.")
    return batch


async def locked(session: Session, batch_id: UUID) -> Batch:
    batch = await rows.lock(session, batch_id)
    if batch is None:
        raise NotFound("Batch not found.")
    return batch


async def create(
    session: Session,
    resources: Resources,
    settings: BatchSettings,
    *,
    project: str | None,
    by: str,
    idempotency_key: str | None = None,
) -> Batch:
    """Raises UnknownProject, IdempotencyConflict if the key belongs to a different request, and what `_columns` raises.

    A repeated Idempotency-Key returns the batch of the first request.
    """
    fingerprint = settings.fingerprint(project)
    if idempotency_key is not None and (first := await _replay(session, idempotency_key, fingerprint)) is not None:
        return first
    owner = await _owner(session, project)
    batch_id = new_id()
    new = NewBatch(
        id=batch_id,
        project_id=owner.id,
        settings=await _columns(session, resources, batch_id, owner, settings, by=by),
        idempotency_key=idempotency_key,
        fingerprint=fingerprint if idempotency_key is not None else None,
    )
    if not await rows.add(session, new):
        assert idempotency_key is not None
        first = await _replay(session, idempotency_key, fingerprint)
        if first is None:
            raise IdempotencyConflict("This Idempotency-Key was already used in a different project.")
        return first
    return await found(session, batch_id)


async def change(session: Session, resources: Resources, batch_id: UUID, settings: BatchSettings, *, by: str) -> Batch:
    """Raises BatchStarted, and what `_columns` raises."""
    batch = await locked(session, batch_id)
    if batch.status != "pending_configuration":
        raise BatchStarted(f"The batch is {batch.status}; only one that was never started can be changed.")
    owner = await project_rows.find_by_id(session, batch.project_id)
    assert owner is not None
    model = settings.columns.get("model", batch.model)
    columns = await _columns(session, resources, batch_id, owner, settings, by=by, model=model)
    await rows.change(session, batch_id, columns)
    return await found(session, batch_id)


async def _owner(session: Session, name: str | None) -> Project:
    """The named project, else the one that the API key is limited to, else the tenant's default project."""
    if name is None and session.scope.project_id is not None:
        project = await project_rows.find_by_id(session, session.scope.project_id)
        assert project is not None, "a project's keys are deleted with it"
        return project
    return await projects.find(session, name or DEFAULT)


async def _replay(session: Session, idempotency_key: str, fingerprint: str) -> Batch | None:
    known = await rows.find_by_key(session, idempotency_key)
    if known is None:
        return None
    if known[0] != fingerprint:
        raise IdempotencyConflict
    return await found(session, known[1])


async def _columns(
    session: Session,
    resources: Resources,
    batch_id: UUID,
    owner: Project,
    settings: BatchSettings,
    *,
    by: str,
    model: str | None = None,
) -> dict[str, Any]:
    """Raises UnknownSchema, SchemaInvalid, UnknownPrompt, PatternInvalid, Invalid, or what is wrong with engine or URL.

    Fields and JSON Schemas become an immutable version of a schema that belongs to the batch.
    """
    columns = dict(settings.columns)
    check_webhook_url(columns.get("webhook_url"), resources.settings)
    if columns.get("prompt_ref") is not None:
        await prompts.resolve(session, columns["prompt_ref"])
    if columns.get("engine") is not None:
        engines.check_configured(
            resources.settings, columns["engine"], model=columns.get("model") or model or owner.model
        )
    if columns.get("group_by") is not None and (pattern := GroupBy.model_validate(columns["group_by"]).pattern):
        NamePattern(pattern)
    return columns | await _schema_columns(session, batch_id, settings, by=by)


async def _schema_columns(session: Session, batch_id: UUID, settings: BatchSettings, *, by: str) -> dict[str, Any]:
    if settings.fields is not None and (settings.schema is not None or settings.schema_ref is not None):
        raise Invalid("Send either schema or fields, not both.")
    schema = schema_of(settings.fields) if settings.fields is not None else settings.schema
    if schema is not None:
        added = await schemas.add(session, schema_name(batch_id), schema, created_by=by, counted=False)
        fields = [each.model_dump(exclude_none=True) for each in settings.fields] if settings.fields else None
        return {"schema_ref": f"{added.name}@{added.version}", "fields": fields}
    if settings.schema_ref is not None:
        if settings.schema_ref != AUTO:
            await schemas.resolve(session, settings.schema_ref)
        return {"schema_ref": settings.schema_ref, "fields": None}
    return {"schema_ref": None, "fields": None} if settings.clears_schema else {}
