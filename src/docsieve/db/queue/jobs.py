"""The queue's SQL: enqueue, claim, beat, end, rescue, promote.

Times come from the database's clock alone. After the claim every write is fenced by id, attempt and worker: a worker
that lost its lease matches no row. Nothing here names a status to find a row it owns, because a status predicate lures
the planner to the wrong index.
"""

import time
from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import Any
from uuid import UUID

import asyncpg
from asyncpg.pgproto import pgproto

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Database, Session
from docsieve.db.old_rows import delete_or_count
from docsieve.db.queue.wake import WAKE_CHANNEL
from docsieve.domain.ids import id_at, new_id, new_raw_ids
from docsieve.domain.jobs import ClaimedJob, JobFailure, NewJob

# a job that outlives this many workers is what kills them
RESCUES_BEFORE_QUARANTINE = 3

_INSERT = """
insert into jobs (id, tenant_id, project_id, document_id, job_type, args, queue, priority, max_attempts, unique_key,
                  turn, status, run_at, waits_for, deferred_by)"""

_ONE = f"""{_INSERT}
select $5, $1, $4, $7, $3, $6::jsonb, $2, $8, $9, $10,
       next_turn($2, $8, $1, 1 / coalesce((select weight from tenants where id = $1), 1)),
       case when $11 > 0 or $13 > clock_timestamp() then 'scheduled' else 'pending' end,
       case when $11 > 0 then clock_timestamp() + make_interval(secs => $11)
            when $13 > clock_timestamp() then $13::timestamptz end,
       $12, case when $13 > clock_timestamp() then $14 end
"""

# The start is materialized: pulled up into the join, the turn would be looked up again for every row.
_MANY = f"""
with tenant as materialized (select coalesce((select weight from tenants where id = $1), 1) as weight),
     start as materialized (select weight, next_turn($2, $6, $1, 1 / weight) as turn from tenant)
{_INSERT}
select job.id, $1, $4, {{document_id}}, $3, {{args}}, $2, $6, $7, {{unique_key}},
       start.turn + (job.place - 1) / start.weight,
       case when {{delay}} > 0 or $8 > clock_timestamp() then 'scheduled' else 'pending' end,
       case when {{delay}} > 0 then clock_timestamp() + make_interval(secs => {{delay}})
            when $8 > clock_timestamp() then $8::timestamptz end,
       {{waits_for}}, case when $8 > clock_timestamp() then $9 end
from start, unnest($5::uuid[]{{arrays}}) with ordinality as job (id{{varying}}, place)
"""

# What may differ between jobs of one statement, in the order of its arguments from the tenth on.
_VARYING = {"args": "jsonb", "document_id": "uuid", "unique_key": "text", "delay": "float8", "waits_for": "uuid"}


@cache
def _many(varying: frozenset[str]) -> str:
    """The statement that takes arrays of these columns, and of the others one value for all jobs."""
    places = {name: f"${place}::{kind}" for place, (name, kind) in enumerate(_VARYING.items(), 10)}
    return _MANY.format(
        arrays="".join(f", {places[name]}[]" for name in _VARYING if name in varying),
        varying="".join(f", {name}" for name in _VARYING if name in varying),
        **{name: f"job.{name}" if name in varying else places[name] for name in _VARYING},
    )


_WHAT_IS_ALIKE = attrgetter(
    "args.queue", "args.job_type", "project_id", "priority", "max_attempts", "run_at", "deferred_by"
)
_WHAT_VARIES = attrgetter("document_id", "unique_key", "delay_seconds", "waits_for")

# Only where it is needed: it makes an insert a third slower.
_SKIP_EXISTING = " on conflict do nothing returning id"

# With a notification to idle workers that is sent with the commit.
_ONE_AND_WAKE = f"with added as ({_ONE}) select pg_notify('{WAKE_CHANNEL}', $2)"

# A claim need not be durable: if a server crash loses it, the job is pending again, and the fence lets only one of its
# runners end it. So the claim does not wait for the disk; everything that ends a job does.
_CLAIM = """
update jobs set
    status = 'processing', attempts = attempts + 1, worker_id = $3, run_at = null, waits_for = null, deferred_by = null,
    progress = null, stages = null, locked_at = clock_timestamp(), started_at = clock_timestamp(),
    lock_expires_at = clock_timestamp() + make_interval(secs => $4)
where (select set_config('synchronous_commit', 'off', true)) is not null and id = any(array(
    select id from jobs
    where queue = $1 and status = 'pending'
    order by priority desc, turn, id
    limit $2
    for update skip locked))
returning id, attempts, worker_id, tenant_id, project_id, document_id, job_type, queue, args, max_attempts, rescues
"""

