"""Workers and jobs that are stopped in the least convenient moment."""

import asyncio

import asyncpg
import pytest

from docsieve.queue.kinds import Attempt, Kind
from docsieve.queue.lane import Lane
from docsieve.queue.worker import Worker
from docsieve.settings import Settings
from tests.queue.conftest import Driver, Noop
from tests.signals import named


async def test_a_job_cancelled_before_its_first_step_is_let_go(queue: Driver) -> None:
    ran: list[int] = []

    async def handle(args: Noop, attempt: Attempt) -> None:
        ran.append(args.number)

    worker = Worker(queue.database, {"noop": Kind(Noop, handle)}, {"default": 1}, Settings())
    lane = worker.lanes["default"]
    [job_id] = await queue.enqueue(1)
    assert job_id is not None
    assert await lane._claim_and_start(1) == 1
    running = set(lane.running)
    worker.leases.cancel(job_id)
    await asyncio.wait(running)
    await asyncio.sleep(0)
    assert (ran, lane.running, worker.leases.held) == ([], set(), {})


class Stubborn(Lane):
    """Takes the first cancellation for a timeout of its own, as redis-py does when both come together."""

    async def run(self) -> None:
        try:
            await super().run()
        except asyncio.CancelledError:
            await super().run()


async def test_a_lane_that_swallows_a_cancellation_does_not_keep_its_worker_from_stopping(queue: Driver) -> None:
    stopping = asyncio.Event()
    worker = Worker(queue.database, {}, {"default": 1}, Settings(), lane=Stubborn)
    running = asyncio.create_task(worker.run(stopping))
    await queue.signals.until(named("lane.idle", "default"))
    stopping.set()
    async with asyncio.timeout(60):
        await running


async def test_a_worker_whose_completions_cannot_be_written_stops_all_the_same(
    queue: Driver, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docsieve.queue.worker.FLUSH_SECONDS", 0.2)
    started, go_on, stopping = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        started.set()
        await go_on.wait()

    await queue.enqueue(1)
    worker = Worker(queue.database, {"noop": Kind(Noop, handle)}, {"default": 1}, Settings())
    running = asyncio.create_task(worker.run(stopping))
    await started.wait()
    blocking = await asyncpg.connect(database_url)
    async with blocking.transaction():
        await blocking.execute("lock table jobs in access exclusive mode")
        stopping.set()
        go_on.set()
        async with asyncio.timeout(60):
            await running
    await blocking.close()
    assert {task for task in asyncio.all_tasks() if task is not asyncio.current_task()} == set()


async def test_a_lane_told_to_stop_in_the_moment_it_is_woken_stops(queue: Driver) -> None:
    async def handle(args: Noop, attempt: Attempt) -> None:
        return None

    lane = Worker(queue.database, {"noop": Kind(Noop, handle)}, {"default": 1}, Settings()).lanes["default"]
    claiming = asyncio.create_task(lane.run())
    await queue.signals.until(named("lane.idle", "default"))
    lane.wake()
    claiming.cancel()
    stopped, _ = await asyncio.wait([claiming], timeout=10)
    assert stopped == {claiming}
    assert claiming.cancelled()
