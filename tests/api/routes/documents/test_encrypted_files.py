"""With a master key, clients notice nothing but that downloads come from the API; without it they are asked to wait."""

import hashlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from docsieve.blobs.registry import open_store
from docsieve.blobs.sealed.envelope import HEADER_BYTES, MAGIC
from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import rows as documents
from docsieve.domain.documents import original_key
from docsieve.domain.scope import Scope
from docsieve.errors import OriginalDamaged, PagesDamaged
from docsieve.services.maintenance.tasks import CheckFiles
from docsieve.services.stored_files import download_original, download_pages, stream_original
from tests.api.routes.documents.test_direct_uploads import CONTENT, begin, complete, send
from tests.api.running import Running, assert_problem, running, uploaded
from tests.emulators.stores import Emulator, emulator
from tests.maintaining import run_task


@pytest.fixture
def master_key(tmp_path: Path) -> str:
    (tmp_path / "master.key").write_bytes(bytes(range(32)))
    return f"file:{tmp_path}/master.key"


@pytest.fixture
async def api(database_url: str, tmp_path: Path, master_key: str) -> AsyncIterator[Running]:
    async with running(database_url, tmp_path, master_key=master_key) as started:
        yield started


def files(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in (folder / "blobs").rglob("*") if path.is_file()]


async def test_a_document_is_known_by_its_content_and_stored_encrypted(
    api: Running, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    document = await uploaded(client, CONTENT)
    again = await uploaded(client, CONTENT)

    assert (document["sha256"], document["size"]) == (hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))
    assert again["duplicate_of"] == document["id"]
    [job, _] = await api.claim(limit=2)
    await api.complete(job, "the text of the page")
    text = await client.get(f"/documents/{document['id']}/text", headers={"Accept": "text/plain"})
    assert "the text of the page" in text.text
    assert (await client.get(f"/documents/{document['id']}/file")).content == CONTENT
    assert len(files(tmp_path)) == 3
    assert not any(b"Invoice 17" in content or b"pdfium" in content for content in files(tmp_path))


async def test_an_api_without_the_master_key_is_not_ready(
    api: Running, client: httpx.AsyncClient, database_url: str, tmp_path: Path
) -> None:
    await uploaded(client, CONTENT)
    assert (await (await api.client(prefix="")).get("/readyz")).status_code == 200

    async with running(database_url, tmp_path) as without:
        assert_problem(await (await without.client(prefix="")).get("/readyz"), 503, "encryption_key_unavailable")


async def test_without_the_master_key_files_wait_and_can_be_deleted(
    api: Running, client: httpx.AsyncClient, acme: Tenant, database_url: str, tmp_path: Path
) -> None:
    document = await uploaded(client, CONTENT)
    [job] = await api.claim()
    await api.complete(job, "a page")
    for settings in ({}, {"master_key": "file:/nowhere/master.key"}):
        async with running(database_url, tmp_path, **settings) as keyless:
            other = await keyless.admin(acme)
            for path in ("file", "download_url", "text", "pages/1", "pages/1/image"):
                answer = await other.get(f"/documents/{document['id']}/{path}")
                assert_problem(answer, 503, "encryption_key_unavailable")
                assert (answer.headers["retry-after"], "nowhere" in answer.text) == ("10", False)
            upload = await other.post("/documents", files={"file": ("a.txt", b"new")})
            assert upload.status_code == (503 if settings else 200), "without the setting it is stored as it is"
    async with running(database_url, tmp_path) as keyless:
        other = await keyless.admin(acme)
        assert (await other.delete(f"/documents/{document['id']}")).status_code == 204
        assert [content for content in files(tmp_path) if content != b"new"] == []


def flip(path: Path) -> None:
    """Change a bit of what is encrypted; the size stays."""
    content = bytearray(path.read_bytes())
    content[HEADER_BYTES + 3] ^= 1
    path.write_bytes(content)


async def test_files_and_pages_that_were_changed_in_the_store_are_damaged(
    api: Running, client: httpx.AsyncClient, acme: Tenant, tmp_path: Path
) -> None:
    document = await uploaded(client, CONTENT)
    [job] = await api.claim()
    pages = await api.complete(job, "a page")
    flip(tmp_path / "blobs" / original_key(acme.id, UUID(document["id"])))
    checked = await run_task(api.resources, CheckFiles(older_than_days=-1, limit=1))
    assert (checked["damaged_originals"], checked["unreadable"]) == (1, 0)
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        source = await documents.source(session, UUID(document["id"]))
        stored = await documents.find(session, UUID(document["id"]))
    assert source is not None and stored is not None
    with pytest.raises(OriginalDamaged):
        await download_original(api.resources.blobs, acme.id, source, tmp_path / "copy")
    with pytest.raises(OriginalDamaged):
        [chunk async for chunk in stream_original(api.resources.blobs, acme.id, stored)]

    flip(tmp_path / "blobs" / pages)
    with pytest.raises(PagesDamaged):
        await download_pages(api.resources.blobs, pages, tmp_path / "pages")
    assert_problem(await client.get(f"/documents/{document['id']}/text"), 503, "pages_damaged")
    assert [job.document_id for job in await api.claim()] == [UUID(document["id"])], "it is read again"


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    with emulator("s3", tmp_path_factory.mktemp("s3")) as started:
        yield started


@pytest.mark.process
async def test_direct_uploads_and_downloads_go_through_the_api_instead_of_the_bucket(
    s3: Emulator, database_url: str, tmp_path: Path, master_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.use(monkeypatch)
    bucket = s3.create_bucket()
    async with running(database_url, tmp_path, master_key=master_key, blob_url=f"s3://{bucket}") as api:
        client, sender = await api.admin(await api.tenant("acme")), await api.client(prefix="")
        upload = await begin(client, sha256=hashlib.sha256(CONTENT).hexdigest())
        assert all(part["url"].startswith("http://docsieve/") for part in upload["parts"])
        await send(sender, upload)
        document = (await complete(client, upload)).json()

        signed = (await client.get(f"/documents/{document['id']}/download_url")).json()

        assert signed["url"].startswith("http://docsieve/")
        assert (await sender.get(signed["url"])).content == CONTENT
        [stored] = [blob async for blob in api.resources.blobs.list()]
        raw = await open_store(f"s3://{bucket}").get(stored.key)
        assert raw.startswith(MAGIC) and CONTENT[:10] not in raw
