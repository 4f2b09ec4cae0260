"""Adds jobs to the queue, each at its tenant's next fair turn."""

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any
from uuid import UUID

from asyncpg.pgproto import pgproto

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Database, Session
from docsieve.db.queue.wake import WAKE_CHANNEL
from docsieve.domain.ids import new_id, new_raw_ids
from docsieve.domain.jobs import NewJob

_INSERT = """
insert into jobs (id, tenant_id, project_id, document_id, job_type, args, queue, priority, max_attempts, unique_key,
                  turn, status, run_at, waits_for, deferred_by, marks_turn)"""

# Of jobs that are enqueued together, every so many and the last show how far the tenant's turns go.
_MARKED = 100


_ONE = f"""{_INSERT}
select $5, $1, $4, $7, $3, $6::jsonb, $2, $8, $9, $10,
       next_turn($2, $8, $1, 1 / coalesce((select weight from tenants where id = $1), 1)),
       case when $11 > 0 or $13 > clock_timestamp() then 'scheduled' else 'pending' end,
       case when $11 > 0 then clock_timestamp() + make_interval(secs => $11)
            when $13 > clock_timestamp() then $13::timestamptz end,
       $12, case when $13 > clock_timestamp() then $14 end, true
"""


# What is the same for all jobs is a scalar subquery, evaluated once, and the arrays are unnested in the select list: a
# join with the first, and a table function for the second, would cost as much as an index.
_MANY = f"""
with tenant as materialized (select coalesce((select weight from tenants where id = $1), 1) as weight),
     start as materialized (
        select weight, next_turn($2, $6, $1, 1 / weight) as turn, clock_timestamp() as now from tenant)
{_INSERT}
select job.id, $1, $4, {{document_id}}, $3, {{args}}, $2, $6, $7, {{unique_key}},
       (select turn from start) + (job.place - 1) / (select weight from start),
       {{status}}, {{run_at}}, {{waits_for}}, {{deferred_by}}, job.place % {_MARKED} = 0 or job.place = cardinality($5)
from (select unnest($5::uuid[]) as id, generate_series(1, cardinality($5)) as place{{arrays}}) as job
"""

_DUE = {
    "status": "case when {delay} > 0 or $8 > {now} then 'scheduled' else 'pending' end",
    "run_at": """case when {delay} > 0 then {now} + make_interval(secs => {delay})
            when $8 > {now} then $8::timestamptz end""",
    "deferred_by": "case when $8 > {now} then $9 end",
}


# What may differ between jobs of one statement, in the order of its arguments from the tenth on.
_VARYING = {"args": "jsonb", "document_id": "uuid", "unique_key": "text", "delay": "float8", "waits_for": "uuid"}


@cache
def _many(varying: frozenset[str]) -> str:
    """The statement that takes arrays of these columns, and of the others one value for all jobs."""
    places = {name: f"${place}::{kind}" for place, (name, kind) in enumerate(_VARYING.items(), 10)}
    values = {name: f"job.{name}" if name in varying else places[name] for name in _VARYING}
    once = "{}" if "delay" in varying else "(select {})"
    due = {
        name: once.format(text.format(delay=values["delay"], now="(select now from start)"))
        for name, text in _DUE.items()
    }
    arrays = "".join(f", unnest({places[name]}[]) as {name}" for name in _VARYING if name in varying)
    return _MANY.format(arrays=arrays, **values, **due)


_SHARED_COLUMNS = attrgetter("args.__class__", "project_id", "priority", "max_attempts", "run_at", "deferred_by")


_VARYING_COLUMNS = attrgetter("document_id", "unique_key", "delay_seconds", "waits_for")


# Only where it is needed: it makes an insert a third slower.
_SKIP_EXISTING = " on conflict do nothing returning id"


# With a notification to idle workers that is sent with the commit.
_ONE_AND_WAKE = f"with added as ({_ONE}) select pg_notify('{WAKE_CHANNEL}', $2)"


async def enqueue(session: Session, jobs: Sequence[NewJob]) -> list[UUID | None]:
    """Add jobs in the caller's transaction; their queues are woken after its commit."""
    ids, queues = await _insert(session.connection, session.scope.tenant_id, jobs)
    session.woken.update(queues)
    return ids


