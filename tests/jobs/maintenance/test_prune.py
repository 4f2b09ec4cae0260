"""Old rows: pruned in slices, counted by a dry run, within the limit."""

import httpx
import pytest

from docsieve.db.queue import jobs as queue_sql
from docsieve.db.queue.new_jobs import enqueue_alone
from docsieve.domain.audit import Source
from docsieve.domain.ids import id_at
from docsieve.domain.jobs import NewJob
from docsieve.domain.scope import SYSTEM_TENANT, Scope
from docsieve.jobs.maintenance import prune
from docsieve.jobs.maintenance import run as task_run
from docsieve.services.access import sessions
from docsieve.services.maintenance.tasks import (
    PruneDeliveries,
    PruneIdempotencyKeys,
    PruneJobs,
    PruneProviderRecords,
    PruneSessions,
)
from tests.api.running import Running, uploaded
from tests.db.test_walls import _spend
from tests.jobs.maintenance.conftest import Pass
from tests.maintaining import run_task


async def _old_jobs(api: Running, count: int) -> None:
    """Finished ones. Ids begin with the time."""
    jobs = [NewJob(PruneSessions(), id=id_at(1_600_000_000_000, place)) for place in range(count)]
    await enqueue_alone(api.resources.database, SYSTEM_TENANT, jobs)
    async with api.resources.database.system() as connection:
        claimed = await queue_sql.claim(connection, "maintenance", limit=99, worker_id="w", lease_seconds=30)
        assert len(await queue_sql.complete(connection, claimed, worker_id="w")) == count


async def test_finished_jobs_are_deleted_in_slices_and_current_ones_stay(
    api: Running, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_run, "_SLICE", 2)
    await uploaded(client)
    (reading,) = await api.claim()
    await api.complete(reading, "page")
    await _old_jobs(api, 5)
    assert (await run_task(api.resources, PruneJobs(dry_run=True)))["jobs"] == 5
    assert await api.count("jobs") == 6
    assert await run_task(api.resources, PruneJobs(limit=3)) == {"dry_run": False, "limit_reached": True, "jobs": 3}
    assert await run_task(api.resources, PruneJobs()) == {"dry_run": False, "limit_reached": False, "jobs": 2}
    assert await api.count("jobs") == 1, "the document's own job stays"


async def test_idempotency_keys_are_forgotten_after_a_week(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    document = await uploaded(client, key="upload")
    body = {"document_ids": [document["id"]], "schema": "invoice"}
    await client.post("/extractions", json=body, headers={"Idempotency-Key": "extraction"})
    await client.post("/batches", json={"name": "b"}, headers={"Idempotency-Key": "batch"})
    await pass_time("6 days")
    assert (await run_task(api.resources, PruneIdempotencyKeys()))["keys"] == 0
    await pass_time("2 days")
    assert (await run_task(api.resources, PruneIdempotencyKeys(dry_run=True)))["keys"] == 3
    assert (await run_task(api.resources, PruneIdempotencyKeys()))["keys"] == 3
    again = await client.post("/batches", json={"name": "other"}, headers={"Idempotency-Key": "batch"})
    assert again.status_code == 201


async def test_sessions_and_links_are_deleted_once_they_have_expired(api: Running, pass_time: Pass) -> None:
    tenant = await api.tenant("acme")
    key = await api.key(tenant, "admin")
    async with api.resources.database.system() as connection, connection.transaction():
        await sessions.sign_in_by_key(connection, key, Source())
        await sessions.new_link(connection, tenant.id)
    assert await run_task(api.resources, PruneSessions()) == {
        "dry_run": False,
        "limit_reached": False,
        "sessions": 0,
        "links": 0,
    }
    await pass_time("8 days")
    dry = await run_task(api.resources, PruneSessions(dry_run=True))
    done = await run_task(api.resources, PruneSessions())
    assert (dry["sessions"], dry["links"], done["sessions"], done["links"]) == (1, 1, 1, 1)
    assert (await api.count("sessions"), await api.count("sign_in_links")) == (0, 0)


async def test_cached_responses_and_the_ledger_are_pruned_by_age(api: Running, pass_time: Pass) -> None:
    tenant = await api.tenant("acme")
    await _spend(api, Scope(tenant.id))
    kept = await run_task(api.resources, PruneProviderRecords())
    assert (kept["cached_responses"], kept["spending"]) == (0, 0)
    await pass_time("31 days")
    young = await run_task(api.resources, PruneProviderRecords())
    assert (young["cached_responses"], young["spending"]) == (1, 0)
    await pass_time("400 days")
    assert (await run_task(api.resources, PruneProviderRecords(dry_run=True)))["spending"] == 1
    assert (await run_task(api.resources, PruneProviderRecords()))["spending"] == 1


async def test_events_and_ended_deliveries_are_deleted_by_age(
    api: Running, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await client.post("/webhooks/endpoints", json={"url": "https://example.com/hook"})
    await uploaded(client)
    (job,) = await api.claim()
    await api.complete(job, "page")
    assert (await api.count("events"), await api.count("webhook_deliveries")) == (1, 1)
    async with api.resources.database.system() as connection:
        await connection.execute("update webhook_deliveries set status = 'failed'")
    kept = await run_task(api.resources, PruneDeliveries())
    assert (kept["events"], kept["deliveries"], kept["secrets"]) == (0, 0, 0)
    monkeypatch.setattr(prune, "KEEP_EVENTS_DAYS", -1.0)
    monkeypatch.setattr(prune, "KEEP_DELIVERIES_DAYS", -1.0)
    dry = await run_task(api.resources, PruneDeliveries(dry_run=True))
    done = await run_task(api.resources, PruneDeliveries())
    for result in (dry, done):
        assert (result["events"], result["deliveries"]) == (1, 1)
    assert (await api.count("events"), await api.count("webhook_deliveries")) == (0, 0)
