"""The worker as a whole, in this process, on a real database."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest

from docsieve.db.connection.session import Session
from docsieve.db.queue import job_records
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.pages.page import Progress
from docsieve.errors import AttemptError, CorruptDocument, DiskFull
from docsieve.errors.blobs import EncryptionKeyUnavailable
from docsieve.queue.kinds import Attempt, Closing, Kind, Snooze
from docsieve.queue.worker import Worker
from docsieve.settings import Settings
from tests.queue.conftest import Driver, Noop
from tests.queue.redis.dispatching import dispatched_by_redis
from tests.signals import job_ended, named

ONLY_POSTGRESQL = pytest.mark.parametrize("queue", ["postgresql"], indirect=True)
Handle = Callable[[Any, Attempt], Awaitable[Closing | None]]


@pytest.fixture(params=["postgresql", "redis"])
async def queue(queue: Driver, request: pytest.FixtureRequest) -> AsyncIterator[Driver]:
    """The same behavior, whatever brings jobs to the worker."""
    if request.param == "postgresql":
        yield queue
        return
    async with dispatched_by_redis(queue, request.getfixturevalue("redis").url):
        yield queue


@asynccontextmanager
async def working(queue: Driver, handle: Handle, slots: int = 8, **settings: Any) -> AsyncIterator[Worker]:
    """A worker that runs `handle` for as long as the block lasts, and must then stop cleanly."""
    options = Settings(retry_base_seconds=0.0, **settings)
    worker = Worker(queue.database, {"noop": Kind(Noop, handle)}, {"default": slots}, options, lane=queue.lane)
    stopping = asyncio.Event()
    running = asyncio.create_task(worker.run(stopping))
    try:
        yield worker
    finally:
        stopping.set()
        await asyncio.wait_for(running, 30)


async def ended(queue: Driver, *ids: UUID | None) -> list[Any]:
    """Wait until these jobs are final and return their rows."""
    for job_id in ids:
        await queue.signals.until(job_ended(job_id))
    rows = [await queue.row(job_id) for job_id in ids]
    assert all(row["completed_at"] is not None for row in rows)
    return rows


async def test_jobs_are_run_once_each_and_completed(queue: Driver) -> None:
    seen: list[int] = []

    async def handle(args: Noop, attempt: Attempt) -> None:
        seen.append(args.number)

    ids = await queue.enqueue(*range(100))
    async with working(queue, handle, slots=50):
        rows = await ended(queue, *ids)
    assert sorted(seen) == list(range(100))
    assert {row["status"] for row in rows} == {"completed"}
    assert all(row["processing_time_ms"] is not None and row["worker_id"] is None for row in rows)


async def test_no_more_jobs_run_at_once_than_the_lane_has_slots(queue: Driver) -> None:
    running = most = 0

    async def handle(args: Noop, attempt: Attempt) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    ids = await queue.enqueue(*range(60))
    async with working(queue, handle, slots=4):
        await ended(queue, *ids)
    assert 1 <= most <= 4


async def test_an_upstream_error_is_kept_and_retried_and_fails_at_the_limit(queue: Driver) -> None:
    attempts: list[int] = []

    async def handle(args: Noop, attempt: Attempt) -> None:
        attempts.append(attempt.job.attempt)
        raise AttemptError("The provider timed out.")

    [job_id] = await queue.enqueue(1, max_attempts=3)
    async with working(queue, handle):
        [row] = await ended(queue, job_id)
    assert attempts == [1, 2, 3]
    assert (row["status"], row["attempts"], row["error_code"]) == ("failed", 3, "attempt_failed")
    assert row["error_message"] == "The provider timed out."


async def test_a_permanent_error_is_not_retried(queue: Driver) -> None:
    async def handle(args: Noop, attempt: Attempt) -> None:
        raise CorruptDocument

    [job_id] = await queue.enqueue(1)
    async with working(queue, handle):
        [row] = await ended(queue, job_id)
    assert (row["status"], row["attempts"], row["error_code"]) == ("failed", 1, "corrupt_document")


async def test_an_unexpected_exception_keeps_its_class_and_place_but_not_its_message(queue: Driver) -> None:
    async def handle(args: Noop, attempt: Attempt) -> None:
        raise KeyError("document text")

    [job_id] = await queue.enqueue(1, max_attempts=1)
    async with working(queue, handle):
        [row] = await ended(queue, job_id)
    assert row["error_code"] == "internal_error" and "KeyError" in row["error_message"]
    assert "handle" in row["error_details"] and "document text" not in row["error_message"] + row["error_details"]


async def test_a_job_of_an_unknown_kind_fails_with_a_named_error(queue: Driver) -> None:
    class Strange(JobArgs):
        job_type = "strange"

    async def handle(args: Noop, attempt: Attempt) -> None:
        return None

    async with queue.database.tenant(queue.scope) as session:
        [job_id] = await enqueue(session, [NewJob(Strange(), max_attempts=1)])
    async with working(queue, handle):
        [row] = await ended(queue, job_id)
    assert row["error_code"] == "unknown_kind"


async def test_results_and_the_end_of_the_job_become_visible_together_or_not_at_all(queue: Driver) -> None:
    """Run the closing outside the transaction that ends the job, and the name below would stay."""
    second, looked = asyncio.Event(), asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> Closing:
        if attempt.job.attempt == 2:
            second.set()
            await looked.wait()

        async def close(session: Session) -> None:
            await session.connection.execute("update projects set name = 'written'")
            if attempt.job.attempt == 1:
                raise AttemptError("Something broke after the results were written.")

        return close

    [job_id] = await queue.enqueue(1)
    name = "select name from projects where tenant_id = $1"
    before = await queue.database.pool.fetchval(name, queue.scope.tenant_id)
    async with working(queue, handle):
        await second.wait()
        assert await queue.database.pool.fetchval(name, queue.scope.tenant_id) == before
        looked.set()
        [row] = await ended(queue, job_id)
    assert (row["status"], row["attempts"]) == ("completed", 2)
    assert await queue.database.pool.fetchval(name, queue.scope.tenant_id) == "written"


async def test_the_closing_runs_inside_the_transaction_that_ends_the_job(queue: Driver) -> None:
    same: list[bool] = []

    async def handle(args: Noop, attempt: Attempt) -> Closing:
        async def close(session: Session) -> None:
            ended_by = "select xmin = pg_current_xact_id()::xid from jobs where id = $1 and status = 'completed'"
            same.append(await session.connection.fetchval(ended_by, attempt.job.id))

        return close

    [job_id] = await queue.enqueue(1)
    async with working(queue, handle):
        await ended(queue, job_id)
    assert same == [True]


async def test_a_closing_of_a_lost_job_writes_nothing(queue: Driver) -> None:
    closed = asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> Closing:
        await queue.database.pool.execute("update jobs set worker_id = 'another'")
        closed.set()

        async def close(session: Session) -> None:
            await session.connection.execute("update projects set name = 'late'")

        return close

    await queue.enqueue(1)
    async with working(queue, handle):
        await closed.wait()
    assert await queue.database.pool.fetchval("select count(*) from projects where name = 'late'") == 0


async def test_a_snoozed_job_waits_without_burning_an_attempt(queue: Driver) -> None:
    calls = 0

    async def handle(args: Noop, attempt: Attempt) -> None:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise Snooze(0.01)

    [job_id] = await queue.enqueue(1, max_attempts=1)
    async with working(queue, handle):
        [row] = await ended(queue, job_id)
    assert (row["status"], row["attempts"], calls) == ("completed", 1, 3)


@pytest.mark.parametrize("missing", [DiskFull, EncryptionKeyUnavailable])
async def test_a_job_that_lacks_disk_space_or_the_master_key_waits_without_using_up_an_attempt(
    queue: Driver, missing: type[Exception]
) -> None:
    handed_back = asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        handed_back.set()
        raise missing

    [job_id] = await queue.enqueue(1, max_attempts=1)
    assert job_id is not None
    async with working(queue, handle):
        await asyncio.wait_for(handed_back.wait(), 30)
    row = await queue.row(job_id)
    assert (row["status"], row["attempts"], row["error_code"]) == ("scheduled", 0, None)


async def test_cancelling_stops_the_running_handler_at_once_by_notification(queue: Driver) -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    [job_id] = await queue.enqueue(1)
    assert job_id is not None
    async with working(queue, handle, lease_seconds=600.0):  # no heartbeat comes within this test
        await started.wait()
        async with queue.database.tenant(queue.scope) as session:
            assert await job_records.cancel(session, job_id)
        await asyncio.wait_for(stopped.wait(), 10)
    assert (await queue.row(job_id))["status"] == "cancelled"


@pytest.mark.parametrize("lost_by", ["cancelled", "taken"])
async def test_a_heartbeat_finds_out_that_a_job_is_lost_and_stops_it(queue: Driver, lost_by: str) -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    await queue.enqueue(1)
    async with working(queue, handle, lease_seconds=1.0):
        await started.wait()
        await queue.database.pool.execute(
            "update jobs set worker_id = 'another', cancel_requested = $1, lock_expires_at = 'infinity'",
            lost_by == "cancelled",
        )
        await asyncio.wait_for(stopped.wait(), 10)


async def test_a_long_job_keeps_its_lease_by_heartbeats(queue: Driver) -> None:
    async def handle(args: Noop, attempt: Attempt) -> None:
        first = (await queue.row(attempt.job.id))["lock_expires_at"]
        await queue.signals.until(named("leases.renewed"))
        assert (await queue.row(attempt.job.id))["lock_expires_at"] > first

    [job_id] = await queue.enqueue(1, max_attempts=1)
    async with working(queue, handle, lease_seconds=6.0):
        [row] = await ended(queue, job_id)
    assert (row["status"], row["attempts"], row["rescues"]) == ("completed", 1, 0)


async def test_progress_is_shown_while_the_job_runs(queue: Driver) -> None:
    async def handle(args: Noop, attempt: Attempt) -> None:
        attempt.report(Progress("reading", 0, 9))
        attempt.report(Progress("reading", 3, 9))
        await queue.signals.until(named("progress.written"))
        shown = json.loads((await queue.row(attempt.job.id))["progress"])
        assert shown.pop("seconds_left") is not None
        assert shown == {"page": 3, "pages": 9, "stage": "reading"}

    [job_id] = await queue.enqueue(1, max_attempts=1)
    async with working(queue, handle):
        [row] = await ended(queue, job_id)
    assert row["status"] == "completed"


async def test_a_stopping_worker_hands_back_what_it_cannot_finish_without_burning_the_attempt(queue: Driver) -> None:
    started = asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        started.set()
        await asyncio.Event().wait()

    [job_id] = await queue.enqueue(1)
    async with working(queue, handle, shutdown_seconds=0.1):
        await started.wait()
    row = await queue.row(job_id)
    assert (row["status"], row["attempts"], row["worker_id"]) == ("pending", 0, None)


async def test_a_stopping_worker_finishes_what_it_can_and_claims_nothing_more(queue: Driver) -> None:
    started, go = asyncio.Event(), asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        started.set()
        await go.wait()

    ids = await queue.enqueue(1, 2)

    async def finish_once_draining() -> None:
        await queue.signals.until(named("worker.draining"))
        go.set()

    finishing = asyncio.create_task(finish_once_draining())
    async with working(queue, handle, slots=1) as worker:
        await started.wait()
        assert len(worker.leases.held) == 1
    await finishing
    statuses = sorted([(await queue.row(job_id))["status"] for job_id in ids])
    assert statuses == ["completed", "pending"]


async def test_a_lost_worker_s_job_is_rescued_by_another_worker_within_seconds(queue: Driver) -> None:
    async def handle(args: Noop, attempt: Attempt) -> None:
        return None

    [job_id] = await queue.enqueue(1)
    [lost] = await queue.claim("lost", lease=0.0)
    async with working(queue, handle, lease_seconds=3.0):
        [row] = await ended(queue, job_id)
    assert (row["status"], row["attempts"], row["rescues"]) == ("completed", 2, 1)
    assert await queue.complete([lost]) == set()


@ONLY_POSTGRESQL
async def test_an_idle_worker_is_woken_by_a_notification_and_not_by_its_poll(
    queue: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docsieve.queue.lane.POLL_SECONDS", 3600.0)

    async def handle(args: Noop, attempt: Attempt) -> None:
        return None

    async with working(queue, handle):
        [first] = await queue.enqueue(1)
        await ended(queue, first)
        [second] = await queue.enqueue(2)
        await ended(queue, second)


async def test_what_a_job_reports_is_stored_with_its_end(queue: Driver) -> None:
    async def handle(args: Noop, attempt: Attempt) -> None:
        attempt.result = {"deleted": args.number}

    [job_id] = await queue.enqueue(7)
    async with working(queue, handle):
        [row] = await ended(queue, job_id)
    assert json.loads(row["result"]) == {"deleted": 7}
