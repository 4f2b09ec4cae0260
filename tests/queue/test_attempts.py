"""The history of attempts: written when a job of a document leaves `processing`, and limited in length."""

import asyncio
import json
from itertools import count
from typing import Any
from uuid import UUID

import pytest

from docsieve.db.connection.session import Session
from docsieve.db.queue import job_records, jobs
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import ClaimedJob, JobFailure
from docsieve.domain.pages.page import Progress
from docsieve.errors import AttemptError
from docsieve.queue.kinds import Attempt, Closing
from tests.queue.conftest import Driver, Noop
from tests.queue.test_worker import ended, working
from tests.signals import named

FAILURE = JobFailure("corrupt_document", "It cannot be opened.")


async def _of_document(queue: Driver, **options: Any) -> tuple[UUID, UUID]:
    """A document and a job of it."""
    document_id = new_id()
    project_id = await queue.database.pool.fetchval(
        """
        insert into documents (id, tenant_id, project_id, filename, media_type, size, sha256)
        select $1, tenant_id, id, 'a.txt', 'text/plain', 1, '0' from projects where tenant_id = $2
        returning project_id
        """,
        document_id,
        queue.scope.tenant_id,
    )
    [job_id] = await queue.enqueue(1, document_id=document_id, project_id=project_id, **options)
    assert job_id is not None
    return document_id, job_id


def _claimed() -> ClaimedJob:
    return ClaimedJob(new_id(), 1, "w", new_id(), None, None, "noop", "default", "{}", 1, 0)


async def _history(queue: Driver) -> list[Any]:
    return await queue.database.pool.fetch("select * from attempts order by started_at")


async def _complete(queue: Driver, job: ClaimedJob) -> None:
    assert await queue.complete([job])


async def _fail(queue: Driver, job: ClaimedJob) -> None:
    async with queue.database.system() as connection:
        assert await jobs.fail(connection, job, FAILURE, details=None, retry_in=None)


async def _retry(queue: Driver, job: ClaimedJob) -> None:
    async with queue.database.system() as connection:
        assert await jobs.fail(connection, job, FAILURE, details=None, retry_in=60.0)


async def _cancel(queue: Driver, job: ClaimedJob) -> None:
    async with queue.database.tenant(queue.scope) as session:
        assert await job_records.cancel(session, job.id)


async def _lose(queue: Driver, job: ClaimedJob) -> None:
    await queue.expire(job.id)
    assert len(await queue.rescue()) == 1


async def _hand_back(queue: Driver, job: ClaimedJob) -> None:
    async with queue.database.system() as connection:
        assert await jobs.hand_back(connection, [job], worker_id=job.worker_id)


@pytest.mark.parametrize(
    ("end", "outcome", "error"),
    [
        (_complete, "completed", None),
        (_fail, "failed", "corrupt_document"),
        (_retry, "retried", "corrupt_document"),
        (_cancel, "cancelled", "cancelled"),
        (_lose, "rescued", "worker_lost"),
        (_hand_back, "handed_back", None),
    ],
)
async def test_every_way_out_of_processing_leaves_one_row_that_names_it(
    queue: Driver, end: Any, outcome: str, error: str | None
) -> None:
    _, job_id = await _of_document(queue)
    [job] = await queue.claim("w7")
    await end(queue, job)
    [row] = await _history(queue)
    assert (row["job_id"], row["tenant_id"], row["worker_id"], row["attempt"]) == (
        job_id,
        queue.scope.tenant_id,
        "w7",
        1,
    )
    assert (row["outcome"], row["error_code"]) == (outcome, error)
    assert row["ended_at"] >= row["started_at"]


async def test_the_error_of_an_earlier_attempt_is_not_that_of_one_handed_back(queue: Driver) -> None:
    await _of_document(queue)
    [job] = await queue.claim()
    async with queue.database.system() as connection:
        assert await jobs.fail(connection, job, FAILURE, details=None, retry_in=0.0)
    [again] = await queue.claim()
    await _hand_back(queue, again)
    assert [(row["outcome"], row["error_code"]) for row in await _history(queue)] == [
        ("retried", "corrupt_document"),
        ("handed_back", None),
    ]


async def test_jobs_without_a_document_leave_no_history(queue: Driver) -> None:
    await queue.enqueue(*range(5))
    for job in await queue.claim():
        await _complete(queue, job)
    assert await _history(queue) == []


