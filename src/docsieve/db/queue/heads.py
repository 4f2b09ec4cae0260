"""Where the pending jobs of each queue and priority begin.

A claimed job leaves an entry in the index of pending jobs that cannot be removed while any session holds an older
snapshot. Claims would read over all of them, again and again. So they start at the floor, behind which no job waits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from docsieve.db.connection.driver import Connection

MOVE_SECONDS = 0.1
"""At least this long between two moves. A job is behind the floor only if its enqueue took longer to commit."""

_FIRST = float("-inf")
_AFTER_ALL = 2**31 - 1


class Head(NamedTuple):
    priority: int
    floor: float


@dataclass(frozen=True, slots=True)
class Ranges:
    """The parts of the index that a claim reads, in order.

    Each begins at the floor of a priority and ends before the next known one, so that a priority without a floor is
    read too. Ranks are negative priorities.
    """

    ranks: Sequence[int]
    floors: Sequence[float]
    before: Sequence[int]


def ranges(heads: Sequence[Head]) -> Ranges:
    highest_first = sorted(heads, reverse=True)
    ranks = [-head.priority for head in highest_first]
    return Ranges([-_AFTER_ALL, *ranks], [_FIRST, *(head.floor for head in highest_first)], [*ranks, _AFTER_ALL])


EVERYTHING = ranges([])

# `first` is where jobs wait. The floor moves to where new jobs have started since the last move, unless jobs wait
# before that. New jobs start at the first one that waits; if that does not move although jobs are claimed, because
# all that come are placed there, or if none waits, they start behind it. A move that a crash of the server loses is
# made again, so it does not wait for the disk.
_MOVE = """
insert into queue_heads as head (queue, priority, floor, start) values ($1, $2, '-infinity', 0)
on conflict (queue, priority) do update set (floor, start, moved_at) = (
    select greatest(head.floor, least(head.start, first)),
           case when first is null then greatest(head.start, $3) + 1
                when first = head.start then first + 1
                else greatest(head.start, first) end,
           clock_timestamp()
    from (select (
        select turn from jobs
        where queue = $1 and status = 'pending' and -priority = -$2::integer and turn >= head.floor
        order by turn, id limit 1)) as waiting (first))
where head.moved_at < clock_timestamp() - make_interval(secs => $4)
  and (select set_config('synchronous_commit', 'off', true)) is not null
"""

_LIFT = """
update jobs set turn = greatest(turn, next_turn(queue, priority, null, 0))
where id = any(array(
    select behind.id from queue_heads as head cross join lateral (
        select id from jobs
        where queue = head.queue and status = 'pending' and -priority = -head.priority and turn < head.floor
        order by turn, id
        limit $1
        for update skip locked) as behind))
returning queue
"""


async def move(connection: Connection, queue: str, priority: int, claimed_turn: float) -> None:
    """Move the head of a queue forward after jobs up to a turn were claimed. It may be moved by another worker."""
    await connection.execute(_MOVE, queue, priority, claimed_turn, MOVE_SECONDS)


async def lift(connection: Connection, *, limit: int = 1000) -> set[str]:
    """Bring pending jobs that are behind the floor to the head. Returns their queues.

    Reads over all that claims skip, so it must not run too often while that is much.
    """
    return {row[0] for row in await connection.fetch(_LIFT, limit)}


async def find(connection: Connection, queues: Sequence[str]) -> dict[str, list[Head]]:
    rows = await connection.fetch(
        "select queue, priority, floor from queue_heads where queue = any($1::text[])", list(queues)
    )
    found: dict[str, list[Head]] = {queue: [] for queue in queues}
    for queue, priority, floor in rows:
        found[queue].append(Head(priority, floor))
    return found
