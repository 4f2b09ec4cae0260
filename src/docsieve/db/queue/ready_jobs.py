"""Ready jobs by name, for a dispatcher that carries their ids to workers. The row says whether one is still ready."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.queue import heads
from docsieve.db.queue.jobs import TAKE
from docsieve.domain.jobs import ClaimedJob


class ReadyJob(NamedTuple):
    id: UUID
    job_type: str
    priority: int
    turn: float


# Read as a claim reads, from the floors on.
_FIRST = """
select ready.id, job_type, priority, turn
from unnest($3::integer[], $4::float8[], $5::integer[]) as range (rank, floor, before) cross join lateral (
    select id, job_type, priority, turn from jobs
    where queue = $1 and status = 'pending' and (-priority, turn) >= (rank, floor) and -priority < before
    order by -priority, turn, id
    limit $2) as ready
limit $2
"""

# The status is hidden from the planner, which would read all pending jobs of the queue to find a few by id.
_CLAIM_NAMED = TAKE.format(
    chosen="""
    select id from jobs
    where id = any($2::uuid[]) and queue = $1 and coalesce(status, '') = 'pending'
    for update skip locked"""
)


async def first(connection: Connection, queue: str, *, limit: int) -> list[ReadyJob]:
    """The jobs that a claim would take, in its order."""
    its = heads.ranges((await heads.find(connection, [queue]))[queue])
    rows = await connection.fetch(_FIRST, queue, limit, its.ranks, its.floors, its.before)
    return [ReadyJob._make(row) for row in rows]


async def claim_named(
    connection: Connection, queue: str, ids: Sequence[UUID], *, worker_id: str, lease_seconds: float
) -> list[ClaimedJob]:
    """Claim those of these jobs that are ready, in one statement."""
    rows = await connection.fetch(_CLAIM_NAMED, queue, ids, worker_id, lease_seconds)
    return [ClaimedJob._make(row) for row in rows]
