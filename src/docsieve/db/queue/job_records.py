"""Jobs as their owners see them: show, list, count, cancel, retry. The workers' side is `jobs.py`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.domain.jobs import DeferredBy, JobStatus
from docsieve.domain.scope import SYSTEM_TENANT, Scope


@dataclass(frozen=True, slots=True)
class JobRecord:
    id: UUID
    job_type: str
    queue: str
    status: str
    document_id: UUID | None
    priority: int
    attempts: int
    max_attempts: int
    rescues: int
    worker_id: str | None
    progress: dict[str, Any] | None
    result: dict[str, Any] | None
    run_at: datetime | None
    deferred_by: DeferredBy | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    processing_time_ms: int | None
    error_code: str | None
    error_message: str | None
    error_details: dict[str, Any] | None
    filename: str | None


@dataclass(frozen=True, slots=True)
class QueueDepth:
    """`oldest_pending_seconds` is null where none is ready to run."""

    name: str
    pending: int
    scheduled: int
    processing: int
    failed: int
    oldest_pending_seconds: float | None


@dataclass(frozen=True, slots=True)
class JobFilter:
    status: JobStatus | None = None
    job_type: str | None = None
    queue: str | None = None
    document_id: UUID | None = None
    ids: Sequence[UUID] | None = None
    project: str | None = None


_EXPRESSIONS = {
    "status": "case jobs.status when 'scheduled' then 'pending' else jobs.status end as status",
    "filename": """coalesce(
        (select filename from documents where documents.tenant_id = $1 and documents.id = jobs.document_id),
        (select filename from extractions
            join extraction_documents as its on its.extraction_id = extractions.id
            join documents on documents.id = its.document_id
            where extractions.tenant_id = $1 and extractions.job_id = jobs.id
            order by its.position limit 1)) as filename""",
}
_COLUMNS = ", ".join(_EXPRESSIONS.get(f.name, f"jobs.{f.name}") for f in fields(JobRecord))
_STORED = {JobStatus.pending: ["pending", "scheduled"]}
_OF_PROJECT = "project_id = (select projects.id from projects where projects.tenant_id = $1 and projects.name = {name})"
_MATCH = f"""
    tenant_id = $1 and ($2::uuid is null or project_id = $2) and ($3::text[] is null or jobs.status = any($3))
    and ($4::text is null or job_type = $4) and ($5::text is null or queue = $5)
    and ($6::uuid is null or document_id = $6) and ($7::uuid[] is null or id = any($7))
    and ($8::text is null or {_OF_PROJECT.format(name="$8")})
"""

_UNFINISHED = ("pending", "scheduled", "processing")
_COUNT_SOME = f"select jobs.status, count(*) from jobs where {_MATCH} group by jobs.status"
# Finished jobs pile up; they are counted as they end.
_COUNT_ALL = f"""
{_COUNT_SOME}
union all
select status, sum(job_counts.jobs)::bigint from job_counts
where tenant_id = $1 and ($2::uuid is null or project_id = $2) and ($4::text is null or job_type = $4)
  and ($5::text is null or queue = $5) and ($8::text is null or {_OF_PROJECT.format(name="$8")})
