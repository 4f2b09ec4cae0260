"""kill -9 during a clean-up: what was deleted stays deleted, and another worker does the rest."""

import asyncio

import asyncpg

from docsieve.faults import STEPS as ALL_STEPS
from docsieve.services.maintenance.tasks import TASKS
from tests.backends import stored_keys
from tests.service import Service

STEPS = [step for step in ALL_STEPS if step.startswith("maintenance.")]


def test_a_clean_up_whose_worker_is_killed_is_finished_by_another(service: Service) -> None:
    off = {"DOCSIEVE_SCHEDULES": ",".join(f"{each.name}=off" for each in TASKS)}
    service.api()
    for number in range(3):
        batch = service.client.post("/batches", json={"name": f"b{number}"}).raise_for_status().json()["id"]
        service.upload(f"document {number}".encode(), batch=batch).raise_for_status()
    asyncio.run(_abandon(service.environment["DOCSIEVE_DATABASE_URL"]))
    job = service.client.post("/maintenance/delete_abandoned_batches").raise_for_status().json()["id"]

    for step in STEPS:
        doomed = service.worker("maintenance=1", DOCSIEVE_FAULT=step, **off)
        assert doomed.wait(30) == -9
        assert 0 < service.client.get("/documents").json()["total"] < 3, "a part is done"
    service.worker("maintenance=1", **off)

    ended = service.wait_until(
        lambda: (found := service.client.get(f"/jobs/{job}").json())["status"] == "completed" and found,
        what="the clean-up has ended",
    )
    assert ended["rescues"] == len(STEPS)
    assert service.client.get("/batches").json()["batches"] == []
    assert service.client.get("/documents").json()["total"] == 0
    assert [key for key in stored_keys(service.environment) if key.startswith("documents/")] == []


async def _abandon(database_url: str) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute("update batches set updated_at = updated_at - interval '8 days'")
    await connection.execute("update documents set created_at = created_at - interval '8 days'")
    await connection.close()
