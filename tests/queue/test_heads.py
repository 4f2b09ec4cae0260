"""Claims start where pending jobs begin, and still find every job, in fair order."""

import asyncio
import json
from typing import Any

import pytest

from docsieve.db.queue import heads, jobs
from docsieve.domain.jobs import ClaimedJob, JobFailure
from docsieve.queue import maintenance
from docsieve.queue.kinds import Attempt, Kind
from docsieve.queue.worker import Worker
from docsieve.settings import Settings
from tests.queue.conftest import Driver, Noop
from tests.signals import job_ended, named


async def _move(queue: Driver, claimed: list[ClaimedJob], *, times: int = 1) -> list[heads.Head]:
    """As a worker does after a claim, without waiting between two moves."""
    async with queue.database.system() as connection:
        for _ in range(times):
            for priority in {job.priority for job in claimed}:
                await connection.execute("update queue_heads set moved_at = '-infinity'")
                reached = max(job.turn for job in claimed if job.priority == priority)
                await heads.move(connection, "default", priority, reached)
        return (await heads.find(connection, ["default"]))["default"]


async def _claim_from(queue: Driver, found: list[heads.Head], limit: int = 100) -> list[ClaimedJob]:
    async with queue.database.system() as connection:
        return await jobs.claim(
            connection, "default", limit=limit, worker_id="w1", lease_seconds=30.0, ranges=heads.ranges(found)
        )


def _numbers(claimed: list[ClaimedJob]) -> list[int]:
    return sorted(json.loads(job.args)["number"] for job in claimed)


async def _pages_read(queue: Driver, found: list[heads.Head]) -> int:
    """How many pages a claim visits to find pending jobs."""
    parts = heads.ranges(found)
    async with queue.database.system() as connection:
        transaction = connection.transaction()
        await transaction.start()
        plan = await connection.fetchval(
            f"explain (analyze, buffers, format json) {jobs._CLAIM}",
            "default", 10, "w", 30.0, parts.ranks, parts.floors, parts.before,
        )  # fmt: skip
        await transaction.rollback()
    return sum(_hits(node) for node in _nodes(json.loads(plan)[0]["Plan"]) if node.get("Index Name") == "jobs_ready")


def _nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for child in plan.get("Plans", []) for node in _nodes(child))]


def _hits(node: dict[str, Any]) -> int:
    return int(node["Shared Hit Blocks"]) + int(node["Shared Read Blocks"])


async def test_a_claim_does_not_read_over_claimed_jobs_while_a_snapshot_is_held(queue: Driver) -> None:
    await queue.enqueue(*range(3000))
    async with queue.database.system() as holder, holder.transaction(isolation="repeatable_read"):
        await holder.fetchval("select count(*) from jobs")
        claimed = await queue.claim(limit=2500)
        await queue.complete(claimed)
        found = await _move(queue, claimed, times=3)
        everything, from_head = await _pages_read(queue, []), await _pages_read(queue, found)
    assert from_head * 5 < everything


async def test_the_floor_never_passes_a_pending_job(queue: Driver) -> None:
    await queue.enqueue(*range(10))
    claimed = await queue.claim(limit=5)
    found = await _move(queue, claimed, times=5)
    assert _numbers(await _claim_from(queue, found)) == [5, 6, 7, 8, 9]


async def test_a_job_enqueued_after_the_queue_was_emptied_is_claimed_from_the_floor(queue: Driver) -> None:
    await queue.enqueue(*range(10))
    found = await _move(queue, await queue.claim(), times=3)
    await queue.enqueue(11)
    [head] = found
    assert head.floor > 9
    assert _numbers(await _claim_from(queue, found)) == [11]


async def test_every_job_that_returns_to_the_queue_is_claimed_from_the_floor(queue: Driver) -> None:
    ids = await queue.enqueue(*range(4))
    claimed = await queue.claim()
    found = await _move(queue, claimed, times=3)
    by_number = {json.loads(job.args)["number"]: job for job in claimed}
    async with queue.database.system() as connection:
        await jobs.hand_back(connection, [by_number[0]], worker_id="w1")
        failure = JobFailure("some_error", "It did not work.")
        await jobs.fail(connection, by_number[1], failure, details=None, retry_in=0.0)
        await jobs.hand_back(connection, [by_number[2]], worker_id="w1", delay_seconds=60.0)
        await connection.execute("update jobs set run_at = clock_timestamp() where id = $1", ids[2])
        assert await jobs.promote(connection) == {"default"}
        await queue.expire(by_number[3].id)
        assert len(await queue.rescue()) == 1
    assert _numbers(await _claim_from(queue, found)) == [0, 1, 2, 3]