async def test_a_write_behind_a_lost_fence_leaves_no_history(queue: Driver) -> None:
    await _of_document(queue)
    [late] = await queue.claim("late")
    await _lose(queue, late)
    assert await queue.complete([late]) == set()
    assert [row["outcome"] for row in await _history(queue)] == ["rescued"]


async def test_history_goes_with_its_document_and_with_its_job(queue: Driver) -> None:
    document_id, _ = await _of_document(queue)
    _, kept_id = await _of_document(queue)
    for job in await queue.claim():
        await _complete(queue, job)
    await queue.database.pool.execute("delete from documents where id = $1", document_id)
    assert [row["job_id"] for row in await _history(queue)] == [kept_id]
    await queue.database.pool.execute("delete from jobs where id = $1", kept_id)
    assert await _history(queue) == []


async def test_no_job_keeps_more_than_its_newest_fifty(queue: Driver) -> None:
    _, job_id = await _of_document(queue)
    for number in range(53):
        [job] = await queue.claim(f"w{number}")
        await _hand_back(queue, job)
    [other] = await queue.claim("last")
    await _complete(queue, other)
    rows = await _history(queue)
    assert {row["job_id"] for row in rows} == {job_id}
    assert [row["worker_id"] for row in rows] == [*(f"w{number}" for number in range(4, 53)), "last"]


async def test_a_lost_worker_leaves_the_stages_that_were_last_heard_of(queue: Driver) -> None:
    await _of_document(queue)
    [job] = await queue.claim()
    async with queue.database.system() as connection:
        shown = (job, '{"stage": "reading"}', '[["starting", 3], ["reading", 40]]')
        await jobs.record_progress(connection, [shown], worker_id=job.worker_id)
    await _lose(queue, job)
    [row] = await _history(queue)
    assert json.loads(row["stages"]) == [["starting", 3], ["reading", 40]]
    [again] = await queue.claim()
    await _cancel(queue, again)
    assert json.loads((await _history(queue))[-1]["stages"]) == []


def test_a_stage_that_returns_is_timed_with_its_first_occurrence() -> None:
    now = 100.0
    attempt = Attempt(_claimed(), clock=lambda: now, started=now)
    for stage, seconds in (("fetching", 0.001), ("reading", 0.25), ("fetching", 0.5), ("indexing", 0.125)):
        now += seconds
        attempt.report(Progress(stage))
    now += 0.002
    assert json.loads(attempt.stages() or "") == [["starting", 1], ["fetching", 375], ["reading", 500], ["indexing", 2]]


@pytest.mark.parametrize("fails", [False, True])
async def test_an_attempt_shorter_than_a_second_lists_every_stage_with_its_time(queue: Driver, fails: bool) -> None:
    async def handle(args: Noop, attempt: Attempt) -> Closing:
        for stage in ("fetching", "reading", "fetching", "indexing"):
            attempt.report(Progress(stage))
        if fails:
            raise AttemptError

        async def close(session: Session) -> None:
            return None

        return close

    _, job_id = await _of_document(queue, max_attempts=1)
    async with working(queue, handle, lease_seconds=600.0):
        await ended(queue, job_id)
    [row] = await _history(queue)
    assert row["outcome"] == ("failed" if fails else "completed")
    stages = dict(json.loads(row["stages"]))
    assert list(stages) == ["starting", "fetching", "reading", "indexing"]
    assert sum(stages.values()) <= (row["ended_at"] - row["started_at"]).total_seconds() * 1000 + len(stages)


async def test_the_time_of_a_silent_stage_is_shown_again_at_each_heartbeat(queue: Driver) -> None:
    done = asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        attempt.report(Progress("reading"))
        await done.wait()

    _, job_id = await _of_document(queue)
    seen: list[int] = []
    async with working(queue, handle, lease_seconds=0.6), asyncio.timeout(30):
        for times in count(1):
            await queue.signals.until(named("progress.written"), times=times)
            milliseconds = json.loads((await queue.row(job_id))["stages"])[-1][1]
            if milliseconds not in seen:
                seen.append(milliseconds)
            if len(seen) == 3:
                break
        done.set()
        await ended(queue, job_id)
    assert seen == sorted(seen)


def test_stages_from_a_hostile_sandbox_stay_few_and_short() -> None:
    attempt = Attempt(_claimed())
    assert attempt.stages() is None
    for number in range(500):
        attempt.report(Progress(f"{number}-" + "x" * 1000))
    stages = json.loads(attempt.stages() or "")
    assert len(stages) == 32
    assert max(len(stage) for stage, _ in stages) == 40
