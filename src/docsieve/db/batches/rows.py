"""The batches table: insert, find, list, change, delete."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session
from docsieve.db.old_rows import change_or_count
from docsieve.domain.jobs import DeferredBy, JobFailure


@dataclass(frozen=True, slots=True)
class Counts:
    """How many extractions a batch has in each state."""

    total: int
    running: int
    completed: int
    failed: int
    cancelled: int
    needs_review: int

    @property
    def finished(self) -> int:
        return self.completed + self.failed + self.cancelled

    @property
    def pending(self) -> int:
        return max(self.total - self.finished - self.running, 0)


@dataclass(frozen=True, slots=True)
class Batch:
    """`seconds_running` is the time since extractions were last started or retried."""

    id: UUID
    project_id: UUID
    project: str
    name: str
    status: str
    schema_ref: str | None
    fields: list[dict[str, Any]] | None
    engine: str | None
    model: str | None
    prompt_ref: str | None
    threshold: float | None
    group_by: dict[str, Any]
    split: str | None
    priority: int
    run_at: datetime | None
    persist_data: bool
    webhook_url: str | None
    metadata: dict[str, Any]
    starting_job: UUID | None
    starts_at: datetime | None
    deferred_by: DeferredBy | None
    finished_before: int
    error_code: str | None
    error_message: str | None
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    seconds_running: float | None
    counts: Counts

    @property
    def error(self) -> JobFailure | None:
        """Why the last start failed."""
        return JobFailure(self.error_code, self.error_message or "") if self.error_code is not None else None


@dataclass(frozen=True, slots=True)
class NewBatch:
    id: UUID
    project_id: UUID
    settings: Mapping[str, Any]
    idempotency_key: str | None = None
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class BatchFilter:
    """`name` matches any part of the name, ignoring case."""

    status: str | None = None
    project: str | None = None
    name: str | None = None


SETTINGS = (
    "name", "schema_ref", "fields", "engine", "model", "prompt_ref", "threshold", "group_by", "split", "priority",
    "run_at",
    "persist_data", "webhook_url", "metadata",
)  # fmt: skip
_JSON = ("fields", "group_by", "metadata")
_COUNTS = [each.name for each in fields(Counts)]
_COUNTED = ", ".join(f"coalesce(counted.{name}, 0) as {name}" for name in _COUNTS if name != "running")
_OF_STARTING_JOB = """(select jobs.{column} from jobs
    where jobs.tenant_id = $1 and jobs.id = batches.starting_job and jobs.deferred_by is not null) as {name}"""
_EXPRESSIONS = {
    "project": "(select name from projects where projects.tenant_id = $1 and projects.id = batches.project_id)"
    " as project",
    "starts_at": _OF_STARTING_JOB.format(column="run_at", name="starts_at"),
    "deferred_by": _OF_STARTING_JOB.format(column="deferred_by", name="deferred_by"),
    "seconds_running": "extract(epoch from clock_timestamp() - started_at)::float8 as seconds_running",
    "counts": f"""{_COUNTED}, (select count(*) from extractions
        where extractions.tenant_id = $1 and batch_id = batches.id and extractions.status = 'processing') as running""",
}
_COLUMNS = ", ".join(_EXPRESSIONS.get(each.name, f"batches.{each.name}") for each in fields(Batch))
_SELECT = f"""
select {_COLUMNS} from batches left join lateral (
    select sum(total)::int as total, sum(completed)::int as completed, sum(failed)::int as failed,
        sum(cancelled)::int as cancelled, sum(batch_counts.needs_review)::int as needs_review
    from batch_counts where batch_counts.tenant_id = $1 and batch_id = batches.id) as counted on true
