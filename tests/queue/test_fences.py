"""A worker that lost its lease writes nothing. Remove one part of a fence and one of these goes red."""

from docsieve.db.queue import job_records, jobs
from docsieve.domain.jobs import JobFailure
from tests.queue.conftest import Driver

FAILURE = JobFailure("some_error", "It did not work.")


async def test_a_worker_whose_job_was_rescued_and_taken_cannot_complete_fail_beat_or_hand_it_back(
    queue: Driver,
) -> None:
    [job_id] = await queue.enqueue(1)
    [late] = await queue.claim("late")
    await queue.expire(late.id)
    await queue.rescue()
    [now] = await queue.claim("now")
    before = dict(await queue.row(job_id))
    async with queue.database.system() as connection:
        assert await jobs.complete(connection, [late], worker_id="late") == set()
        assert not await jobs.fail(connection, late, FAILURE, details=None, retry_in=None)
        assert await jobs.beat(connection, [late], worker_id="late", lease_seconds=30) == set()
        assert await jobs.hand_back(connection, [late], worker_id="late") == set()
        await jobs.record_progress(connection, [(late, '{"stage": "late"}', None)], worker_id="late")
    assert dict(await queue.row(job_id)) == before
    assert await queue.complete([now]) == {job_id}


async def test_the_same_worker_cannot_write_with_the_attempt_it_lost(queue: Driver) -> None:
    await queue.enqueue(1)
    [first] = await queue.claim("w1")
    await queue.expire(first.id)
    await queue.rescue()
    [second] = await queue.claim("w1")
    assert (first.attempt, second.attempt) == (1, 2)
    assert await queue.complete([first]) == set()
    assert await queue.complete([second]) == {second.id}


async def test_a_rescue_between_two_claims_does_not_let_the_first_worker_complete_while_the_job_is_pending(
    queue: Driver,
) -> None:
    await queue.enqueue(1)
    [job] = await queue.claim("w1")
    await queue.expire(job.id)
    await queue.rescue()
    assert await queue.complete([job]) == set()
    assert (await queue.row(job.id))["status"] == "pending"


async def test_a_heartbeat_that_comes_before_the_rescue_keeps_the_job(queue: Driver) -> None:
    await queue.enqueue(1)
    [job] = await queue.claim("w1")
    await queue.expire(job.id)
    async with queue.database.system() as connection:
        assert await jobs.beat(connection, [job], worker_id="w1", lease_seconds=30) == {job.id}
    assert await queue.rescue() == []


async def test_a_cancelled_job_cannot_be_completed(queue: Driver) -> None:
    await queue.enqueue(1)
    [job] = await queue.claim("w1")
    async with queue.database.tenant(queue.scope) as session:
        assert await job_records.cancel(session, job.id)
    assert await queue.complete([job]) == set()
    assert (await queue.row(job.id))["status"] == "cancelled"


async def test_a_completed_job_cannot_be_cancelled_or_completed_again(queue: Driver) -> None:
    await queue.enqueue(1)
    [job] = await queue.claim("w1")
    assert await queue.complete([job]) == {job.id}
    assert await queue.complete([job]) == set()
    async with queue.database.tenant(queue.scope) as session:
        assert not await job_records.cancel(session, job.id)


async def test_a_job_that_keeps_losing_its_worker_is_quarantined_with_a_named_error(queue: Driver) -> None:
    [job_id] = await queue.enqueue(1, max_attempts=10)
    for _ in range(jobs.RESCUES_BEFORE_QUARANTINE):
        [job] = await queue.claim()
        await queue.expire(job.id)
        await queue.rescue()
    row = await queue.row(job_id)
    assert (row["status"], row["error_code"]) == ("failed", "quarantined")
    assert row["rescues"] == jobs.RESCUES_BEFORE_QUARANTINE


async def test_a_lost_worker_does_not_use_up_the_attempts_that_errors_are_given(queue: Driver) -> None:
    await queue.enqueue(1, max_attempts=1)
    [job] = await queue.claim()
    await queue.expire(job.id)
    await queue.rescue()
    [again] = await queue.claim()
    assert again.attempt == 2 and again.last_attempt


async def test_a_handed_back_job_keeps_its_attempts(queue: Driver) -> None:
    await queue.enqueue(1)
    [job] = await queue.claim("w1")
    async with queue.database.system() as connection:
        assert await jobs.hand_back(connection, [job], worker_id="w1") == {job.id}
    row = await queue.row(job.id)
    assert (row["status"], row["attempts"]) == ("pending", 0)


async def test_retrying_a_failed_job_never_lowers_its_attempts_because_they_are_part_of_the_fence(
    queue: Driver,
) -> None:
    await queue.enqueue(1, max_attempts=1)
    [job] = await queue.claim("w1")
    async with queue.database.system() as connection:
        assert await jobs.fail(connection, job, FAILURE, details=None, retry_in=None)
    async with queue.database.tenant(queue.scope) as session:
        assert await job_records.retry(session, job.id, allowance=3)
    [again] = await queue.claim("w1")
    assert again.attempt == 2 and not again.last_attempt
    assert await queue.complete([job]) == set()
