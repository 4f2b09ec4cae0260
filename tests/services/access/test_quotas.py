"""Quotas: what a tenant may take in per month, counted without a row that all uploads wait for."""

import asyncio

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import intake
from docsieve.db.documents.intake import NewDocument
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.errors.access import QuotaExceeded
from docsieve.services.documents import first_job
from tests.api.conftest import acme, api, client
from tests.api.running import Running, assert_problem, upload, uploaded

__all__ = ["acme", "api", "client"]


async def limit(api: Running, **quotas: int) -> None:
    operator = await api.admin(await api.tenant("default"))
    assert (await operator.patch("/tenants/acme", json={"quotas": quotas})).json()["quotas"] == quotas


async def test_documents_beyond_the_quota_are_refused_and_leave_nothing(
    api: Running, client: httpx.AsyncClient
) -> None:
    await limit(api, documents=2)
    await uploaded(client, b"one")
    await uploaded(client, b"two")
    refused = assert_problem(await upload(client, b"three"), 402, "quota_exceeded")
    assert refused["detail"] == "The tenant's monthly quota of documents is used up."
    assert (await api.count("documents"), await api.count("jobs"), len(await api.blobs())) == (2, 2, 2)
    other = await api.admin(await api.tenant("other"))
    await uploaded(other, b"of another tenant")


async def test_deleting_documents_does_not_give_their_quota_back(api: Running, client: httpx.AsyncClient) -> None:
    await limit(api, documents=1)
    document = await uploaded(client, b"one")
    assert (await client.delete(f"/documents/{document['id']}")).status_code == 204
    assert_problem(await upload(client, b"two"), 402, "quota_exceeded")


async def test_bytes_and_pages_have_quotas_too_and_usage_shows_them(api: Running, client: httpx.AsyncClient) -> None:
    await limit(api, bytes=10, pages=2)
    await uploaded(client, b"12345678")
    assert "quota of bytes" in assert_problem(await upload(client, b"123"), 402, "quota_exceeded")["detail"]
    await uploaded(client, b"12")
    [job] = await api.claim()
    await api.complete(job, "first page", "second page")
    assert_problem(await upload(client, b"1"), 402, "quota_exceeded")
    intake_now = (await client.get("/usage")).json()["intake"]
    assert intake_now == {
        "documents": {"used": 2, "quota": None},
        "bytes": {"used": 10, "quota": 10},
        "pages": {"used": 2, "quota": 2},
    }
    assert (await client.get("/usage", params={"month": "2020-01"})).json()["intake"]["documents"]["used"] == 0


async def test_a_key_of_a_project_does_not_see_the_tenants_intake_but_its_quota_holds(
    api: Running, acme: Tenant
) -> None:
    await limit(api, documents=1)
    restricted = await api.admin(acme, project_id=await api.project(acme, "one"))
    await uploaded(restricted, b"one")
    assert_problem(await upload(restricted, b"two"), 402, "quota_exceeded")
    assert (await restricted.get("/usage")).json()["intake"] is None


async def test_children_of_a_document_count_and_are_refused_as_a_whole(
    api: Running, client: httpx.AsyncClient, acme: Tenant
) -> None:
    await limit(api, documents=3)
    parent = await uploaded(client, b"an archive")
    added = [NewDocument(new_id(), f"{n}.txt", "text/plain", 1, "0" * 64, parent_path=f"{n}.txt") for n in range(3)]
    jobs = [first_job(each.id, each.media_type, max_attempts=3) for each in added]
    try:
        async with api.resources.database.tenant(Scope(acme.id)) as session:
            await intake.add_children(session, parent["id"], added, jobs)
        raise AssertionError("more children than the quota allows were added")
    except QuotaExceeded:
        assert await api.count("documents") == 1
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        await intake.add_children(session, parent["id"], added[:2], jobs[:2])
    assert_problem(await upload(client, b"one more"), 402, "quota_exceeded")


async def test_uploads_at_the_same_time_are_all_counted(api: Running, client: httpx.AsyncClient) -> None:
    await asyncio.gather(*(uploaded(client, f"{number}".encode()) for number in range(40)))
    assert (await client.get("/usage")).json()["intake"]["documents"]["used"] == 40
