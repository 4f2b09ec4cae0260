"""Who gets which job, and in which order."""

import asyncio
import json

from docsieve.db.queue import jobs
from docsieve.db.queue.heads import Head, ranges
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.jobs import ClaimedJob, NewJob
from docsieve.domain.scope import Scope
from tests.queue.conftest import Driver, Noop


async def test_a_claim_sets_the_worker_the_lease_and_started_at_and_counts_the_attempt(queue: Driver) -> None:
    [job_id] = await queue.enqueue(1)
    [job] = await queue.claim("w1")
    row = await queue.row(job_id)
    assert (row["status"], row["worker_id"], row["attempts"]) == ("processing", "w1", 1)
    assert row["started_at"] is not None and row["lock_expires_at"] > row["locked_at"]
    assert job.attempt == 1


async def test_many_workers_claiming_at_once_never_share_a_job(queue: Driver) -> None:
    await queue.enqueue(*range(500))
    batches = await asyncio.gather(*(queue.claim(f"w{n}", limit=40) for n in range(20)))
    claimed = [job.id for batch in batches for job in batch]
    assert len(claimed) == len(set(claimed))
    rest = await queue.claim("last", limit=500)
    assert len(claimed) + len(rest) == 500


async def test_a_higher_priority_goes_first_then_the_older_job(queue: Driver) -> None:
    await queue.enqueue(1, 2)
    await queue.enqueue(3, priority=5)
    numbers = [json.loads(job.args)["number"] for job in await _one_by_one(queue, 3)]
    assert numbers == [3, 1, 2]


async def _one_by_one(queue: Driver, count: int) -> list[ClaimedJob]:
    return [(await queue.claim(limit=1))[0] for _ in range(count)]


async def test_a_tenant_with_many_jobs_does_not_delay_the_first_of_another(queue: Driver) -> None:
    await queue.enqueue(*range(1000))
    other = await queue.tenant("other")
    await queue.enqueue(7, scope=other)
    first = await _one_by_one(queue, 2)
    assert other.tenant_id in {job.tenant_id for job in first}


async def test_a_tenant_that_was_served_gains_no_lead_over_one_that_comes_later(queue: Driver) -> None:
    await queue.enqueue(*range(100))
    await _one_by_one(queue, 50)
    other = await queue.tenant("other")
    await queue.enqueue(*range(100), scope=other)
    tenants = [job.tenant_id for job in await _one_by_one(queue, 40)]
    assert 18 <= tenants.count(other.tenant_id) <= 22


async def test_a_heavier_tenant_gets_its_share(queue: Driver) -> None:
    heavy = await queue.tenant("heavy", weight=3.0)
    await queue.enqueue(*range(200))
    await queue.enqueue(*range(200), scope=heavy)
    tenants = [job.tenant_id for job in await _one_by_one(queue, 80)]
    assert 56 <= tenants.count(heavy.tenant_id) <= 64


async def test_a_delayed_job_is_not_claimed_before_it_is_promoted(queue: Driver) -> None:
    [job_id] = await queue.enqueue(1, delay_seconds=3600.0)
    assert await queue.claim() == []
    async with queue.database.system() as connection:
        assert await jobs.promote(connection) == set()
        await connection.execute("update jobs set run_at = clock_timestamp() where id = $1", job_id)
        assert await jobs.promote(connection) == {"default"}
    assert [job.id for job in await queue.claim()] == [job_id]


async def test_a_unique_job_replaces_a_second_one_until_it_has_ended(queue: Driver) -> None:
    [first] = await queue.enqueue(1, unique_key="only")
    assert await queue.enqueue(2, unique_key="only") == [None]
    other: Scope = await queue.tenant("other")
    assert await queue.enqueue(3, unique_key="only", scope=other) != [None]
    claimed = await queue.claim()
    assert await queue.enqueue(4, unique_key="only") == [None]
    await queue.complete(claimed)
    assert await queue.enqueue(5, unique_key="only") not in ([None], [first])