group by status
"""


def _record(row: asyncpg.Record) -> JobRecord:
    values = dict(row)
    for name in ("progress", "result", "error_details"):
        if values[name] is not None:
            values[name] = json.loads(values[name])
    return JobRecord(**values)


def _stored(status: JobStatus | None) -> list[str] | None:
    return None if status is None else _STORED.get(status, [status.value])


def _arguments(session: Session, wanted: JobFilter, statuses: list[str] | None) -> list[Any]:
    scope = session.scope
    ids = list(wanted.ids) if wanted.ids is not None else None
    return [
        scope.tenant_id,
        scope.project_id,
        statuses,
        wanted.job_type,
        wanted.queue,
        wanted.document_id,
        ids,
        wanted.project,
    ]


async def find(session: Session, job_id: UUID) -> JobRecord | None:
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from jobs where tenant_id = $1 and id = $2", session.scope.tenant_id, job_id
    )
    return _record(row) if row else None


async def scope_for_operator(connection: Connection, job_id: UUID, scope: Scope) -> Scope:
    """The scope of the server itself if this is one of its jobs, otherwise that of the operator."""
    found = await connection.fetchval("select true from jobs where tenant_id = $1 and id = $2", SYSTEM_TENANT, job_id)
    return Scope(SYSTEM_TENANT) if found else scope


async def list_page(session: Session, wanted: JobFilter, *, before: UUID | None, limit: int) -> list[JobRecord]:
    """Newest first."""
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from jobs where {_MATCH} and ($9::uuid is null or id < $9) order by id desc limit $10",
        *_arguments(session, wanted, _stored(wanted.status)),
        before,
        limit,
    )
    return [_record(row) for row in rows]


async def count_by_status(session: Session, wanted: JobFilter) -> dict[str, int]:
    """How many jobs match in each state, whatever state the filter names."""
    single = wanted.document_id is not None or wanted.ids is not None
    rows = await session.connection.fetch(
        _COUNT_SOME if single else _COUNT_ALL, *_arguments(session, wanted, list(_UNFINISHED) if not single else None)
    )
    counts = {status.value: 0 for status in JobStatus}
    for status, count in rows:
        counts["pending" if status == "scheduled" else status] += count
    return counts


async def count_by_queue(session: Session, project: str | None = None) -> list[QueueDepth]:
    """What waits, runs and has failed in each queue that has any of it."""
    rows = await session.connection.fetch(
        f"""
        select queue,
               count(*) filter (where jobs.status = 'pending'), count(*) filter (where jobs.status = 'scheduled'),
               count(*) filter (where jobs.status = 'processing'), count(*) filter (where jobs.status = 'failed'),
               extract(epoch from clock_timestamp() - min(created_at) filter (where jobs.status = 'pending'))::float8
        from jobs
        where tenant_id = $1 and ($2::uuid is null or project_id = $2)
          and ($3::text is null or {_OF_PROJECT.format(name="$3")})
          and jobs.status in ('pending', 'scheduled', 'processing', 'failed')
        group by queue order by queue
        """,
        session.scope.tenant_id,
        session.scope.project_id,
        project,
    )
    return [QueueDepth(*row) for row in rows]


# Cancelling clears the worker, so the fence of a running attempt no longer matches: nothing is written after this.
_CANCEL = """
update jobs set status = 'cancelled', cancel_requested = true, completed_at = clock_timestamp(),
    worker_id = null, lock_expires_at = null, run_at = null,
    error_code = 'cancelled', error_message = 'Cancelled on request.', error_details = null
where {which} and jobs.status in ('scheduled', 'pending', 'processing')
returning id, document_id, job_type
"""

_CANCEL_ENTRIES = """
with recursive family as (
    select id, id as archive_id from documents where tenant_id = $1 and id = any($2::uuid[])
    union
    select child.id, family.archive_id from documents as child join family on child.parent_id = family.id
    where child.tenant_id = $1)
update jobs set status = 'cancelled', cancel_requested = true, completed_at = clock_timestamp(),
    worker_id = null, lock_expires_at = null, run_at = null,
    error_code = 'cancelled', error_message = 'Cancelled on request.', error_details = null
from family join documents on documents.id = family.id and documents.tenant_id = $1
where jobs.tenant_id = $1 and jobs.id = documents.job_id and family.id <> family.archive_id
  and jobs.status in ('scheduled', 'pending', 'processing')
returning jobs.id, family.archive_id
"""

# Attempts only ever grow here, because they are part of the fence; a retry gets a fresh allowance on top. A job that
# its document has left behind for a newer one, or whose unique twin is under way, stays failed.
_RETRY = """
update jobs set status = 'pending', max_attempts = attempts + {allowance}, rescues = 0, completed_at = null,
    cancel_requested = false, run_at = null, turn = greatest(turn, next_turn(queue, priority, null, 0)),
    error_code = null, error_message = null, error_details = null, progress = null
