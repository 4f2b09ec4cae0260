"""What the retention task deletes, and what it leaves."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.services.retention import expiry
from docsieve.services.retention.expiry import Expiry
from tests.api.extracting import completed
from tests.api.running import Running, assert_problem, upload, uploaded


async def _keep(client: httpx.AsyncClient, **days: int | None) -> None:
    assert (await client.patch("/projects/default", json=days)).status_code == 200


async def _age(api: Running, days: float, *ids: str) -> None:
    """As if these documents, and what was extracted from them, were older."""
    async with api.resources.database.system() as connection:
        for statement in (
            "update documents set created_at = created_at - make_interval(secs => $1 * 86400) where id = any($2)",
            "update extractions set completed_at = completed_at - make_interval(secs => $1 * 86400) where id in ("
            "select extraction_id from extraction_documents where document_id = any($2))",
        ):
            await connection.execute(statement, days, [UUID(each) for each in ids])


async def _run(api: Running, *, dry_run: bool = False, limit: int | None = None) -> dict[str, int]:
    counts: Counter[str] = await Expiry(api.resources, dry_run=dry_run, limit=limit).run()
    return {name: number for name, number in counts.items() if number}


async def _ids(client: httpx.AsyncClient) -> set[str]:
    return {each["id"] for each in (await client.get("/documents")).json()["documents"]}


async def _entries(client: httpx.AsyncClient, object_id: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = (await client.get("/audit", params={"object_id": object_id})).json()["entries"]
    return entries


async def test_without_a_rule_nothing_expires(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    await _age(api, 10_000, document["id"])
    assert await _run(api) == {}
    assert await _ids(client) == {document["id"]}


async def test_documents_past_the_projects_days_are_deleted_with_their_files(
    api: Running, client: httpx.AsyncClient
) -> None:
    old, new = await uploaded(client, b"old"), await uploaded(client, b"new")
    await _keep(client, keep_documents_days=30)
    await _age(api, 31, old["id"])
    await _age(api, 29, new["id"])
    assert await _run(api) == {"documents": 1}
    assert await _ids(client) == {new["id"]}
    assert [key.rpartition("/")[2] for key in await api.blobs()] == [new["id"]]
    files, rows = await _entries(client, old["id"])
    assert (files["action"], files["details"]) == ("document.files_deleted", {"objects": 1})
    assert (rows["action"], rows["details"]) == (
        "document.deleted",
        {"rule": "keep_documents_days", "rows": {"jobs": 1}},
    )
    assert rows["actor"] == {"kind": "rule", "id": "keep_documents_days", "name": None}


async def test_a_dry_run_only_counts(api: Running, client: httpx.AsyncClient) -> None:
    extraction = await completed(api, client)
    document = extraction["documents"][0]
    await _keep(client, keep_documents_days=30, keep_originals_days=30, keep_results_days=30)
    await _age(api, 31, document)
    assert await _run(api, dry_run=True) == {"documents": 1, "originals": 1, "results": 1}
    assert await _ids(client) == {document}
    assert (await client.get(f"/documents/{document}/file")).status_code == 200


async def test_many_are_deleted_in_slices_up_to_the_limit(
    api: Running, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "_SLICE", 2)
    ids = [(await uploaded(client, str(number).encode()))["id"] for number in range(5)]
    await _keep(client, keep_documents_days=1)
    await _age(api, 2, *ids)
    assert await _run(api, limit=3) == {"documents": 3}
    assert len(await _ids(client)) == 2
    assert await _run(api) == {"documents": 2}


async def test_a_held_document_outlives_its_rule_and_does_not_keep_others(
    api: Running, client: httpx.AsyncClient
) -> None:
    held, free = await uploaded(client, b"held"), await uploaded(client, b"free")
    hold = await client.post("/holds", json={"document_id": held["id"], "reason": "case 7"})
    await _keep(client, keep_documents_days=1, keep_originals_days=1)
    await _age(api, 2, held["id"], free["id"])
    assert await _run(api) == {"documents": 1, "held": 1}
    assert await _ids(client) == {held["id"]}
    assert (await client.get(f"/documents/{held['id']}/file")).status_code == 200
    await client.delete(f"/holds/{hold.json()['id']}")
    assert await _run(api) == {"documents": 1}


async def test_a_document_is_deleted_after_the_time_its_upload_named(api: Running, client: httpx.AsyncClient) -> None:
    now = datetime.now(UTC)
    past = await uploaded(client, b"past", delete_after=(now - timedelta(minutes=1)).isoformat())
    future = await uploaded(client, b"future", delete_after=(now + timedelta(days=1)).isoformat())
    assert past["delete_after"] is not None
    assert await _run(api) == {"documents": 1}
    assert await _ids(client) == {future["id"]}
    assert (await _entries(client, past["id"]))[-1]["details"]["rule"] == "delete_after"


@pytest.mark.parametrize("moment", ["30", "1.5", "2030-01-01", "2030-01-01T00:00:00", "soon"])
async def test_a_time_that_could_be_misread_is_refused(client: httpx.AsyncClient, moment: str) -> None:
    """A number would be seconds since 1970, and the document be deleted at once."""
    assert_problem(await upload(client, delete_after=moment), 422, "invalid_request")


async def test_without_its_original_a_document_keeps_pages_and_results(api: Running, client: httpx.AsyncClient) -> None:
    document = (await uploaded(client, b"one page"))["id"]
    (job,) = await api.claim()
    await api.complete(job, "one page")
    await _keep(client, keep_originals_days=1)
    await _age(api, 2, document)
    assert await _run(api) == {"originals": 1}
    shown = (await client.get(f"/documents/{document}")).json()
    assert shown["original_deleted_at"] is not None
    assert shown["status"] == "ready"
    assert (await client.get(f"/documents/{document}/text")).json()["text"] == "one page"
    assert_problem(await client.get(f"/documents/{document}/file"), 410, "original_deleted")
    assert_problem(await client.post(f"/documents/{document}/reprocess"), 410, "original_deleted")
    skipped = (await client.post("/documents/reprocess", json={"ids": [document]})).json()["skipped"]
    assert [each["code"] for each in skipped] == ["original_deleted"]
    assert not [key for key in await api.blobs() if key.startswith("documents/")]
    (entry,) = await _entries(client, document)
    assert entry["details"] == {"rule": "keep_originals_days", "objects": 1, "bytes": len(b"one page")}
    assert await _run(api) == {}


async def test_damaged_pages_without_an_original_cannot_be_restored(api: Running, client: httpx.AsyncClient) -> None:
    document = (await uploaded(client, b"one page"))["id"]
    (job,) = await api.claim()
    pages = await api.complete(job, "one page")
    await _keep(client, keep_originals_days=1)
    await _age(api, 2, document)
    await _run(api)
    await api.resources.blobs.delete(pages)
    assert_problem(await client.get(f"/documents/{document}/text"), 410, "original_deleted")
    assert await api.claim() == []


async def test_a_document_that_is_being_read_keeps_its_original(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    await _keep(client, keep_originals_days=1)
    await _age(api, 2, document["id"])
    assert await _run(api) == {}
    assert (await client.get(f"/documents/{document['id']}/file")).status_code == 200


async def test_results_are_deleted_with_their_fields_and_corrections(api: Running, client: httpx.AsyncClient) -> None:
    extraction = await completed(api, client)
    fixes = {"fields": [{"path": "count", "value": 3}]}
    await client.patch(f"/extractions/{extraction['id']}/fields", json=fixes)
    document = extraction["documents"][0]
    await _keep(client, keep_results_days=1)
    await _age(api, 2, document)
    assert await _run(api) == {"results": 1}
    assert_problem(await client.get(f"/extractions/{extraction['id']}"), 404, "not_found")
    for table in ("extractions", "document_fields", "corrections", "extraction_documents"):
        assert await api.count(table) == 0, table
    shown = (await client.get(f"/documents/{document}")).json()
    assert (shown["confidence"], shown["needs_review"]) == (None, None)
    assert (await _entries(client, extraction["id"]))[0]["details"]["rule"] == "keep_results_days"


async def test_rules_of_one_tenant_do_not_touch_another(api: Running, acme: Tenant, client: httpx.AsyncClient) -> None:
    other = await api.admin(await api.tenant("other"))
    ours, theirs = await uploaded(client), await uploaded(other)
    await _keep(client, keep_documents_days=1)
    await _age(api, 2, ours["id"], theirs["id"])
    assert await _run(api) == {"documents": 1}
    assert await _ids(other) == {theirs["id"]}


@pytest.mark.parametrize("days", [0, -1, 36_501, 1.5])
async def test_days_to_keep_are_whole_and_positive(client: httpx.AsyncClient, days: float) -> None:
    assert_problem(await client.patch("/projects/default", json={"keep_results_days": days}), 422, "invalid_request")