_BEAT = """
update jobs set lock_expires_at = clock_timestamp() + make_interval(secs => $4)
where id = any($1::uuid[]) and attempts = $2 and worker_id = $3
returning id
"""

_PROGRESS = """
update jobs set progress = $4::jsonb, stages = $5::jsonb where id = $1 and attempts = $2 and worker_id = $3
"""

_COMPLETE = """
update jobs set
    status = 'completed', completed_at = clock_timestamp(), worker_id = null, lock_expires_at = null,
    error_code = null, error_message = null, error_details = null, progress = null,
    stages = coalesce($4::jsonb, stages), result = $5::jsonb,
    processing_time_ms = extract(epoch from clock_timestamp() - started_at) * 1000
where id = any($1::uuid[]) and attempts = $2 and worker_id = $3
returning id
"""

_FAIL = """
update jobs set
    status = case when $4::float8 is null then 'failed' when $4 > 0 then 'scheduled' else 'pending' end,
    run_at = case when $4 > 0 then clock_timestamp() + make_interval(secs => $4) end,
    completed_at = case when $4::float8 is null then clock_timestamp() end,
    processing_time_ms = extract(epoch from clock_timestamp() - started_at) * 1000,
    turn = greatest(turn, next_turn(queue, priority, null, 0)),
    worker_id = null, lock_expires_at = null,
    error_code = $5, error_message = $6, error_details = $7::jsonb, stages = coalesce($8::jsonb, stages)
where id = $1 and attempts = $2 and worker_id = $3
returning id
"""

# The attempt was not the job's fault, so it does not count; a worker other than this one may count it again.
_HAND_BACK = """
update jobs set
    status = case when $4 > 0 then 'scheduled' else 'pending' end,
    run_at = case when $4 > 0 then clock_timestamp() + make_interval(secs => $4) end,
    attempts = attempts - 1, worker_id = null, lock_expires_at = null, stages = coalesce($5::jsonb, stages)
where id = any($1::uuid[]) and attempts = $2 and worker_id = $3
returning id
"""

# The same for a job that waits for a document. The lock on the document waits for the transaction that ends its
# reading, or makes that one wait, so that either this sees the end or that one sees the waiting job.
_WAIT_FOR_DOCUMENT = """
with unread as materialized (select status from documents where id = $4 for share)
update jobs set
    status = case when exists (select from unread where document_in_progress(status)) then 'scheduled'
        else 'pending' end,
    run_at = case when exists (select from unread where document_in_progress(status))
        then clock_timestamp() + make_interval(secs => $5) end,
    waits_for = $4, attempts = attempts - 1, worker_id = null, lock_expires_at = null,
    stages = coalesce($6::jsonb, stages)
where id = $1 and attempts = $2 and worker_id = $3
returning id
"""

# One guarded statement: a heartbeat that comes first moves the expiry and the row no longer matches.
_RESCUE = """
update jobs set
    status = case when rescues + 1 >= $2 or attempts - rescues - 1 >= max_attempts then 'failed' else 'pending' end,
    completed_at = case when rescues + 1 >= $2 or attempts - rescues - 1 >= max_attempts then clock_timestamp() end,
    rescues = rescues + 1, worker_id = null, lock_expires_at = null,
    error_code = case when rescues + 1 >= $2 then 'quarantined' else 'worker_lost' end,
    error_message = case when rescues + 1 >= $2
        then 'Set aside: ' || (rescues + 1) || ' workers were lost while running this job.'
        else 'The worker running this job stopped answering.' end,
    error_details = jsonb_build_object('worker_id', worker_id, 'attempt', attempts)
where id = any(array(
    select id from jobs
    where status = 'processing' and lock_expires_at < clock_timestamp()
    limit $1
    for update skip locked))
returning id, queue, status
"""

_PROMOTE = """
update jobs set status = 'pending', turn = greatest(turn, next_turn(queue, priority, null, 0))
where id = any(array(
    select id from jobs
    where status = 'scheduled' and run_at <= clock_timestamp()
    order by run_at
    limit $1
    for update skip locked))
returning queue
"""


async def enqueue(session: Session, jobs: Sequence[NewJob]) -> list[UUID | None]:
    """Add jobs in the caller's transaction; their queues are woken after its commit."""
    session.woken.update({job.args.queue for job in jobs if job.ready})
    return await _insert(session.connection, session.scope.tenant_id, jobs)


