"""Finished jobs are counted as they end, and the counts are exact whatever happens to the jobs."""

from docsieve.db.queue import job_counts, job_records, jobs
from docsieve.db.queue.job_records import JobFilter
from docsieve.domain.jobs import JobFailure
from tests.queue.conftest import Driver


async def _counts(queue: Driver, wanted: JobFilter | None = None) -> dict[str, int]:
    async with queue.database.tenant(queue.scope) as session:
        found = await job_records.count_by_status(session, wanted or JobFilter())
    return {status: count for status, count in found.items() if count}


async def test_counts_follow_every_change_of_a_finished_job(queue: Driver) -> None:
    await queue.enqueue(*range(5))
    assert await _counts(queue) == {"pending": 5}
    one, two, three, four, _five = await queue.claim()
    await queue.complete([one, two])
    async with queue.database.system() as connection:
        await jobs.fail(connection, three, JobFailure("some_error", "No."), details=None, retry_in=None)
    async with queue.database.tenant(queue.scope) as session:
        await job_records.cancel(session, four.id)
    assert await _counts(queue) == {"completed": 2, "failed": 1, "cancelled": 1, "processing": 1}
    async with queue.database.tenant(queue.scope) as session:
        await job_records.retry(session, three.id, allowance=3)
    await queue.database.pool.execute("delete from jobs where id = any($1::uuid[])", [one.id, four.id])
    assert await _counts(queue) == {"completed": 1, "pending": 1, "processing": 1}


async def test_counts_are_filtered_by_type_and_queue(queue: Driver) -> None:
    await queue.enqueue(*range(3))
    await queue.complete(await queue.claim())
    assert await _counts(queue, JobFilter(job_type="noop", queue="default")) == {"completed": 3}
    assert await _counts(queue, JobFilter(job_type="other")) == {}
    assert await _counts(queue, JobFilter(queue="other")) == {}


async def test_rows_are_added_up_without_changing_a_count(queue: Driver) -> None:
    other = await queue.tenant("other")
    await queue.enqueue(7, scope=other)
    await queue.enqueue(*range(150))
    for job in await queue.claim(limit=200):
        await queue.complete([job])
    before = await _counts(queue)
    async with queue.database.system() as connection:
        await job_counts.add_up(connection)
    assert await _counts(queue) == before == {"completed": 150}
    rows = await queue.database.pool.fetch("select count(*) from job_counts group by tenant_id")
    assert [row[0] for row in rows] == [1, 1]


async def test_counting_reads_no_finished_job(queue: Driver) -> None:
    await queue.enqueue(*range(2000))
    await queue.complete(await queue.claim(limit=2000))
    await queue.database.pool.execute("vacuum analyze jobs")
    arguments = (queue.scope.tenant_id, None, list(job_records._UNFINISHED), None, None, None, None, None)
    plan = await queue.database.pool.fetch(f"explain (analyze, timing off) {job_records._COUNT_ALL}", *arguments)
    assert not any("Seq Scan on jobs" in row[0] or "actual rows=2000" in row[0] for row in plan), plan


async def test_old_finished_jobs_are_pruned_and_others_are_kept(queue: Driver) -> None:
    await queue.enqueue(1, 2, 3)
    await queue.complete(await queue.claim(limit=2))
    async with queue.database.system() as connection:
        assert await jobs.prune(connection, older_than_days=1, limit=10) == 0
        assert await jobs.prune(connection, older_than_days=-1, limit=10, dry_run=True) == 2
        assert await jobs.prune(connection, older_than_days=-1, limit=10) == 2
    assert await queue.database.pool.fetchval("select count(*) from jobs") == 1
