"""A lane fed by ARQ: messages that are doubled, lost or wrong, and a Redis that goes away."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from docsieve.db.queue import job_records
from docsieve.queue.kinds import Attempt
from docsieve.queue.redis import lane as redis_lane
from docsieve.queue.redis.sender import Sender
from tests.queue.conftest import Driver, Noop
from tests.queue.redis.dispatching import dispatched_by_redis
from tests.queue.test_worker import ended, working
from tests.redis_server import Line, RedisServer
from tests.signals import named


@pytest.fixture
def mortal() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


async def nothing(args: Noop, attempt: Attempt) -> None:
    return None


async def test_a_message_wakes_the_pool_and_not_the_sweep(
    queue: Driver, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_lane, "_SWEEP_SECONDS", 3600.0)
    async with working(queue, nothing):
        await queue.signals.until(named("lane.serving", "default"))
        for number in range(2):
            [job_id] = await queue.enqueue(number)
            await ended(queue, job_id)


async def test_after_a_job_nothing_of_it_is_left_in_redis(queue: Driver, sender: Sender, redis: RedisServer) -> None:
    async with working(queue, nothing):
        await ended(queue, *await queue.enqueue(*range(5)))
    assert [key for key in redis.client.keys("*") if not key.endswith(b":health-check")] == []


async def test_a_running_job_has_no_message(queue: Driver, sender: Sender, redis: RedisServer) -> None:
    """So its message is not looked at in each poll of every worker, and does not outlive a worker that is killed."""
    started, go_on = asyncio.Event(), asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        started.set()
        await go_on.wait()

    [job_id] = await queue.enqueue(1)
    async with working(queue, handle):
        await started.wait()
        while redis.client.keys(f"*{job_id}*"):
            await asyncio.sleep(0.01)
        assert redis.client.zcard("arq:queue") == 0
        # left alone, ARQ would deliver the message again once its lock expires, and drop it then
        assert not any(map(named("message.unclaimed", job_id), queue.signals.seen))
        go_on.set()
        await ended(queue, job_id)


async def test_a_duplicate_message_runs_nothing(queue: Driver, sender: Sender, redis: RedisServer) -> None:
    ran: list[int] = []

    async def handle(args: Noop, attempt: Attempt) -> None:
        ran.append(args.number)

    async with working(queue, handle):
        [job_id] = await queue.enqueue(1)
        await ended(queue, job_id)
        await sender.redis.enqueue_job("process_document_task", str(job_id), _job_id=f"again-{job_id}")
        await queue.signals.until(named("message.unclaimed", job_id))
    assert ran == [1]


async def test_a_message_of_a_cancelled_job_runs_nothing(queue: Driver, sender: Sender) -> None:
    ran: list[int] = []

    async def handle(args: Noop, attempt: Attempt) -> None:
        ran.append(args.number)

    [job_id] = await queue.enqueue(1)
    assert job_id is not None
    await queue.signals.until(named("messages.sent"))
    async with queue.database.tenant(queue.scope) as session:
        assert await job_records.cancel(session, job_id)
    async with working(queue, handle):
        await queue.signals.until(named("message.unclaimed", job_id))
    assert ran == []


async def test_a_pickle_in_a_message_is_not_loaded(
    queue: Driver, sender: Sender, redis: RedisServer, tmp_path: Path
) -> None:
    evil = tmp_path / "evil"
    redis.client.set("arq:job:evil", f"cos\nmkdir\n(V{evil}\ntR.".encode())
    redis.client.zadd("arq:queue", {"evil": 1})
    async with working(queue, nothing):
        await ended(queue, *await queue.enqueue(1))
        while redis.client.zscore("arq:queue", "evil") is not None:
            await asyncio.sleep(0.01)
    assert not evil.exists()


async def test_jobs_whose_messages_are_lost_are_sent_again_by_the_sweep(
    queue: Driver, sender: Sender, redis: RedisServer
) -> None:
    ids = await queue.enqueue(*range(3))
    await queue.signals.until(named("messages.sent", "default 3"))
    redis.clear()
    async with working(queue, nothing):
        await ended(queue, *ids)


async def test_jobs_run_while_redis_is_dead_and_through_it_once_it_is_back(queue: Driver, mortal: RedisServer) -> None:
    async with dispatched_by_redis(queue, mortal.url), working(queue, nothing):
        await ended(queue, *await queue.enqueue(1))
        mortal.kill()
        await ended(queue, *await queue.enqueue(2))
        await queue.signals.until(named("lane.without_redis", "default"))
        mortal.start()
        await queue.signals.until(named("lane.serving", "default"), times=2)
        await ended(queue, *await queue.enqueue(3))


async def test_jobs_run_while_the_line_to_redis_is_cut_and_those_under_way_go_on(
    queue: Driver, redis: RedisServer
) -> None:
    started, go_on = asyncio.Event(), asyncio.Event()
    runs: list[int] = []

    async def handle(args: Noop, attempt: Attempt) -> None:
        runs.append(args.number)
        if args.number == 1:
            started.set()
            await go_on.wait()

    with Line(redis.port) as line:
        async with dispatched_by_redis(queue, line.url), working(queue, handle):
            [slow] = await queue.enqueue(1)
            await started.wait()
            line.cut()
            await queue.signals.until(named("lane.without_redis", "default"))
            await ended(queue, *await queue.enqueue(2))
            go_on.set()
            await ended(queue, slow)
            line.mend()
    assert runs == [1, 2]


async def test_no_more_jobs_run_than_there_are_slots_also_after_redis_was_lost(
    queue: Driver, mortal: RedisServer
) -> None:
    running = most = 0
    full, go_on = asyncio.Event(), asyncio.Event()

    async def handle(args: Noop, attempt: Attempt) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == 2:
            full.set()
        await go_on.wait()
        running -= 1

    async with dispatched_by_redis(queue, mortal.url), working(queue, handle, slots=2):
        ids = await queue.enqueue(*range(6))
        await full.wait()
        mortal.kill()
        await queue.signals.until(named("lane.without_redis", "default"))
        mortal.start()
        await queue.signals.until(named("lane.serving", "default"), times=2)
        # ARQ has forgotten what runs, so it delivers two more: they wait for slots
        seen = list(queue.signals.seen)
        served = [number for number, each in enumerate(seen) if named("lane.serving", "default")(each)]
        full_before = sum(map(named("lane.full", "default"), seen[: served[1]]))
        await queue.signals.until(named("messages.sent", "default 4"))
        await queue.signals.until(named("lane.full", "default"), times=full_before + 1)
        go_on.set()
        await ended(queue, *ids)
    assert most == 2


async def test_a_long_queue_is_refilled_before_the_next_sweep(
    queue: Driver, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_lane, "_SWEEP_SECONDS", 3600.0)
    monkeypatch.setattr("docsieve.queue.redis.sender.WINDOW", 4)
    monkeypatch.setattr(redis_lane, "WINDOW", 4)
    ids = await queue.enqueue(*range(30))
    async with working(queue, nothing):
        await ended(queue, *ids)
