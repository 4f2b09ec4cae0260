"""Batches over HTTP: configured, filled, grouped, started, watched, cancelled, retried and deleted."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.db import extractions
from docsieve.db.access.tenants import Tenant
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.extraction import ExtractionOutcome
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.scope import Scope
from docsieve.services.extractions import results
from tests.api.extracting import result
from tests.api.running import WORKER, Running, uploaded

FIELDS = [{"name": "total", "type": "number", "description": "what is to be paid", "required": True}]


@pytest.fixture
async def client(api: Running, acme: Tenant) -> httpx.AsyncClient:
    return await api.client(await api.key(acme, "write"))


async def created(client: httpx.AsyncClient, **settings: Any) -> dict[str, Any]:
    response = await client.post("/batches", json={"name": "March", "fields": FIELDS, **settings})
    assert response.status_code == 201, response.text
    batch: dict[str, Any] = response.json()
    return batch


async def filled(client: httpx.AsyncClient, batch: dict[str, Any], *names: str) -> list[str]:
    return [(await uploaded(client, name.encode(), name, batch=batch["id"]))["id"] for name in names]


async def read_all(api: Running, *, failing: int = 0) -> None:
    """End the reading of all documents as a worker does; the first ones fail."""
    for place, job in enumerate(await api.claim(limit=1000)):
        assert job.document_id is not None
        if place < failing:
            await api.fail(job)
        else:
            await api.complete(job, "page one")


async def extract(api: Running, job: ClaimedJob, value: float = 5.0, *, confidence: float = 0.9) -> None:
    async with api.resources.database.tenant(Scope(job.tenant_id)) as session:
        assert await queue_sql.complete(session.connection, [job], worker_id=WORKER) == {job.id}
        extraction = await extractions.find(session, UUID(job.args.split('"')[3]))
        assert extraction is not None
        outcome = ExtractionOutcome(
            result({"total": value}, str(extraction.documents[0]), confidence=confidence), engine_version="1"
        )
        await results.record(session, extraction, outcome, job_id=job.id, attempt=job.attempt)


async def started(client: httpx.AsyncClient, batch: dict[str, Any]) -> dict[str, Any]:
    response = await client.post(f"/batches/{batch['id']}/start")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def got(client: httpx.AsyncClient, batch: dict[str, Any], what: str = "") -> dict[str, Any]:
    response = await client.get(f"/batches/{batch['id']}{what}")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_a_batch_goes_from_configuration_to_its_results(api: Running, client: httpx.AsyncClient) -> None:
    batch = await created(client)
    assert (batch["status"], batch["schema"]) == ("pending_configuration", f"batch-{batch['id'][-12:]}@1")
    await filled(client, batch, "b 10.txt", "b 9.txt")
    await read_all(api)
    assert [each["name"] for each in (await got(client, batch, "/groups"))["groups"]] == ["b 9.txt", "b 10.txt"]

    assert (await started(client, batch))["status"] == "running"
    first, second = await api.claim(limit=9)
    await extract(api, first, 1.0)
    progress = (await got(client, batch))["progress"]
    assert (progress["total"], progress["completed"], progress["running"]) == (2, 1, 1)
    await extract(api, second, 2.0, confidence=0.1)

    done = await got(client, batch)
    assert (done["status"], done["progress"]["completed"], done["progress"]["needs_review"]) == ("completed", 2, 1)
    rows = (await got(client, batch, "/results"))["results"]
    assert [(row["group"], row["value"]["total"], row["needs_review"]) for row in rows] == [
        ("b 9.txt", 1.0, False),
        ("b 10.txt", 2.0, True),
    ]