async def test_a_priority_without_a_floor_is_claimed_in_its_place(queue: Driver) -> None:
    await queue.enqueue(*range(10))
    await queue.enqueue(20, 21, priority=5)
    found = await _move(queue, await queue.claim(limit=7), times=2)
    assert {head.priority for head in found} == {0, 5}
    await queue.enqueue(30, priority=9)
    await queue.enqueue(31, priority=5)
    await queue.enqueue(32, priority=3)
    await queue.enqueue(33, priority=-1)
    one_by_one = [_numbers(await _claim_from(queue, found, limit=1))[0] for _ in range(9)]
    assert one_by_one == [30, 31, 32, 5, 6, 7, 8, 9, 33]


async def test_a_job_that_was_committed_behind_the_floor_is_lifted(queue: Driver) -> None:
    await queue.enqueue(*range(10))
    claimed = await queue.claim()
    async with queue.database.system() as late, late.transaction():
        await late.execute(
            """
            insert into jobs (id, tenant_id, job_type, args, queue, turn, status, max_attempts)
            values (gen_random_uuid(), $1, 'noop', '{"number": 42}', 'default', 9, 'pending', 3)
            """,
            queue.scope.tenant_id,
        )
        found = await _move(queue, claimed, times=3)
    assert await _claim_from(queue, found) == []
    async with queue.database.system() as connection:
        assert await heads.lift(connection) == {"default"}
        assert await heads.lift(connection) == set()
    assert _numbers(await _claim_from(queue, found)) == [42]


async def test_jobs_of_many_tenants_that_keep_coming_at_one_turn_do_not_hold_the_floor_back(queue: Driver) -> None:
    tenants = [await queue.tenant(f"tenant-{number}") for number in range(4)]
    floors = []
    for tenant in tenants:
        await queue.enqueue(1, scope=tenant)
    for _ in range(4):
        for tenant in tenants:
            claimed = await queue.claim(limit=1)
            await queue.enqueue(1, scope=tenant)
            floors.append((await _move(queue, claimed))[0].floor)
    assert floors[-1] > floors[4] >= 0


async def test_a_second_worker_does_not_move_a_head_that_was_just_moved(queue: Driver) -> None:
    await queue.enqueue(*range(10))
    claimed = await queue.claim()
    [before] = await _move(queue, claimed)
    async with queue.database.system() as connection:
        for _ in range(3):
            await heads.move(connection, "default", 0, 100.0)
        [[after]] = (await heads.find(connection, ["default"])).values()
    assert after == before


async def test_a_worker_moves_the_head_and_claims_from_there(queue: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docsieve.queue.heads._MOVE_AFTER", 50)
    ran: list[int] = []

    async def handle(args: Noop, attempt: Attempt) -> None:
        ran.append(args.number)

    worker = Worker(queue.database, {"noop": Kind(Noop, handle)}, {"default": 10}, Settings())
    stopping = asyncio.Event()
    running = asyncio.create_task(worker.run(stopping))
    for moves, begin in enumerate(range(0, 400, 100), 1):
        ids = await queue.enqueue(*range(begin, begin + 100))
        await queue.signals.until(named("queue.head_moved", "default"), times=moves)
        for job_id in ids:
            await queue.signals.until(job_ended(job_id))
    stopping.set()
    await running
    assert sorted(ran) == list(range(400))
    assert worker.heads.ranges["default"] != heads.EVERYTHING
    async with queue.database.system() as connection:
        [[head]] = (await heads.find(connection, ["default"])).values()
    assert head.floor > 0


async def test_a_worker_lifts_jobs_that_are_behind_the_floor(queue: Driver) -> None:
    async def handle(args: Noop, attempt: Attempt) -> None:
        pass

    await queue.database.pool.execute(
        "insert into queue_heads (queue, priority, floor, start) values ('default', 0, 5, 6)"
    )
    [job_id] = await queue.enqueue(1)
    await queue.database.pool.execute("update jobs set turn = 1 where id = $1", job_id)
    worker = Worker(queue.database, {"noop": Kind(Noop, handle)}, {"default": 10}, Settings())
    await worker.heads.reload()
    assert await worker.lanes["default"]._claim_and_start(1) == 0
    stopping = asyncio.Event()
    running = asyncio.create_task(worker.run(stopping))
    await queue.signals.until(job_ended(job_id))
    stopping.set()
    await running


def test_a_duty_that_takes_long_comes_less_often() -> None:
    assert maintenance.pause(2.0, 0.001, 0.001) == 2.0
    assert maintenance.pause(2.0, 0.1, 0.2) == 10.0
    assert maintenance.pause(2.0, 30.0, 0.001) == 2.0
    assert maintenance.pause(2.0, 30.0, 30.0) == 60.0
