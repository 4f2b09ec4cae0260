"""The statements behind sending: fences, pruning, and what a tenant without webhooks pays."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from docsieve.db.queue import jobs as queue_sql
from docsieve.db.webhooks import deliveries, secrets, sending
from docsieve.db.webhooks.sending import Sent
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.scope import Scope
from tests.jobs.deliver_webhook.conftest import Sending, opened

DELIVERED = Sent(datetime(2026, 1, 31, tzinfo=UTC), 0.1, 200, None, "ok")
FAILED = Sent(datetime(2026, 1, 31, tzinfo=UTC), 0.1, 500, "receiver_refused", "")


@pytest.fixture
async def waiting(database_url: str, tmp_path: Path) -> AsyncIterator[Sending]:
    """An application with one message that waits."""
    async with opened(database_url, tmp_path) as started:
        await started.endpoint("http://127.0.0.1:8000/hook")
        await started.emit()
        yield started


async def claimed(waiting: Sending, worker: str) -> ClaimedJob:
    async with waiting.api.resources.database.system() as connection:
        [job] = await queue_sql.claim(connection, "webhook", limit=9, worker_id=worker, lease_seconds=30)
    return job


async def test_a_worker_that_lost_its_lease_finds_nothing_to_send(waiting: Sending) -> None:
    lost = await claimed(waiting, "first")
    await waiting.execute("update jobs set lock_expires_at = now() - interval '1 s'")
    async with waiting.api.resources.database.system() as connection:
        await queue_sql.rescue(connection)
        taken = await claimed(waiting, "second")
        assert await sending.load(connection, [lost]) == {}
        assert list(await sending.load(connection, [taken])) == [taken.id]


async def test_a_worker_that_lost_its_lease_records_nothing(waiting: Sending) -> None:
    lost = await claimed(waiting, "first")
    await waiting.execute("update jobs set lock_expires_at = now() - interval '1 s'")
    async with waiting.api.resources.database.system() as connection:
        await queue_sql.rescue(connection)
        await sending.record_delivered(connection, [(lost, DELIVERED)])
        [delivery] = await waiting.deliveries()
        assert (delivery["status"], delivery["last_error"]) == ("pending", "interrupted")
        await sending.record_delivered(connection, [(await claimed(waiting, "second"), DELIVERED)])
    [delivery] = await waiting.deliveries()
    assert (delivery["status"], delivery["last_error"]) == ("delivered", None)


async def test_attempts_of_lost_workers_are_in_the_log_even_of_a_job_that_is_given_up(waiting: Sending) -> None:
    async with waiting.api.resources.database.system() as connection:
        for number in range(queue_sql.RESCUES_BEFORE_QUARANTINE):
            await claimed(waiting, f"worker {number}")
            await waiting.execute(
                "update jobs set lock_expires_at = now() - interval '1 s' where status = 'processing'"
            )
            await queue_sql.rescue(connection)
    [delivery] = await waiting.deliveries()
    assert (delivery["status"], delivery["last_error"]) == ("pending", "quarantined")
    log = (await waiting.client.get(f"/webhooks/deliveries/{delivery['id']}")).json()["log"]
    assert [(each["number"], each["error_code"]) for each in log] == [
        (number + 1, "interrupted") for number in range(queue_sql.RESCUES_BEFORE_QUARANTINE)
    ]


async def test_a_job_that_is_not_the_current_one_of_its_delivery_changes_nothing(waiting: Sending) -> None:
    old = await claimed(waiting, "first")
    database = waiting.api.resources.database
    async with database.system() as connection:
        due = (await sending.load(connection, [old]))[old.id]
    [delivery] = await waiting.deliveries()
    await waiting.client.post(f"/webhooks/deliveries/{delivery['id']}/replay")
    async with database.system() as connection:
        assert await sending.load(connection, [old]) == {}
        await sending.record_delivered(connection, [(old, DELIVERED)])
    async with database.tenant(Scope(waiting.tenant.id)) as session:
        assert not await sending.record_failed(session, due, old.id, FAILED)
    [delivery] = await waiting.deliveries()
    assert (delivery["status"], delivery["attempts"]) == ("pending", 0)


async def test_only_old_deliveries_that_have_ended_are_pruned(waiting: Sending) -> None:
    async with waiting.api.resources.database.system() as connection:
        assert await deliveries.prune(connection, older_than_days=-1) == 0
        job = await claimed(waiting, "first")
        await sending.record_delivered(connection, [(job, DELIVERED)])
        assert await deliveries.prune(connection, older_than_days=30) == 0
        assert await deliveries.prune(connection, older_than_days=-1, dry_run=True) == 1
        assert await deliveries.prune(connection, older_than_days=-1) == 1
    assert await waiting.api.count("webhook_attempts") == 0


async def test_secrets_are_pruned_once_they_sign_no_more(waiting: Sending) -> None:
    [endpoint] = (await waiting.client.get("/webhooks/endpoints")).json()["endpoints"]
    await waiting.client.post(f"/webhooks/endpoints/{endpoint['id']}/rotate")
    async with waiting.api.resources.database.system() as connection:
        assert await secrets.prune(connection, limit=9, dry_run=False) == 0
        await waiting.execute("update webhook_secrets set expires_at = now() where expires_at is not null")
        assert await secrets.prune(connection, limit=9, dry_run=True) == 1
        assert await secrets.prune(connection, limit=9, dry_run=False) == 1
    assert await waiting.api.count("webhook_secrets") == 1


async def test_an_event_without_a_receiver_adds_no_delivery_and_no_job(waiting: Sending) -> None:
    other = await waiting.api.tenant("other")
    await waiting.fetchval("select emit_event($1, null, 'budget.exceeded', null, null, null, '{}')", other.id)
    assert await waiting.api.count("webhook_deliveries") == 1
    assert await waiting.api.count("jobs") == 1


async def test_a_message_for_a_paused_endpoint_waits_without_being_claimed(waiting: Sending) -> None:
    await waiting.execute("update webhook_endpoints set open_until = now() + interval '1 minute'")
    await waiting.emit()
    statuses: Any = await waiting.fetchval("select array_agg(status order by id) from jobs")
    assert statuses == ["pending", "scheduled"]


async def test_no_query_about_webhooks_reaches_into_another_tenant(waiting: Sending) -> None:
    other = await waiting.api.tenant("other")
    [delivery] = await waiting.deliveries()
    job = await claimed(waiting, "first")
    async with waiting.api.resources.database.system() as connection:
        foreign = job._replace(tenant_id=other.id)
        assert await sending.load(connection, [foreign]) == {}
        await sending.record_delivered(connection, [(foreign, DELIVERED)])
    assert (await waiting.deliveries())[0]["status"] == "pending"
    assert delivery["attempts"] == 0
