"""Files of unpacked archives: deleted a day later, while everything that was in them stays."""

from uuid import UUID

import httpx
import pytest

from docsieve.db.documents import archives
from docsieve.db.documents.archives import EntryRow
from docsieve.domain.scope import Scope
from docsieve.services.maintenance.tasks import DeleteArchiveOriginals, SweepBlobs
from tests.api.running import Running, assert_problem, uploaded
from tests.jobs.maintenance.conftest import Pass
from tests.jobs.unpack_archive.conftest import zipped
from tests.maintaining import run_task

ENTRIES = {
    "created": EntryRow(0, "a.txt", "skipped", "litter", None, None),
    "refused": EntryRow(0, "a.txt", "refused", "password_required", 5, None),
}


async def _unpacked(api: Running, client: httpx.AsyncClient, entry: str = "created") -> str:
    """An archive after its job, which is ended without unpacking anything."""
    document = await uploaded(client, zipped(("a.txt", b"Hello.")), "a.zip")
    async with api.resources.database.system() as connection:
        tenant_id = await connection.fetchval("select tenant_id from documents where id = $1", document["id"])
        await connection.execute("update jobs set status = 'completed' where id = $1", document["processing_job_id"])
    async with api.resources.database.tenant(Scope(tenant_id)) as session:
        await archives.begin(session, UUID(document["id"]))
        await archives.record_entries(
            session, UUID(document["id"]), [ENTRIES[entry]], unpacked_bytes=5, incomplete=None
        )
    found = (await client.get(f"/documents/{document['id']}")).json()
    assert found["status"] == "unpacked"
    return str(document["id"])


async def test_the_file_of_an_archive_is_deleted_a_day_after_it_was_unpacked(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    archive = await _unpacked(api, client)
    assert (await run_task(api.resources, DeleteArchiveOriginals()))["archives"] == 0
    await pass_time("25 hours")
    dry = await run_task(api.resources, DeleteArchiveOriginals(dry_run=True))
    assert (dry["archives"], len(await api.blobs())) == (1, 1)

    result = await run_task(api.resources, DeleteArchiveOriginals())

    assert (result["archives"], result["bytes"]) == (1, dry["bytes"])
    assert await api.blobs() == set()
    found = (await client.get(f"/documents/{archive}")).json()
    assert found["status"] == "unpacked"
    assert found["original_deleted_at"] is not None
    assert_problem(await client.get(f"/documents/{archive}/file"), 410, "original_deleted")
    assert_problem(await client.post(f"/documents/{archive}/reprocess"), 410, "original_deleted")
    assert (await client.get(f"/documents/{archive}")).json()["status"] == "unpacked"
    assert (await run_task(api.resources, DeleteArchiveOriginals()))["archives"] == 0


async def test_an_archive_with_entries_that_could_not_be_opened_keeps_its_file_for_a_month(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    await _unpacked(api, client, "refused")
    await pass_time("29 days")
    assert (await run_task(api.resources, DeleteArchiveOriginals()))["archives"] == 0
    await pass_time("2 days")
    assert (await run_task(api.resources, DeleteArchiveOriginals()))["archives"] == 1


async def test_an_archive_that_failed_and_other_documents_keep_their_files(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    await uploaded(client)
    (job,) = await api.claim()
    await api.complete(job, "page")
    await uploaded(client, zipped(("a.txt", b"Hello.")), "a.zip")
    async with api.resources.database.system() as connection:
        await connection.execute("update jobs set status = 'failed' where queue = 'archive'")
    await pass_time("90 days")
    assert (await run_task(api.resources, DeleteArchiveOriginals()))["archives"] == 0
    assert len(await api.blobs()) == 3


async def test_a_file_that_a_crash_left_after_its_row_was_marked_is_swept(
    api: Running, client: httpx.AsyncClient
) -> None:
    archive = await _unpacked(api, client)
    async with api.resources.database.system() as connection:
        await connection.execute("update documents set original_deleted_at = now() where id = $1", archive)
    result = await run_task(api.resources, SweepBlobs(grace_seconds=-60))
    assert (result["blobs"], await api.blobs()) == (1, set())


@pytest.mark.parametrize("limit", [1, 2])
async def test_no_more_files_are_deleted_than_the_limit(
    api: Running, client: httpx.AsyncClient, pass_time: Pass, limit: int
) -> None:
    for _ in range(3):
        await _unpacked(api, client)
    await pass_time("2 days")
    result = await run_task(api.resources, DeleteArchiveOriginals(limit=limit))
    assert (result["archives"], result["limit_reached"]) == (limit, True)
    assert len(await api.blobs()) == 3 - limit
