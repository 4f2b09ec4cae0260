"""Extractions: inserted, looked up, listed, completed by the job that ran them, verified."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg
from pydantic_core import to_json

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session
from docsieve.db.extractions.documents import add_documents
from docsieve.db.old_rows import change_or_count
from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec, MissingDocument
from docsieve.domain.jobs import DeferredBy, JobFailure


@dataclass(frozen=True, slots=True)
class Extraction:
    """`documents` are those that still exist, in their order. Once completed, `spec.model` is the one that answered."""

    id: UUID
    project_id: UUID
    job_id: UUID
    status: str
    document_count: int
    documents: list[UUID]
    batch_id: UUID | None
    group_name: str | None
    allow_missing: bool
    missing: list[dict[str, Any]]
    spec: ExtractionSpec
    fallback_from: dict[str, str] | None
    engine_version: str | None
    lessons_version: int | None
    value: Any
    metadata: dict[str, Any] | None
    usage: dict[str, Any] | None
    confidence: float | None
    needs_review: bool | None
    client_metadata: dict[str, Any]
    webhook_url: str | None
    error_code: str | None
    error_message: str | None
    verified_at: datetime | None
    verified_by: str | None
    created_at: datetime
    completed_at: datetime | None
    run_at: datetime | None
    deferred_by: DeferredBy | None

    @property
    def error(self) -> JobFailure | None:
        return JobFailure(self.error_code, self.error_message or "") if self.error_code is not None else None


@dataclass(frozen=True, slots=True)
class NewExtraction:
    id: UUID
    project_id: UUID
    job_id: UUID
    documents: Sequence[UUID]
    spec: ExtractionSpec
    allow_missing: bool = False
    client_metadata: dict[str, Any] = field(default_factory=dict)
    webhook_url: str | None = None
    is_report: bool = False
    idempotency_key: str | None = None
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class ExtractionFilter:
    status: str | None = None
    document_id: UUID | None = None
    schema_name: str | None = None
    schema_version: int | None = None
    needs_review: bool | None = None
    verified: bool | None = None
    batch_id: UUID | None = None


_DOCUMENTS = """array(select document_id from extraction_documents as its
    where its.extraction_id = extractions.id order by position) as documents"""
_JSON = ("schema", "value", "metadata", "usage", "client_metadata", "missing", "fallback_from")
_SPEC = [each.name for each in fields(ExtractionSpec)]
_LEFT_OUT = {"value": "null", "metadata": "null", "prompt": "null", "schema": "'{}'"}


# extractions of a batch share these
_SHARED = """coalesce({name}, (
    select shared.{name} from batch_specs as shared where shared.id = extractions.batch_spec))"""
_OF_DEFERRED_JOB = """case when extractions.status = 'pending' then (
    select jobs.{name} from jobs
    where jobs.tenant_id = extractions.tenant_id and jobs.id = extractions.job_id and jobs.deferred_by is not null
    ) end"""
_DEFERRED = {name: _OF_DEFERRED_JOB.format(name=name) for name in ("run_at", "deferred_by")}
_EXPRESSIONS = {**_DEFERRED, **{name: _SHARED.format(name=name) for name in ("schema", "prompt")}}
SCHEMA = _EXPRESSIONS["schema"]
"""The schema of an extraction in SQL, wherever it is stored."""


def _columns(expressions: Mapping[str, str]) -> str:
    own = [each.name for each in fields(Extraction) if each.name not in ("documents", "spec")]
    named = [f"{expressions[name]} as {name}" if name in expressions else name for name in (*own, *_SPEC)]
    return ", ".join([*named, _DOCUMENTS])


def _extraction(row: asyncpg.Record) -> Extraction:
    values = dict(row)
    for name in _JSON:
        if values[name] is not None:
            values[name] = json.loads(values[name])
    spec = ExtractionSpec(**{name: values.pop(name) for name in _SPEC})
    return Extraction(spec=spec, **values)


_COLUMNS = _columns(_EXPRESSIONS)
_SUMMARY = _columns({**_DEFERRED, **_LEFT_OUT})


async def begin(session: Session, new: NewExtraction) -> bool:
    """Add an extraction that waits for its job; false if its Idempotency-Key was used before."""
    spec = new.spec
    added = await session.connection.fetchval(
        """
        insert into extractions (id, tenant_id, project_id, job_id, document_count, schema_name, schema_version, schema,
            prompt_name, prompt_version, prompt, engine, model, threshold, use_cache, client_metadata, idempotency_key,
            fingerprint, fallback_engine, webhook_url, show, allow_missing, is_report)
        values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                $23)
        on conflict do nothing returning id
        """,
        session.scope.tenant_id,
        new.id,
        new.project_id,
        new.job_id,
        len(new.documents),
        spec.schema_name,
        spec.schema_version,
        json.dumps(spec.schema),
        spec.prompt_name,
        spec.prompt_version,
        spec.prompt,
        spec.engine,
        spec.model,
        spec.threshold,
        spec.use_cache,
        json.dumps(new.client_metadata),
        new.idempotency_key,
        new.fingerprint,
        spec.fallback_engine,
        new.webhook_url,
        spec.show,
        new.allow_missing,
        new.is_report,
    )
    if added is None:
        return False
    await add_documents(session, new.id, new.project_id, new.documents)
    return True


async def complete(
    session: Session,
    extraction_id: UUID,
    outcome: ExtractionOutcome,
    *,
    job_id: UUID,
    attempt: int,
    missing: Sequence[MissingDocument] = (),
) -> bool:
    """Record the result; false if the extraction was deleted meanwhile. Its status follows that of its job, if any."""
    result = outcome.result
    found = await session.connection.fetchval(
        """
        update extractions set status = 'completed', value = $3, metadata = $4, usage = $5, confidence = $6,
            needs_review = $7, engine_version = $8, lessons_version = $10,
            model = case when $14::jsonb is null then coalesce($9, model) else $9 end,
            engine = case when $14 is null then engine else fallback_engine end, fallback_from = $14,
            error_code = null, error_message = null, written_by_job = $11, written_by_attempt = $12,
            completed_at = clock_timestamp(), missing = $13
        where tenant_id = $1 and id = $2 returning id
        """,
        session.scope.tenant_id,
        extraction_id,
        json.dumps(result.value),
        to_json(result.metadata).decode(),
        to_json(asdict(result.usage)).decode(),
        result.confidence,
        result.needs_review,
        outcome.engine_version,
        outcome.model,
        outcome.lessons_version,
        job_id,
        attempt,
        to_json([asdict(each) for each in missing]).decode(),
        json.dumps(asdict(outcome.fallback_from)) if outcome.fallback_from is not None else None,
    )
    return found is not None


async def set_schema(session: Session, extraction_id: UUID, spec: ExtractionSpec) -> None:
    """Record the schema that was chosen by the class of the documents."""
    await session.connection.execute(
        "update extractions set schema_name = $3, schema_version = $4, schema = $5 where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        extraction_id,
        spec.schema_name,
        spec.schema_version,
        json.dumps(spec.schema),
    )


async def fail(session: Session, extraction_id: UUID, failure: JobFailure, *, job_id: UUID, attempt: int) -> bool:
    """Record why there is no result; false if the extraction was deleted meanwhile."""
    found = await session.connection.fetchval(
        """
        update extractions set status = 'failed', error_code = $3, error_message = $4, written_by_job = $5,
            written_by_attempt = $6, completed_at = clock_timestamp(), value = null, metadata = null, usage = null,
            confidence = null, needs_review = null, engine_version = null, lessons_version = null
        where tenant_id = $1 and id = $2 returning id
        """,
        session.scope.tenant_id,
        extraction_id,
        failure.code,
        failure.message,
        job_id,
        attempt,
    )
    return found is not None


async def find(session: Session, extraction_id: UUID) -> Extraction | None:
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from extractions where tenant_id = $1 and id = $2", session.scope.tenant_id, extraction_id
    )
    return _extraction(row) if row else None


async def find_by_job(session: Session, job_id: UUID) -> Extraction | None:
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from extractions where tenant_id = $1 and job_id = $2", session.scope.tenant_id, job_id
    )
    return _extraction(row) if row else None


async def find_all(session: Session, ids: Sequence[UUID]) -> list[Extraction]:
    """Those of the extractions that exist, in no order."""
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from extractions where tenant_id = $1 and id = any($2::uuid[])",
        session.scope.tenant_id,
        list(ids),
    )
    return [_extraction(row) for row in rows]


async def find_for_update(session: Session, extraction_id: UUID) -> Extraction | None:
    """Two corrections of one field at once are one after the other, each with the value that it replaced."""
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from extractions where tenant_id = $1 and id = $2 for update",
        session.scope.tenant_id,
        extraction_id,
    )
    return _extraction(row) if row else None


async def find_by_key(session: Session, idempotency_key: str) -> tuple[str | None, UUID] | None:
    row = await session.connection.fetchrow(
        "select fingerprint, id from extractions where tenant_id = $1 and idempotency_key = $2",
        session.scope.tenant_id,
        idempotency_key,
    )
    return (row[0], row[1]) if row else None


@dataclass(frozen=True, slots=True)
class ExtractionHead:
    """`schema_ref` is `invoice@3`, or null for a schema that came with the request."""

    id: UUID
    status: str
    schema_ref: str | None


_HEAD = "extractions.id, status, coalesce(schema_name || '@' || schema_version, schema_name)"


async def find_head(session: Session, extraction_id: UUID) -> ExtractionHead | None:
    row = await session.connection.fetchrow(
        f"select {_HEAD} from extractions where tenant_id = $1 and id = $2", session.scope.tenant_id, extraction_id
    )
    return ExtractionHead(*row) if row else None


async def head_of_document(
    session: Session, document_id: UUID, extraction_id: UUID | None = None
) -> ExtractionHead | None:
    """The newest completed extraction that the document is part of, if none is completed the newest; or the one named.

    None if there is no such document, or if it is not part of that extraction.
    """
    row = await session.connection.fetchrow(
        f"""
        select {_HEAD} from extraction_documents as its join extractions on extractions.id = its.extraction_id
        where its.tenant_id = $1 and extractions.tenant_id = $1 and its.document_id = $2
          and ($3::uuid is null or its.extraction_id = $3)
        order by status = 'completed' desc, its.extraction_id desc limit 1
        """,
        session.scope.tenant_id,
        document_id,
        extraction_id,
    )
    return ExtractionHead(*row) if row else None


def conditions(session: Session, wanted: ExtractionFilter) -> tuple[str, list[Any]]:
    """The filter as SQL and its arguments. Only conditions that were asked for, to use the right index."""
    clauses = ["tenant_id = $1"]
    arguments: list[Any] = [session.scope.tenant_id]
    asked = {
        "status = ${}": wanted.status,
        "id in (select extraction_id from extraction_documents where tenant_id = $1 and document_id = ${})": (
            wanted.document_id
        ),
        "schema_name = ${}": wanted.schema_name,
        "schema_version = ${}": wanted.schema_version,
        "coalesce(needs_review, false) = ${}": wanted.needs_review,
        "(verified_at is not null) = ${}": wanted.verified,
        "batch_id = ${}": wanted.batch_id,
    }
    for clause, value in asked.items():
        if value is not None:
            arguments.append(value)
            clauses.append(clause.format(len(arguments)))
    return " and ".join(clauses), arguments


async def list_page(session: Session, wanted: ExtractionFilter, *, before: UUID | None, limit: int) -> list[Extraction]:
    """Newest first, without values, metadata, schema and prompt: those are many times larger than all the rest."""
    where, arguments = conditions(session, wanted)
    beyond = f"and id < ${len(arguments) + 2}" if before is not None else ""
    rows = await session.connection.fetch(
        f"select {_SUMMARY} from extractions where {where} {beyond} order by id desc limit ${len(arguments) + 1}",
        *arguments,
        limit,
        *([before] if before is not None else ()),
    )
    return [_extraction(row) for row in rows]


async def verify(session: Session, extraction_id: UUID, *, by: str) -> bool:
    """Mark the extraction as verified. If it already was, the first person stays on record."""
    found = await session.connection.fetchval(
        """
        update extractions set verified_at = coalesce(verified_at, clock_timestamp()),
            verified_by = coalesce(verified_by, $3)
        where tenant_id = $1 and id = $2 and status = 'completed' returning id
        """,
        session.scope.tenant_id,
        extraction_id,
        by,
    )
    return found is not None


async def reopen(session: Session, extraction_id: UUID) -> None:
    """It is not the case any more that a person has looked at all of it."""
    await session.connection.execute(
        "update extractions set verified_at = null, verified_by = null where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        extraction_id,
    )


async def forget_keys(connection: Connection, *, older_than_days: float, limit: int, dry_run: bool) -> int:
    """Idempotency-Keys past their time may be used again."""
    return await change_or_count(
        connection,
        "update extractions set idempotency_key = null, fingerprint = null",
        "extractions",
        """
        where idempotency_key is not null and created_at < clock_timestamp() - make_interval(secs => $1) limit $2
        """,
        older_than_days * 86400,
        limit,
        dry_run=dry_run,
    )