async def enqueue_alone(database: Database, tenant_id: UUID, jobs: Sequence[NewJob]) -> list[UUID | None]:
    """Add jobs that belong to no other write, which saves the round trips of a transaction around them.

    Jobs whose id is taken are skipped: a periodic job has the same id in every worker.
    """
    queues = {job.args.queue for job in jobs if job.ready}
    async with database.pool.acquire() as connection:
        if len(jobs) == 1 and jobs[0].id is None and jobs[0].unique_key is None:
            at_once = database.waker.may_wake_now(queues)
            added = new_id()
            await connection.execute(_ONE_AND_WAKE if at_once else _ONE, *_one(tenant_id, jobs[0], added))
            if not at_once:
                database.waker.wake(queues)
            return [added]
        ids = await _insert(connection, tenant_id, jobs, skip_existing=True)
    database.waker.wake(queues)
    return ids


async def _insert(
    connection: Connection, tenant_id: UUID, jobs: Sequence[NewJob], *, skip_existing: bool = False
) -> list[UUID | None]:
    """Insert each job at the tenant's next fair turn. Returns None for a job whose unique twin is unfinished.

    Start-time fair queueing without a shared counter: a turn is one step behind the tenant's last pending job, or that
    of the queue's head if the tenant has none, so a tenant with a million jobs does not delay another's first job.
    """
    fresh = map(pgproto.UUID, new_raw_ids(sum([job.id is None for job in jobs])))
    ids: list[UUID | None] = [next(fresh) if job.id is None else job.id for job in jobs]
    alike: dict[tuple[Any, ...], list[int]] = {}
    for place, same in enumerate(map(_WHAT_IS_ALIKE, jobs)):
        alike.setdefault(same, []).append(place)
    for (queue, job_type, project_id, *rest), places in alike.items():
        group = [jobs[place] for place in places]
        values, varying = _columns(group)
        chosen = [ids[place] for place in places]
        arguments = (tenant_id, queue, job_type, project_id, chosen, *rest, *values)
        may_exist = "unique_key" in varying or values[2] is not None or (skip_existing and any(job.id for job in group))
        statement = _many(varying)
        if not may_exist:
            await connection.execute(statement, *arguments, timeout=BULK_SECONDS)
            continue
        rows = await connection.fetch(statement + _SKIP_EXISTING, *arguments, timeout=BULK_SECONDS)
        added = {row[0] for row in rows}
        for place in places:
            ids[place] = ids[place] if ids[place] in added else None
    return ids


def _one(tenant_id: UUID, job: NewJob, job_id: UUID) -> tuple[Any, ...]:
    args = job.args
    return (
        tenant_id, args.queue, args.job_type, job.project_id, job_id, args.model_dump_json(), job.document_id,
        job.priority, job.max_attempts, job.unique_key, job.delay_seconds, job.waits_for, job.run_at, job.deferred_by,
    )  # fmt: skip


def _columns(jobs: Sequence[NewJob]) -> tuple[list[Any], frozenset[str]]:
    """The values of the columns in _VARYING, and which of them are arrays because they differ between the jobs."""
    texts = {key: args.model_dump_json() for key, args in {id(job.args): job.args for job in jobs}.items()}
    rest = set(map(_WHAT_VARIES, jobs))
    if len(rest) == 1:
        columns = [[value] for value in rest.pop()]
    else:
        columns = [list(column) for column in zip(*map(_WHAT_VARIES, jobs), strict=True)]
    columns.insert(0, [texts[id(job.args)] for job in jobs] if len(texts) > 1 else list(texts.values()))
    varying = frozenset(name for name, column in zip(_VARYING, columns, strict=True) if len(set(column)) > 1)
    values = [column if name in varying else column[0] for name, column in zip(_VARYING, columns, strict=True)]
    return values, varying


async def claim(
    connection: Connection, queue: str, *, limit: int, worker_id: str, lease_seconds: float
) -> list[ClaimedJob]:
    """Claim up to `limit` ready jobs of a queue in one statement, in fair order."""
    rows = await connection.fetch(_CLAIM, queue, limit, worker_id, lease_seconds)
    return [ClaimedJob._make(row) for row in rows]


async def _fenced(connection: Connection, statement: str, jobs: Sequence[ClaimedJob], *arguments: object) -> set[UUID]:
    """Run a fenced statement, once for each attempt number among the jobs, which is nearly always once.

    Joining a list of (id, attempt) pairs instead invites a nested loop over all that this worker holds: the planner
    takes the worker for rare, and a batch of a thousand then costs a million comparisons.
    """
    by_attempt: dict[int, list[UUID]] = {}
    for job in jobs:
        by_attempt.setdefault(job.attempt, []).append(job.id)
    ours: set[UUID] = set()
    for attempt, ids in by_attempt.items():
        ours.update(row[0] for row in await connection.fetch(statement, ids, attempt, *arguments))
    return ours


async def hold(connection: Connection, job: ClaimedJob) -> bool:
    """Lock a job that is still ours until the transaction ends: what is written with it cannot be outdated."""
    row = await connection.fetchrow(
        "select id from jobs where id = $1 and attempts = $2 and worker_id = $3 for no key update",
        job.id,
        job.attempt,
        job.worker_id,
    )
    return row is not None