where batches.tenant_id = $1"""


def _batch(row: asyncpg.Record) -> Batch:
    values = dict(row)
    for name in _JSON:
        values[name] = json.loads(values[name]) if values[name] is not None else None
    counts = Counts(**{name: values.pop(name) for name in _COUNTS})
    return Batch(counts=counts, **values)


def _stored(settings: Mapping[str, Any]) -> dict[str, Any]:
    assert settings.keys() <= set(SETTINGS)
    return {
        name: json.dumps(value) if name in _JSON and value is not None else value for name, value in settings.items()
    }


async def add(session: Session, new: NewBatch) -> bool:
    """False if its Idempotency-Key was used before."""
    values = {
        "id": new.id,
        "project_id": new.project_id,
        "idempotency_key": new.idempotency_key,
        "fingerprint": new.fingerprint,
        **_stored(new.settings),
    }
    places = ", ".join(f"${place}" for place in range(2, len(values) + 2))
    added = await session.connection.fetchval(
        f"insert into batches (tenant_id, {', '.join(values)}) values ($1, {places}) on conflict do nothing"
        " returning id",
        session.scope.tenant_id,
        *values.values(),
    )
    return added is not None


async def find(session: Session, batch_id: UUID) -> Batch | None:
    row = await session.connection.fetchrow(f"{_SELECT} and batches.id = $2", session.scope.tenant_id, batch_id)
    return _batch(row) if row else None


async def lock(session: Session, batch_id: UUID) -> Batch | None:
    """The batch, which nothing else starts, cancels or changes until the transaction ends.

    Counts are locked before the batch, in the order in which finishing extractions lock them.
    """
    await session.connection.execute(
        "select from batch_counts where tenant_id = $1 and batch_id = $2 order by shard for update",
        session.scope.tenant_id,
        batch_id,
    )
    await session.connection.execute(
        "select from batches where tenant_id = $1 and id = $2 for no key update", session.scope.tenant_id, batch_id
    )
    return await find(session, batch_id)


async def find_by_key(session: Session, idempotency_key: str) -> tuple[str | None, UUID] | None:
    row = await session.connection.fetchrow(
        "select fingerprint, id from batches where tenant_id = $1 and idempotency_key = $2",
        session.scope.tenant_id,
        idempotency_key,
    )
    return (row[0], row[1]) if row else None


async def list_page(session: Session, wanted: BatchFilter, *, before: UUID | None, limit: int) -> list[Batch]:
    """Newest first."""
    rows = await session.connection.fetch(
        f"""
        {_SELECT}
          and ($2::text is null or batches.status = $2)
          and ($3::text is null or batches.project_id = (
              select id from projects where projects.tenant_id = $1 and projects.name = $3))
          and ($4::text is null or strpos(lower(batches.name), lower($4)) > 0)
          and ($5::uuid is null or batches.id < $5)
        order by batches.id desc limit $6
        """,
        session.scope.tenant_id,
        wanted.status,
        wanted.project,
        wanted.name,
        before,
        limit,
    )
    return [_batch(row) for row in rows]


async def change(session: Session, batch_id: UUID, changes: Mapping[str, Any]) -> None:
    """Set the given settings. The batch must be locked."""
    stored = _stored(changes)
    settings = "".join(f", {column} = ${place}" for place, column in enumerate(stored, 3))
    await session.connection.execute(
        f"update batches set updated_at = clock_timestamp(){settings} where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        batch_id,
        *stored.values(),
    )


async def delete(session: Session, batch_id: UUID) -> None:
    """Delete a batch with its extractions and their jobs. A worker that runs one of them loses its lease and stops."""
    arguments = (session.scope.tenant_id, batch_id)
    jobs = await session.connection.fetch(
        """
        delete from jobs where tenant_id = $1 and (
            id in (select job_id from extractions where tenant_id = $1 and batch_id = $2)
            or id = (select starting_job from batches where tenant_id = $1 and id = $2))
        returning id, status
        """,
        *arguments,
    )
    session.stopped.update(job["id"] for job in jobs if job["status"] == "processing")
    # without its counts first: the batch needs no count of rows that are deleted with it
    for statement in (
        "delete from batch_counts where tenant_id = $1 and batch_id = $2",
        "delete from extractions where tenant_id = $1 and batch_id = $2",
        "delete from batches where tenant_id = $1 and id = $2",
    ):
        await session.connection.execute(statement, *arguments)


async def forget_keys(connection: Connection, *, older_than_days: float, limit: int, dry_run: bool) -> int:
    """Idempotency-Keys past their time may be used again."""
    return await change_or_count(
        connection,
        "update batches set idempotency_key = null, fingerprint = null",
        "batches",
        """
        where idempotency_key is not null and created_at < clock_timestamp() - make_interval(secs => $1) limit $2
        """,
        older_than_days * 86400,
        limit,
        dry_run=dry_run,
    )
