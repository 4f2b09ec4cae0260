"""Files that no one needs: orphan blobs, folders of killed processes, incomplete uploads; and checks of the rest."""

import os
import time
from pathlib import Path

import httpx

from docsieve.services.maintenance.tasks import CheckFiles, RemoveTemporaryFiles, SweepBlobs
from tests.api.running import Running, once, uploaded
from tests.jobs.maintenance.conftest import Pass
from tests.maintaining import run_task

# Process numbers are far smaller.
GONE = 2**22 + 1


async def test_orphan_blobs_are_counted_by_a_dry_run_and_deleted_within_the_limit(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client, b"kept")
    for _ in range(3):
        await uploaded(client, b"lost")
    async with api.resources.database.system() as connection:
        await connection.execute("delete from documents where id <> $1", document["id"])
    assert (await run_task(api.resources, SweepBlobs()))["checked"] == 0, "they are too young"
    dry = await run_task(api.resources, SweepBlobs(grace_seconds=-60, dry_run=True))
    assert (dry["checked"], dry["blobs"], dry["bytes"], len(await api.blobs())) == (4, 3, 12, 4)
    some = await run_task(api.resources, SweepBlobs(grace_seconds=-60, limit=2))
    assert (some["blobs"], some["limit_reached"], len(await api.blobs())) == (2, True, 2)
    assert (await run_task(api.resources, SweepBlobs(grace_seconds=-60)))["blobs"] == 1


async def test_folders_of_killed_processes_and_incomplete_uploads_are_removed(api: Running, tmp_path: Path) -> None:
    await api.resources.blobs.put("documents/x", once(b"x"))
    folder = tmp_path / "tmp" / f"worker-{GONE}"
    (folder / "deep").mkdir(parents=True)
    alive = tmp_path / "tmp" / f"sandbox-{os.getppid()}"
    alive.mkdir()
    incomplete = tmp_path / "blobs" / ".incoming" / "left"
    incomplete.write_bytes(b"half of it")
    old = time.time() - 2 * 86400
    os.utime(incomplete, (old, old))
    # the start of a worker removes folders too, so the helper must not be what did it
    dry = await run_task(api.resources, RemoveTemporaryFiles(dry_run=True))
    assert (dry["incomplete_uploads"], incomplete.exists()) == (1, True)
    result = await run_task(api.resources, RemoveTemporaryFiles())
    assert result["incomplete_uploads"] == 1
    assert [incomplete.exists(), folder.exists(), alive.exists()] == [False, False, True]


async def test_files_are_checked_within_the_limit_and_a_dry_run_counts_those_that_are_due(
    api: Running, client: httpx.AsyncClient, pass_time: Pass
) -> None:
    for content in (b"one", b"two", b"three"):
        await uploaded(client, content)
    for job in await api.claim(limit=9):
        await api.complete(job, "page")
    await pass_time("8 days")
    assert (await run_task(api.resources, CheckFiles(dry_run=True)))["documents"] == 3
    some = await run_task(api.resources, CheckFiles(limit=2))
    assert (some["documents"], some["damaged_originals"], some["limit_reached"]) == (2, 0, True)
    assert (await run_task(api.resources, CheckFiles()))["documents"] == 1
