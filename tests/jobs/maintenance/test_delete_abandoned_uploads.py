"""Direct uploads that were not completed in time go, with what was stored of them; documents stay."""

from typing import Any

import httpx

from docsieve.services.maintenance.tasks import DeleteAbandonedUploads, SweepBlobs
from tests.api.running import Running
from tests.maintaining import run_task

CONTENT = b"Invoice 17"


async def _sent(api: Running, client: httpx.AsyncClient) -> dict[str, Any]:
    upload: dict[str, Any] = (await client.post("/uploads", json={"filename": "a.txt", "size": len(CONTENT)})).json()
    stranger = await api.client(prefix="")
    assert (await stranger.put(upload["parts"][0]["url"], content=CONTENT)).status_code == 204
    return upload


async def _expire(api: Running, upload: dict[str, Any]) -> None:
    async with api.resources.database.system() as connection:
        await connection.execute("update uploads set expires_at = now() - interval '1s' where id = $1", upload["id"])


async def test_an_expired_upload_goes_with_its_parts_and_others_stay(api: Running, client: httpx.AsyncClient) -> None:
    expired, fresh, completed = [await _sent(api, client) for _ in range(3)]
    document = (await client.post(f"/uploads/{completed['id']}/complete")).json()
    await _expire(api, expired)
    await _expire(api, completed)
    before = await api.blobs()

    counted = await run_task(api.resources, DeleteAbandonedUploads(dry_run=True))
    assert (counted["uploads"], await api.blobs()) == (2, before)
    assert (await run_task(api.resources, DeleteAbandonedUploads()))["uploads"] == 2

    [gone] = before - await api.blobs()
    assert expired["id"] in gone
    assert (await client.get(f"/documents/{document['id']}/file")).content == CONTENT
    assert (await client.post(f"/uploads/{expired['id']}/complete")).status_code == 404
    assert (await client.post(f"/uploads/{fresh['id']}/complete")).status_code == 200


async def test_parts_without_an_upload_are_swept_and_those_under_way_stay(
    api: Running, client: httpx.AsyncClient
) -> None:
    lost, fresh = [await _sent(api, client) for _ in range(2)]
    async with api.resources.database.system() as connection:
        await connection.execute("delete from uploads where id = $1", lost["id"])

    assert (await run_task(api.resources, SweepBlobs(grace_seconds=0)))["blobs"] == 1

    [kept] = await api.blobs()
    assert fresh["id"] in kept
