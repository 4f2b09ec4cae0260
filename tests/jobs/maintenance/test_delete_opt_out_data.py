"""Data that is not to be kept: deleted with everything derived from it, once its grace period is over."""

from typing import Any
from uuid import UUID

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import intake
from docsieve.db.documents.intake import NewDocument
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.services.documents import processing_job
from docsieve.services.maintenance.tasks import DeleteOptOutData
from tests.api.extracting import begun, complete
from tests.api.extracting import result as extracted
from tests.api.running import Running, assert_problem, uploaded
from tests.jobs.maintenance.conftest import Pass
from tests.maintaining import run_task


async def _read(api: Running) -> None:
    for job in await api.claim(limit=9):
        await api.complete(job, "page")


async def _documents(client: httpx.AsyncClient) -> set[str]:
    return {each["id"] for each in (await client.get("/documents")).json()["documents"]}


async def test_an_upload_is_deleted_a_day_after_it_was_processed(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    kept = await uploaded(client, b"kept")
    dropped = await uploaded(client, b"dropped", persist_data="false", key="once")
    assert (kept["persist_data"], dropped["persist_data"]) == (True, False)
    await _read(api)
    await pass_time("23 hours")
    assert (await run_task(api.resources, DeleteOptOutData()))["documents"] == 0
    await pass_time("2 hours")

    result = await run_task(api.resources, DeleteOptOutData())

    assert result == {"dry_run": False, "limit_reached": False, "batches": 0, "documents": 1}
    assert_problem(await client.get(f"/documents/{dropped['id']}"), 404, "not_found")
    assert await _documents(client) == {kept["id"]}
    assert len(await api.blobs()) == 2, "the original and the pages of the other"
    assert await api.count("idempotency_keys") == 0


async def test_what_still_runs_is_not_deleted(api: Running, client: httpx.AsyncClient, pass_time: Pass) -> None:
    await uploaded(client, persist_data="false")
    await pass_time("30 days")
    assert (await run_task(api.resources, DeleteOptOutData()))["documents"] == 0


async def test_the_grace_period_begins_with_the_last_extraction(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    document = await uploaded(client, persist_data="false")
    await _read(api)
    extraction = await begun(client, document["id"], schema="invoice")
    await pass_time("2 days")
    assert (await run_task(api.resources, DeleteOptOutData()))["documents"] == 0, "it is still running"
    await complete(api, extraction["id"], extracted({"total": 5.0}, document["id"], confidence=0.9))
    assert (await run_task(api.resources, DeleteOptOutData()))["documents"] == 0, "it has just ended"
    await pass_time("25 hours")
    assert (await run_task(api.resources, DeleteOptOutData()))["documents"] == 1
    assert await api.count("extractions") == 0


async def test_what_was_found_in_an_upload_inherits_the_choice_and_goes_with_it(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    parent = await uploaded(client, b"parent", persist_data="false")
    (job,) = await api.claim()
    await _add_child(api, job.tenant_id, UUID(parent["id"]))
    await api.complete(job, "page")
    listed = (await client.get("/documents")).json()["documents"]
    assert [each["persist_data"] for each in listed] == [False, False]
    await pass_time("25 hours")
    assert (await run_task(api.resources, DeleteOptOutData()))["documents"] == 0, "the child is still unread"
    async with api.resources.database.system() as connection:
        await connection.execute("update jobs set status = 'failed' where status = 'pending'")
    await pass_time("25 hours")

    dry = await run_task(api.resources, DeleteOptOutData(dry_run=True))
    assert (dry["documents"], len(await _documents(client))) == (2, 2)
    assert (await run_task(api.resources, DeleteOptOutData()))["documents"] == 2
    assert await _documents(client) == set()


async def _add_child(api: Running, tenant_id: UUID, parent_id: UUID) -> None:
    child = NewDocument(new_id(), "a.txt", "text/plain", 1, "0" * 64, parent_path="a.txt")
    async with api.resources.database.tenant(Scope(tenant_id)) as session:
        await intake.add_children(session, parent_id, [child], [processing_job(child.id, max_attempts=3)])


async def _completed_batch(api: Running, client: httpx.AsyncClient, content: bytes, **options: Any) -> dict[str, Any]:
    batch = (await client.post("/batches", json={"name": "all", "schema": "invoice", **options})).json()
    document = await uploaded(client, content, batch=batch["id"])
    await _read(api)
    assert (await client.post(f"/batches/{batch['id']}/start")).status_code == 200
    extraction = (await client.get("/extractions")).json()["extractions"][0]
    await complete(api, extraction["id"], extracted({"total": 5.0}, document["id"], confidence=0.9))
    found: dict[str, Any] = (await client.get(f"/batches/{batch['id']}")).json()
    assert found["status"] == "completed"
    return found


async def test_a_completed_batch_is_deleted_with_its_documents_and_results_a_day_after_its_end(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    kept = await _completed_batch(api, client, b"kept")
    dropped = await _completed_batch(api, client, b"dropped", persist_data=False)
    assert (await run_task(api.resources, DeleteOptOutData()))["batches"] == 0
    await pass_time("25 hours")

    result = await run_task(api.resources, DeleteOptOutData())

    assert result == {"dry_run": False, "limit_reached": False, "batches": 1, "documents": 1}
    assert_problem(await client.get(f"/batches/{dropped['id']}"), 404, "not_found")
    assert (await client.get(f"/batches/{kept['id']}")).json()["progress"]["completed"] == 1
    assert (await api.count("documents"), await api.count("extractions"), len(await api.blobs())) == (1, 1, 2)


async def test_one_upload_that_must_be_kept_does_not_keep_the_others(
    api: Running, acme: Tenant, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    first = await uploaded(client, b"first", persist_data="false")
    await uploaded(client, b"second", persist_data="false")
    await _read(api)
    await pass_time("25 hours")
    hold = {"document_id": first["id"], "reason": "case 7"}
    (await (await api.admin(acme)).post("/holds", json=hold)).raise_for_status()
    result = await run_task(api.resources, DeleteOptOutData())
    assert (result["documents"], result["kept"]) == (1, 1)
    assert await _documents(client) == {first["id"]}