async def beat(
    connection: Connection, jobs: Sequence[ClaimedJob], *, worker_id: str, lease_seconds: float
) -> set[UUID]:
    """Renew all of a worker's leases at once. Ids missing from the result are no longer leased to it."""
    return await _fenced(connection, _BEAT, jobs, worker_id, lease_seconds)


async def record_progress(
    connection: Connection, progress: Sequence[tuple[ClaimedJob, str, str | None]], *, worker_id: str
) -> None:
    """Record the progress of jobs and the duration of each stage, one statement per job, as few change at once."""
    for job, text, stages in progress:
        await connection.execute(_PROGRESS, job.id, job.attempt, worker_id, text, stages)


async def complete(
    connection: Connection,
    jobs: Sequence[ClaimedJob],
    *,
    worker_id: str,
    stages: str | None = None,
    result: str | None = None,
) -> set[UUID]:
    """Complete jobs. Ids missing from the result were lost, and their results must be discarded.

    `stages` is the duration of each stage of a single job; without it, the last recorded stages stay. `result` is what
    it reports. Both are JSON.
    """
    return await _fenced(connection, _COMPLETE, jobs, worker_id, stages, result)


async def fail(
    connection: Connection,
    job: ClaimedJob,
    failure: JobFailure,
    *,
    details: str | None,
    retry_in: float | None,
    stages: str | None = None,
) -> bool:
    """Fail an attempt: retry after `retry_in` seconds, or fail the job if None. False if the lease was lost."""
    row = await connection.fetchval(
        _FAIL, job.id, job.attempt, job.worker_id, retry_in, failure.code, failure.message, details, stages
    )
    return row is not None


async def hand_back(
    connection: Connection,
    jobs: Sequence[ClaimedJob],
    *,
    worker_id: str,
    delay_seconds: float = 0.0,
    stages: str | None = None,
) -> set[UUID]:
    """Return unfinished jobs to the queue without using up their attempt."""
    return await _fenced(connection, _HAND_BACK, jobs, worker_id, delay_seconds, stages)


async def wait_for_document(
    connection: Connection, job: ClaimedJob, document_id: UUID, *, delay_seconds: float, stages: str | None
) -> bool:
    """Return a job to the queue until the document is no longer being read. False if the lease was lost."""
    row = await connection.fetchval(
        _WAIT_FOR_DOCUMENT, job.id, job.attempt, job.worker_id, document_id, delay_seconds, stages
    )
    return row is not None


async def rescue(connection: Connection, *, limit: int = 500) -> list[asyncpg.Record]:
    """Take back jobs whose lease expired. Each row is (id, queue, new status)."""
    return await connection.fetch(_RESCUE, limit, RESCUES_BEFORE_QUARANTINE)


async def promote(connection: Connection, *, limit: int = 1000) -> set[str]:
    """Make scheduled jobs ready when they are due. Returns the queues to wake."""
    return {row[0] for row in await connection.fetch(_PROMOTE, limit)}


async def lost_to_cancel(connection: Connection, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these jobs were cancelled, so that a stopped attempt is not mistaken for a lost lease."""
    rows = await connection.fetch("select id from jobs where id = any($1::uuid[]) and cancel_requested", ids)
    return {row[0] for row in rows}


async def prune(connection: Connection, *, older_than_days: float, limit: int, dry_run: bool = False) -> int:
    """Remove finished jobs that are not a document's current job. Ids sort by time, so the oldest come first."""
    return await delete_or_count(
        connection,
        "jobs",
        """
        where id < $1 and status in ('completed', 'failed', 'cancelled')
          and not exists (
              select from documents where documents.id = jobs.document_id and documents.job_id = jobs.id)
        order by id limit $2
        """,
        _id_at_age(older_than_days),
        limit,
        dry_run=dry_run,
    )


def _id_at_age(days: float) -> UUID:
    return id_at(int((time.time() - days * 86400) * 1000), 0)


async def depths(connection: Connection) -> list[dict[str, Any]]:
    """For each queue: the number of pending, running and scheduled jobs, and the age of the oldest pending one."""
    rows = await connection.fetch(
        """
        select queue,
               count(*) filter (where status = 'pending') as pending,
               count(*) filter (where status = 'processing') as processing,
               count(*) filter (where status = 'scheduled') as scheduled,
               coalesce(extract(epoch from clock_timestamp() - min(created_at) filter (where status = 'pending')),
                        0)::float8 as oldest_seconds
        from jobs where status in ('pending', 'processing', 'scheduled') group by queue
        """
    )
    return [dict(row) for row in rows]