async def enqueue_alone(database: Database, tenant_id: UUID, jobs: Sequence[NewJob]) -> list[UUID | None]:
    """Add jobs that belong to no other write, which saves the round trips of a transaction around them.

    Jobs whose id is taken are skipped: a periodic job has the same id in every worker.
    """
    async with database.pool.acquire() as connection:
        if len(jobs) == 1 and jobs[0].id is None and jobs[0].unique_key is None:
            queues = {jobs[0].args.queue} if jobs[0].ready else set()
            at_once = database.waker.may_wake_now(queues)
            added = new_id()
            await connection.execute(_ONE_AND_WAKE if at_once else _ONE, *_one(tenant_id, jobs[0], added))
            if not at_once:
                database.waker.wake(queues)
            return [added]
        ids, queues = await _insert(connection, tenant_id, jobs, skip_existing=True)
    database.waker.wake(queues)
    return ids


async def _insert(
    connection: Connection, tenant_id: UUID, jobs: Sequence[NewJob], *, skip_existing: bool = False
) -> tuple[list[UUID | None], set[str]]:
    """Insert each job at the tenant's next fair turn. Returns their ids, and the queues in which any of them is ready.

    The id of a job whose unique twin is unfinished is None.

    Start-time fair queueing without a shared counter: a turn is one step behind the tenant's last pending job, or that
    of the queue's head if the tenant has none, so a tenant with a million jobs does not delay another's first job.
    """
    ids, queues = _ids(jobs), set()
    for (kind, project_id, *rest), places in _alike(jobs).items():
        group, chosen = jobs, ids
        if len(places) < len(jobs):
            group, chosen = [jobs[place] for place in places], [ids[place] for place in places]
        if any(job.ready for job in group):
            queues.add(kind.queue)
        values, varying = _columns(group)
        arguments = (tenant_id, kind.queue, kind.job_type, project_id, chosen, *rest, *values)
        may_exist = "unique_key" in varying or values[2] is not None or (skip_existing and any(job.id for job in group))
        statement = _many(varying)
        if not may_exist:
            await connection.execute(statement, *arguments, timeout=BULK_SECONDS)
            continue
        rows = await connection.fetch(statement + _SKIP_EXISTING, *arguments, timeout=BULK_SECONDS)
        added = {row[0] for row in rows}
        for place in places:
            ids[place] = ids[place] if ids[place] in added else None
    return ids, queues


def _ids(jobs: Sequence[NewJob]) -> list[UUID | None]:
    given = [job.id for job in jobs]
    fresh = map(pgproto.UUID, new_raw_ids(given.count(None)))
    return [each or next(fresh) for each in given] if any(given) else list(fresh)


def _alike(jobs: Sequence[NewJob]) -> Mapping[tuple[Any, ...], Sequence[int]]:
    """The places of the jobs that one statement can insert."""
    kinds = set(map(_SHARED_COLUMNS, jobs))
    if len(kinds) == 1:
        return {kinds.pop(): range(len(jobs))}
    alike: dict[tuple[Any, ...], list[int]] = {}
    for place, same in enumerate(map(_SHARED_COLUMNS, jobs)):
        alike.setdefault(same, []).append(place)
    return alike


def _one(tenant_id: UUID, job: NewJob, job_id: UUID) -> tuple[Any, ...]:
    args = job.args
    return (
        tenant_id, args.queue, args.job_type, job.project_id, job_id, args.model_dump_json(), job.document_id,
        job.priority, job.max_attempts, job.unique_key, job.delay_seconds, job.waits_for, job.run_at, job.deferred_by,
    )  # fmt: skip


def _columns(jobs: Sequence[NewJob]) -> tuple[list[Any], frozenset[str]]:
    """The values of the columns in _VARYING, and which of them are arrays because they differ between the jobs."""
    texts = {key: args.model_dump_json() for key, args in {id(job.args): job.args for job in jobs}.items()}
    rest = set(map(_VARYING_COLUMNS, jobs))
    if len(rest) == 1:
        columns = [[value] for value in rest.pop()]
    else:
        columns = [list(column) for column in zip(*map(_VARYING_COLUMNS, jobs), strict=True)]
    columns.insert(0, [texts[id(job.args)] for job in jobs] if len(texts) > 1 else list(texts.values()))
    varying = frozenset(name for name, column in zip(_VARYING, columns, strict=True) if len(set(column)) > 1)
    values = [column if name in varying else column[0] for name, column in zip(_VARYING, columns, strict=True)]
    return values, varying
