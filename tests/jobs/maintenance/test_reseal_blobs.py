"""Blobs are encrypted with the newest key, in steps that can be interrupted, while they are read."""

import asyncio
import base64
import os
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from docsieve.blobs.sealed.envelope import MAGIC
from docsieve.db.access import data_keys
from docsieve.db.access.tenants import Tenant
from docsieve.jobs.maintenance.reseal_blobs import FOLDERS
from docsieve.resources import Resources
from docsieve.services.maintenance.tasks import ResealBlobs
from tests.api.running import Running, running, uploaded
from tests.maintaining import run_task

NOW = ResealBlobs(grace_seconds=-60)


def master(folder: Path, name: str) -> str:
    path = folder / f"{name}.key"
    if not path.exists():
        path.write_bytes(base64.b64encode(os.urandom(32)))
    return f"file:{path}"


def stored(folder: Path) -> dict[str, bytes]:
    """The blobs in the store, by document."""
    return {path.name: path.read_bytes() for path in (folder / "blobs" / "documents").rglob("*") if path.is_file()}


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[Running]:
    """A server with encryption that was switched on after three documents of acme had been uploaded."""
    async with running(database_url, tmp_path) as plain:
        client = await plain.admin(await plain.tenant("acme"))
        for number in range(3):
            await uploaded(client, b"before %d" % number)
    assert set(stored(tmp_path).values()) == {b"before 0", b"before 1", b"before 2"}
    async with running(database_url, tmp_path, master_key=master(tmp_path, "first")) as started:
        yield started


@pytest.fixture
async def acme(api: Running) -> Tenant:
    async with api.resources.database.system() as connection:
        row = await connection.fetchrow("select id, name, weight, created_at from tenants where name = 'acme'")
    assert row is not None
    return Tenant(**row)


async def ids(client: httpx.AsyncClient) -> list[str]:
    return [each["id"] for each in (await client.get("/documents")).json()["documents"]]


async def read(client: httpx.AsyncClient) -> set[bytes]:
    """The files of all documents as clients get them."""
    answers = [await client.get(f"/documents/{each}/file") for each in await ids(client)]
    assert {answer.status_code for answer in answers} == {200}
    return {answer.content for answer in answers}


