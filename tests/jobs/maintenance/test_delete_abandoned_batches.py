"""Batches that no one started: deleted with what was uploaded into them, and nothing else."""

from typing import Any

import httpx

from docsieve.services.maintenance.tasks import DeleteAbandonedBatches
from tests.api.running import Running, assert_problem, uploaded
from tests.jobs.maintenance.conftest import Pass
from tests.maintaining import run_task


async def _batch(client: httpx.AsyncClient, **options: Any) -> str:
    answer = await client.post("/batches", json={"name": "all", "schema": "invoice", **options})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def test_an_abandoned_batch_is_deleted_with_its_documents_and_files(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    batch = await _batch(client)
    await uploaded(client, b"one", batch=batch)
    (job,) = await api.claim()
    await api.complete(job, "page")
    await uploaded(client, b"two", batch=batch)
    await pass_time("8 days")

    result = await run_task(api.resources, DeleteAbandonedBatches())

    assert result == {"dry_run": False, "limit_reached": False, "batches": 1, "documents": 2}
    assert_problem(await client.get(f"/batches/{batch}"), 404, "not_found")
    assert (await api.count("documents"), await api.count("jobs"), await api.blobs()) == (0, 0, set())


async def test_a_dry_run_counts_and_deletes_nothing(api: Running, client: httpx.AsyncClient, pass_time: Pass) -> None:
    await uploaded(client, batch=await _batch(client))
    await pass_time("8 days")
    result = await run_task(api.resources, DeleteAbandonedBatches(dry_run=True))
    assert result == {"dry_run": True, "limit_reached": False, "batches": 1, "documents": 1}
    assert (await api.count("batches"), await api.count("documents")) == (1, 1)


async def test_a_batch_that_is_young_changed_filled_or_started_is_kept(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    changed, filled, begun = await _batch(client), await _batch(client), await _batch(client)
    await uploaded(client, b"read", batch=begun)
    (job,) = await api.claim()
    await api.complete(job, "page")
    await client.post(f"/batches/{begun}/start")
    await pass_time("8 days")
    young = await _batch(client)
    await client.patch(f"/batches/{changed}", json={"name": "changed"})
    await uploaded(client, b"new", batch=filled)

    result = await run_task(api.resources, DeleteAbandonedBatches())

    assert result["batches"] == 0
    for batch in (young, changed, filled, begun):
        assert (await client.get(f"/batches/{batch}")).status_code == 200


async def test_documents_that_existed_before_or_are_in_another_batch_outlive_it(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    batch = await _batch(client)
    before = await uploaded(client, b"before")
    shared = await uploaded(client, b"shared", batch=batch)
    await uploaded(client, b"only here", batch=batch)
    await client.post(f"/batches/{batch}/documents", json={"document_ids": [before["id"]]})
    await pass_time("8 days")
    other = await _batch(client)
    await client.post(f"/batches/{other}/documents", json={"document_ids": [shared["id"]]})

    result = await run_task(api.resources, DeleteAbandonedBatches())

    assert (result["batches"], result["documents"]) == (1, 1)
    listed = (await client.get("/documents")).json()["documents"]
    assert {each["id"] for each in listed} == {before["id"], shared["id"]}


async def test_no_more_batches_are_deleted_than_the_limit(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    for _ in range(3):
        await _batch(client)
    await pass_time("8 days")
    result = await run_task(api.resources, DeleteAbandonedBatches(limit=2))
    assert (result["batches"], result["limit_reached"]) == (2, True)
    assert await api.count("batches") == 1