where {which} and jobs.status = 'failed'
    and (document_id is null or exists (
        select from documents where documents.id = jobs.document_id and documents.job_id = jobs.id))
    and (unique_key is null or not exists (
        select from jobs twin
        where twin.tenant_id = jobs.tenant_id and twin.job_type = jobs.job_type and twin.unique_key = jobs.unique_key
          and twin.status in ('scheduled', 'pending', 'processing')))
returning id, queue
"""


async def cancel(session: Session, job_id: UUID) -> bool:
    return bool(await cancel_these(session, [job_id]))


async def cancel_these(session: Session, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these jobs were still to be cancelled."""
    which = "tenant_id = $1 and id = any($2::uuid[])"
    rows = await session.connection.fetch(_CANCEL.format(which=which), session.scope.tenant_id, sorted(ids))
    return await _cancelled(session, rows)


async def _cancelled(session: Session, rows: Sequence[asyncpg.Record]) -> set[UUID]:
    """With the job that unpacks an archive, those of its entries are cancelled too."""
    session.stopped.update(row["id"] for row in rows)
    await cancel_entries(session, [row["document_id"] for row in rows if row["job_type"] == "unpack_archive"])
    return {row["id"] for row in rows}


async def cancel_entries(session: Session, archives: Sequence[UUID]) -> set[UUID]:
    """Cancel the jobs of all documents inside these archives. Returns the archives that had any.

    Runs after the jobs of the archives were cancelled: a slice that was being committed is then visible.
    """
    if not archives:
        return set()
    rows = await session.connection.fetch(
        _CANCEL_ENTRIES, session.scope.tenant_id, list(archives), timeout=BULK_SECONDS
    )
    session.stopped.update(row["id"] for row in rows)
    return {row["archive_id"] for row in rows}


async def cancel_matching(session: Session, wanted: JobFilter) -> int:
    rows = await session.connection.fetch(
        _CANCEL.format(which=_MATCH), *_arguments(session, wanted, _stored(wanted.status)), timeout=BULK_SECONDS
    )
    return len(await _cancelled(session, rows))


async def retry(session: Session, job_id: UUID, *, allowance: int) -> bool:
    rows = await session.connection.fetch(
        _RETRY.format(which="tenant_id = $1 and id = $2", allowance="$3::int"),
        session.scope.tenant_id,
        job_id,
        allowance,
    )
    session.woken.update(row[1] for row in rows)
    return bool(rows)


async def retry_matching(session: Session, wanted: JobFilter, *, allowance: int) -> int:
    rows = await session.connection.fetch(
        _RETRY.format(which=_MATCH, allowance="$9::int"),
        *_arguments(session, wanted, _stored(wanted.status)),
        allowance,
        timeout=BULK_SECONDS,
    )
    session.woken.update(row[1] for row in rows)
    return len(rows)


async def find_unfinished(session: Session, job_type: str, unique_key: str) -> UUID | None:
    found: UUID | None = await session.connection.fetchval(
        """
        select id from jobs where tenant_id = $1 and job_type = $2 and unique_key = $3
          and status in ('scheduled', 'pending', 'processing')
        """,
        session.scope.tenant_id,
        job_type,
        unique_key,
    )
    return found


async def newest_of_type(session: Session, job_type: str, *, finished: bool) -> JobRecord | None:
    """The newest maintenance job of a type, without dry runs: one that is finished, or one that is not."""
    row = await session.connection.fetchrow(
        f"""
        select {_COLUMNS} from jobs
        where tenant_id = $1 and queue = 'maintenance' and job_type = $2 and args ->> 'dry_run' is distinct from 'true'
          and (jobs.status in ('completed', 'failed', 'cancelled')) = $3
        order by id desc limit 1
        """,
        session.scope.tenant_id,
        job_type,
        finished,
    )
    return _record(row) if row else None
