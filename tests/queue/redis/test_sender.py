"""Which jobs are in Redis: the first that are ready, whatever was lost or came in between."""

import json
from uuid import UUID

import pytest

from docsieve.db.queue import ready_jobs
from docsieve.queue.redis import sender as sending
from docsieve.queue.redis.sender import Sender
from tests.queue.conftest import Driver
from tests.redis_server import RedisServer
from tests.signals import named


def in_redis(redis: RedisServer) -> list[UUID]:
    """The jobs with a message, in the order in which ARQ takes them."""
    return [UUID(each.decode()) for each in redis.client.zrange("arq:queue", 0, -1)]


async def test_a_commit_sends_its_jobs_in_the_order_of_claims(
    queue: Driver, sender: Sender, redis: RedisServer
) -> None:
    await queue.enqueue(1, 2, 3)
    await queue.enqueue(4, priority=5)
    other = await queue.tenant("other")
    await queue.enqueue(5, scope=other)
    await sender.top_up("default")
    async with queue.database.system() as connection:
        ready = await ready_jobs.first(connection, "default", limit=10)
    assert len(ready) == 5
    assert in_redis(redis) == [job.id for job in ready]


async def test_a_delayed_job_is_sent_when_it_is_due(queue: Driver, sender: Sender, redis: RedisServer) -> None:
    await queue.enqueue(1, delay_seconds=3600.0)
    assert await sender.top_up("default") == 0
    assert in_redis(redis) == []


async def test_what_redis_lost_is_sent_again_and_what_it_has_is_not(
    queue: Driver, sender: Sender, redis: RedisServer
) -> None:
    ids = await queue.enqueue(1, 2, 3)
    await queue.signals.until(named("messages.sent", "default 3"))
    redis.client.zrem("arq:queue", str(ids[1]))
    await sender.top_up("default")
    await queue.signals.until(named("messages.sent", "default 1"))
    assert in_redis(redis) == ids
    redis.clear()
    await sender.top_up("default")
    assert in_redis(redis) == ids


async def test_a_message_in_an_outdated_place_is_moved(queue: Driver, sender: Sender, redis: RedisServer) -> None:
    first, second = await queue.enqueue(1, 2)
    await sender.top_up("default")
    await queue.database.pool.execute("update jobs set priority = 9 where id = $1", second)
    await sender.top_up("default")
    assert in_redis(redis) == [second, first]


async def test_only_the_first_jobs_of_a_long_queue_are_in_redis_and_an_urgent_one_comes_to_their_front(
    queue: Driver, sender: Sender, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "WINDOW", 5)
    ids = await queue.enqueue(*range(50))
    await sender.top_up("default")
    assert in_redis(redis) == ids[:5]
    [urgent] = await queue.enqueue(99, priority=100)
    await sender.top_up("default")
    assert in_redis(redis)[0] == urgent


async def test_jobs_are_claimed_by_their_names_with_an_index_however_many_are_ready(queue: Driver) -> None:
    """The planner takes ready jobs for rare where it was last told so, and would read all of them."""
    await queue.database.pool.execute("analyze jobs")
    ids = await queue.enqueue(*range(5000))
    async with queue.database.system() as connection, connection.transaction():
        plan = await connection.fetchval(
            f"explain (format json) {ready_jobs._CLAIM_NAMED}", "default", ids[:8], "w", 30.0
        )
    text = json.dumps(json.loads(plan))
    assert '"jobs_pkey"' in text
    assert '"jobs_ready"' not in text and '"Seq Scan"' not in text


async def test_only_ready_jobs_of_the_queue_are_claimed_by_name(queue: Driver) -> None:
    ids = await queue.enqueue(1, 2)
    [running] = await queue.claim(limit=1)
    async with queue.database.system() as connection:
        named_ids = [each for each in ids if each is not None]
        assert await ready_jobs.claim_named(connection, "archive", named_ids, worker_id="w", lease_seconds=9) == []
        [claimed] = await ready_jobs.claim_named(connection, "default", named_ids, worker_id="w", lease_seconds=9)
    assert {running.id, claimed.id} == set(ids)
    assert (claimed.attempt, claimed.worker_id) == (1, "w")