async def test_files_from_before_are_encrypted_within_the_limit_and_a_dry_run_counts_them(
    api: Running, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    young = await run_task(api.resources, ResealBlobs())
    assert (young["checked"], young["blobs"]) == (3, 0), "they are too young"
    dry = await run_task(api.resources, NOW.model_copy(update={"dry_run": True}))
    assert (dry["blobs"], dry["bytes"]) == (3, 24)
    assert b"before 0" in stored(tmp_path).values()

    some = await run_task(api.resources, NOW.model_copy(update={"limit": 2}))
    assert (some["blobs"], some["limit_reached"]) == (2, True)
    assert sum(content.startswith(MAGIC) for content in stored(tmp_path).values()) == 2
    assert (await run_task(api.resources, NOW))["blobs"] == 1
    assert all(content.startswith(MAGIC) for content in stored(tmp_path).values())
    assert await read(client) == {b"before 0", b"before 1", b"before 2"}
    assert (await run_task(api.resources, NOW))["checked"] == 0, "it is known that nothing is left"


async def test_an_interrupted_search_continues_with_the_folder_it_was_in(api: Running, acme: Tenant) -> None:
    await run_task(api.resources, NOW.model_copy(update={"limit": 1}))
    async with api.resources.database.system() as connection:
        key = await data_keys.current(connection, acme.id)
    assert key is not None and key.resealed < len(FOLDERS)

    rest = await run_task(api.resources, NOW)

    assert (rest["blobs"], rest["checked"]) in ((2, 2), (2, 3)), "one more if two files are in the same folder"


async def test_readers_are_not_disturbed_by_a_rotation_and_old_files_get_the_new_key(
    api: Running, client: httpx.AsyncClient, acme: Tenant, database_url: str, tmp_path: Path
) -> None:
    expected = {b"before 0", b"before 1", b"before 2"}
    finished = asyncio.Event()

    async def read_on(reader: httpx.AsyncClient, has_read: asyncio.Event) -> None:
        while not finished.is_set():
            assert await read(reader) == expected
            has_read.set()

    async with (
        running(database_url, tmp_path, master_key=master(tmp_path, "first")) as other,
        asyncio.TaskGroup() as group,
    ):
        readers = {asyncio.Event(): await each.admin(acme) for each in (api, other)}
        for has_read, reader in readers.items():
            group.create_task(read_on(reader, has_read))
        for _ in range(4):
            newest = await api.resources.keyring.rotate(acme.id)
            assert (await run_task(api.resources, NOW))["blobs"] == 3
            for has_read in readers:
                has_read.clear()
                await has_read.wait()
        finished.set()
    keys = [await _sealed_with(api.resources, acme, each) for each in await ids(client)]
    assert keys == [newest] * 3


async def _sealed_with(resources: Resources, tenant: Tenant, document: str) -> UUID | None:
    return await resources.blobs.sealed_with(f"documents/{tenant.id}/{document[-1]}/{document}")


async def test_after_a_change_of_the_master_key_the_old_one_is_no_longer_needed(
    api: Running, client: httpx.AsyncClient, acme: Tenant, database_url: str, tmp_path: Path
) -> None:
    await run_task(api.resources, NOW)
    both = f"{master(tmp_path, 'second')},{master(tmp_path, 'first')}"
    async with running(database_url, tmp_path, master_key=both) as rotating:
        assert await read(await rotating.admin(acme)) == {b"before 0", b"before 1", b"before 2"}
        dry = await run_task(rotating.resources, NOW.model_copy(update={"dry_run": True}))
        assert (dry["keys"], dry["blobs"]) == (1, 0)
        assert (await run_task(rotating.resources, NOW))["keys"] == 1
        assert (await run_task(rotating.resources, NOW))["keys"] == 0

    async with running(database_url, tmp_path, master_key=master(tmp_path, "second")) as new:
        assert len(await read(await new.admin(acme))) == 3


async def test_a_key_that_no_master_key_opens_is_counted_and_does_not_keep_the_others(
    api: Running, acme: Tenant, database_url: str, tmp_path: Path
) -> None:
    await api.resources.keyring.current(acme.id)
    async with running(database_url, tmp_path, master_key=master(tmp_path, "second")) as lost:
        other = await lost.admin(await lost.tenant("other"))
        await uploaded(other, b"of the other")
        async with lost.resources.database.system() as connection:
            await connection.execute("update tenants set deleted_at = clock_timestamp() where id = $1", acme.id)

        result = await run_task(lost.resources, NOW)

    assert (result["keys"], result["keys_not_opened"], result["checked"]) == (0, 1, 1)


async def test_a_file_that_is_deleted_while_it_is_encrypted_does_not_come_back(
    api: Running, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    """Its row and file are deleted after the task has opened the file, and before it stores it again."""
    [first, *_] = await ids(client)
    blobs = api.resources.blobs
    put, deleted = blobs.put, []

    async def delete_first(key: str, chunks: AsyncIterator[bytes]) -> object:
        content = [chunk async for chunk in chunks]
        if key.endswith(first):
            assert (await client.delete(f"/documents/{first}")).status_code == 204
            deleted.append(key)

        async def again() -> AsyncIterator[bytes]:
            for chunk in content:
                yield chunk

        return await put(key, again())

    blobs.put = delete_first  # type: ignore[method-assign, assignment]
    await run_task(api.resources, NOW)

    assert len(deleted) == 1
    assert first not in stored(tmp_path)
    assert len(stored(tmp_path)) == 2


async def test_a_damaged_file_is_counted_and_does_not_keep_the_others(
    api: Running, client: httpx.AsyncClient, acme: Tenant, tmp_path: Path
) -> None:
    await run_task(api.resources, NOW)
    [path, *_] = [path for path in (tmp_path / "blobs" / "documents").rglob("*") if path.is_file()]
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    await api.resources.keyring.rotate(acme.id)

    result = await run_task(api.resources, NOW)

    assert (result["blobs"], result["damaged"]) == (2, 1)


async def test_nothing_is_done_while_encryption_is_off(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path) as off:
        await uploaded(await off.admin(await off.tenant("acme")), b"plain")
        assert await run_task(off.resources, NOW) == {
            "dry_run": False, "limit_reached": False, "keys": 0, "checked": 0, "blobs": 0, "bytes": 0,
        }  # fmt: skip