async def test_jobs_enqueued_together_keep_what_differs_between_them_and_what_does_not(queue: Driver) -> None:
    alike = [NewJob(Noop(number=7), priority=3, max_attempts=5) for _ in range(3)]
    unlike = [NewJob(Noop(number=number), unique_key=f"only {number % 2}", delay_seconds=number) for number in range(3)]
    async with queue.database.tenant(queue.scope) as session:
        ids = await enqueue(session, [alike[0], *unlike, *alike[1:]])

    assert [job_id is None for job_id in ids] == [False, False, False, True, False, False]
    rows = [await queue.row(job_id) for job_id in ids if job_id is not None]
    assert [json.loads(row["args"])["number"] for row in rows] == [7, 0, 1, 7, 7]
    assert [row["status"] for row in rows] == ["pending", "pending", "scheduled", "pending", "pending"]
    assert [row["unique_key"] for row in rows] == [None, "only 0", "only 1", None, None]
    assert [(row["priority"], row["max_attempts"]) for row in rows] == [(3, 5), (0, 3), (0, 3), (3, 5), (3, 5)]


async def test_claiming_reads_the_matching_index_in_order_without_a_sort(queue: Driver) -> None:
    """Measured trap: an index that does not match the order makes claiming 13 times slower at 200,000 rows."""
    await queue.enqueue(*range(5000))
    await queue.database.pool.execute("analyze jobs")
    async with queue.database.system() as connection, connection.transaction():
        parts = ranges([Head(5, 10.0), Head(0, 70.0)])
        places = (parts.ranks, parts.floors, parts.before)
        plan = await connection.fetchval(f"explain (format json) {jobs._CLAIM}", "default", 100, "w", 30.0, *places)
    text = json.dumps(json.loads(plan))
    assert '"jobs_ready"' in text
    assert '"Sort"' not in text and '"Seq Scan"' not in text


async def test_the_turn_of_a_new_job_is_found_by_two_index_reads(queue: Driver) -> None:
    await queue.enqueue(*range(5000))
    await queue.database.pool.execute("analyze jobs")
    source = await queue.database.pool.fetchval("select prosrc from pg_proc where proname = 'next_turn'")
    query = source.replace("in_queue", "'default'").replace("in_priority", "0").replace("in_step", "1.0")
    query = query.replace("in_tenant", f"'{queue.scope.tenant_id}'::uuid")
    text = json.dumps(json.loads(await queue.database.pool.fetchval(f"explain (format json) {query}")))
    assert '"Sort"' not in text and '"Seq Scan"' not in text


async def test_ending_many_jobs_at_once_never_compares_each_with_each(queue: Driver) -> None:
    """Measured trap: as a join, a batch of a thousand cost a second, because the planner takes a worker for rare."""
    await queue.enqueue(*range(3000))
    await queue.database.pool.execute("analyze jobs")
    claimed = [job for _ in range(3) for job in await queue.claim(limit=1000)]
    async with queue.database.system() as connection, connection.transaction():
        ids = [job.id for job in claimed[:1000]]
        plan = await connection.fetchval(f"explain (format json) {jobs._COMPLETE}", ids, 1, "w1", None, None)
    assert '"Nested Loop"' not in plan and '"Function Scan"' not in plan
    assert len(await queue.complete(claimed)) == 3000


async def test_progress_is_written_without_waiting_for_the_disk(queue: Driver) -> None:
    """As claims are; a server crash may lose both."""
    await queue.enqueue(1)
    [job] = await queue.claim("w1")
    async with queue.database.system() as connection, connection.transaction():
        await connection.execute("set local synchronous_commit = on")
        await jobs.record_progress(connection, [(job, '{"stage": "reading"}', None)], worker_id="w1")
        assert await connection.fetchval("show synchronous_commit") == "off"
    assert '"reading"' in (await queue.row(job.id))["progress"]
