"""The queue's SQL: claim, beat, end, rescue, promote.

Times come from the database's clock alone. After the claim every write is fenced by id, attempt and worker: a worker
that lost its lease matches no row. Nothing here names a status to find a row it owns, because a status predicate lures
the planner to the wrong index.
"""

import time
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.db.old_rows import delete_or_count
from docsieve.db.queue.heads import EVERYTHING, Ranges
from docsieve.domain.ids import id_at
from docsieve.domain.jobs import ClaimedJob, JobFailure

# a job that outlives this many workers is what kills them
RESCUES_BEFORE_QUARANTINE = 3


# A claim need not be durable: if a server crash loses it, the job is pending again, and the fence lets only one of its
# runners end it. So the claim does not wait for the disk; everything that ends a job does.
TAKE = """
update jobs set
    status = 'processing', attempts = attempts + 1, worker_id = $3, run_at = null, waits_for = null, deferred_by = null,
    progress = null, stages = null, locked_at = clock_timestamp(), started_at = clock_timestamp(),
    lock_expires_at = clock_timestamp() + make_interval(secs => $4)
where (select set_config('synchronous_commit', 'off', true)) is not null and id = any(array({chosen}))
returning id, attempts, worker_id, tenant_id, project_id, document_id, job_type, queue, args, max_attempts, rescues,
    priority, turn
"""

_CLAIM = TAKE.format(
    chosen="""
    select ready.id
    from unnest($5::integer[], $6::float8[], $7::integer[]) as range (rank, floor, before) cross join lateral (
        select id from jobs
        where queue = $1 and status = 'pending' and (-priority, turn) >= (rank, floor) and -priority < before
        order by -priority, turn, id
        limit $2
        for update skip locked) as ready
    limit $2"""
)

_BEAT = """
update jobs set lock_expires_at = clock_timestamp() + make_interval(secs => $4)
where id = any($1::uuid[]) and attempts = $2 and worker_id = $3
returning id
"""

# As for a claim, a server crash may lose it, so nothing waits for the disk.
_PROGRESS = """
update jobs set progress = $4::jsonb, stages = $5::jsonb
where (select set_config('synchronous_commit', 'off', true)) is not null
  and id = $1 and attempts = $2 and worker_id = $3
"""

# For statements that write the results too. Its parameters are those of `_fenced`, stages and result.
ENDED = """
ended as (
    update jobs set
        status = 'completed', completed_at = clock_timestamp(), worker_id = null, lock_expires_at = null,
        error_code = null, error_message = null, error_details = null, progress = null,
        stages = coalesce($4::jsonb, stages), result = $5::jsonb,
        processing_time_ms = extract(epoch from clock_timestamp() - started_at) * 1000
    where id = any($1::uuid[]) and attempts = $2 and worker_id = $3
    returning id, tenant_id, project_id, queue, job_type),
counted as (
    insert into job_counts
    select tenant_id, project_id, queue, job_type, 'completed', count(*) from ended
    group by tenant_id, project_id, queue, job_type)
"""

_COMPLETE = f"with {ENDED} select id from ended"

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
    turn = greatest(turn, next_turn(queue, priority, null, 0)),
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
    turn = greatest(turn, next_turn(queue, priority, null, 0)),
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
    turn = greatest(turn, next_turn(queue, priority, null, 0)),
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


async def claim(
    connection: Connection,
    queue: str,
    *,
    limit: int,
    worker_id: str,
    lease_seconds: float,
    ranges: Ranges = EVERYTHING,
) -> list[ClaimedJob]:
    """Claim up to `limit` ready jobs of a queue in one statement, in fair order.

    The ranges may be outdated, which costs time only: floors never go back.
    """
    rows = await connection.fetch(
        _CLAIM, queue, limit, worker_id, lease_seconds, ranges.ranks, ranges.floors, ranges.before
    )
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


_DEPTHS = """
select queue, sum(pending)::bigint as pending, sum(processing)::bigint as processing,
       sum(scheduled)::bigint as scheduled,
       coalesce(extract(epoch from clock_timestamp() - min(oldest)), 0)::float8 as oldest_seconds
from (
    select queue, count(*) as pending, 0 as processing, 0 as scheduled, min(created_at) as oldest
    from jobs where status = 'pending' group by queue
    union all
    select queue, 0, count(*), 0, null from jobs where status = 'processing' group by queue
    union all
    select queue, 0, 0, count(*), null from jobs where status = 'scheduled' group by queue) as counted
group by queue
"""


async def depths(connection: Connection) -> list[dict[str, Any]]:
    """For each queue: the number of pending, running and scheduled jobs, and the age of the oldest pending one.

    One query per state, because the indexes of unfinished jobs are of one state each.
    """
    return [dict(row) for row in await connection.fetch(_DEPTHS)]
