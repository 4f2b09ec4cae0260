"""Batches in the queue: single uploads overtake them, and tenants take turns."""

import asyncio

from docsieve.domain.batches import PRIORITY_OFFSET
from docsieve.domain.scope import Scope
from docsieve.queue.kinds import Attempt, Kind
from docsieve.queue.worker import Worker
from docsieve.settings import Settings
from tests.queue.conftest import Driver, Noop
from tests.signals import job_ended

BATCH = 10_000
LOWEST_SINGLE, HIGHEST_BATCH = -100, 100 - PRIORITY_OFFSET


async def enqueue_batch(queue: Driver, count: int, scope: Scope | None = None, *, priority: int = 0) -> None:
    await queue.enqueue(*range(count), scope=scope, priority=priority - PRIORITY_OFFSET)


def test_the_most_urgent_batch_is_less_urgent_than_the_least_urgent_upload() -> None:
    assert HIGHEST_BATCH < LOWEST_SINGLE


async def test_a_single_upload_overtakes_a_batch_of_ten_thousand_of_its_own_tenant(queue: Driver) -> None:
    await enqueue_batch(queue, BATCH)
    [upload] = await queue.enqueue(-1, priority=LOWEST_SINGLE)
    started: list[int] = []

    async def note(args: Noop, attempt: Attempt) -> None:
        started.append(args.number)

    stopping = asyncio.Event()
    worker = Worker(queue.database, {Noop.job_type: Kind(Noop, note)}, {"default": 2}, Settings())
    running = asyncio.create_task(worker.run(stopping))
    await queue.signals.until(job_ended(upload))
    stopping.set()
    await running
    assert started.index(-1) < 2


async def test_batches_of_two_tenants_take_turns_whichever_was_first_and_however_large(queue: Driver) -> None:
    other = await queue.tenant("other")
    await enqueue_batch(queue, BATCH)
    await enqueue_batch(queue, 10, other)
    claimed = await queue.claim(limit=20)
    assert sum(job.tenant_id == other.tenant_id for job in claimed) == 10


async def test_a_tenant_with_twice_the_weight_gets_two_turns_for_one(queue: Driver) -> None:
    heavy = await queue.tenant("heavy", weight=2.0)
    await enqueue_batch(queue, 300)
    await enqueue_batch(queue, 300, heavy)
    claimed = await queue.claim(limit=90)
    assert 58 <= sum(job.tenant_id == heavy.tenant_id for job in claimed) <= 62


async def test_a_second_batch_of_a_tenant_lines_up_behind_its_first(queue: Driver) -> None:
    other = await queue.tenant("other")
    for _ in range(3):
        await enqueue_batch(queue, 100)
    await enqueue_batch(queue, 50, other)
    claimed = await queue.claim(limit=100)
    assert sum(job.tenant_id == other.tenant_id for job in claimed) == 50
