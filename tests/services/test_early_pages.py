"""Only the attempt that holds the job shows pages, and never in the place of complete ones."""

import random
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import early_pages as rows
from docsieve.db.documents import rows as documents
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.pages.page import Line, Page
from docsieve.domain.pages.pagefile import PageFileWriter
from docsieve.domain.scope import Scope
from docsieve.pipelines.workdir import WorkDir
from docsieve.services import early_pages
from docsieve.services.early_pages import EarlyPages
from tests.api.running import Running, uploaded


def write(folder: Path, *texts: str) -> WorkDir:
    folder.mkdir(exist_ok=True)
    work = WorkDir(folder)
    with work.pages.open("wb") as file:
        writer = PageFileWriter(file, parser="text", parser_version="1")
        for number, text in enumerate(texts, 1):
            writer.add(Page(number, 595.0, 842.0, [Line(text, (1.0, 2.0, 3.0, 4.0))]))
    work.chunks.write_bytes(b"".join(b'[%d,"%b",1,null,"text","[]"]\n' % (at, b"x") for at, _ in enumerate(texts)))
    return work


async def attempt(api: Running, job: ClaimedJob, work: WorkDir) -> EarlyPages:
    assert job.document_id is not None
    async with api.resources.database.tenant(Scope(job.tenant_id)) as session:
        source = await documents.source(session, job.document_id)
    assert source is not None
    return EarlyPages(api.resources.database, job, source, work)


async def shown(api: Running, tenant: Tenant, document_id: str) -> list[str]:
    return await early_pages.texts(api.resources.database, Scope(tenant.id), UUID(document_id))


async def chunks(api: Running, document_id: str) -> int:
    async with api.resources.database.system() as connection:
        return int(await connection.fetchval("select count(*) from chunks where document_id = $1", UUID(document_id)))


async def test_an_attempt_that_lost_the_job_shows_nothing_and_the_next_begins_again(
    api: Running, acme: Tenant, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    document_id = (await uploaded(client))["id"]
    [first] = await api.claim()
    lost = await attempt(api, first, write(tmp_path / "first", "one", "two"))
    assert await lost.publish()
    assert (await shown(api, acme, document_id), await chunks(api, document_id)) == (["one", "two"], 2)
    await api.fail(first, retry_in=0)
    [second] = await api.claim()
    write(tmp_path / "first", "one", "two", "three")

    assert not await lost.publish()
    assert await shown(api, acme, document_id) == ["one", "two"]
    assert await (await attempt(api, second, write(tmp_path / "second", "uno"))).publish()

    assert (await shown(api, acme, document_id), await chunks(api, document_id)) == (["uno"], 1)
    await api.fail(second)
    assert (await shown(api, acme, document_id), await chunks(api, document_id)) == ([], 0)


async def test_complete_pages_of_an_earlier_reading_are_not_replaced_by_a_few(
    api: Running, acme: Tenant, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    document_id = (await uploaded(client))["id"]
    [job] = await api.claim()
    await api.complete(job, "complete")
    await client.post(f"/documents/{document_id}/reprocess")
    [again] = await api.claim()

    assert not await (await attempt(api, again, write(tmp_path / "again", "one"))).publish()

    assert await shown(api, acme, document_id) == []
    assert (await client.get(f"/documents/{document_id}/text")).json()["text"] == "complete"


async def test_pages_are_only_shown_to_their_tenant(
    api: Running, acme: Tenant, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    document_id = (await uploaded(client))["id"]
    [job] = await api.claim()
    assert await (await attempt(api, job, write(tmp_path / "first", "one"))).publish()
    other = await api.tenant("other")

    assert await shown(api, other, document_id) == []
    async with api.resources.database.tenant(Scope(other.id)) as session:
        assert await rows.page(session, UUID(document_id), 1) is None
    strange = await api.admin(other)
    for path in ("text", "pages/1", "pages/1/image"):
        assert (await strange.get(f"/documents/{document_id}/{path}")).status_code == 404


async def test_a_page_that_is_too_large_and_those_after_it_wait_for_the_end(
    api: Running, acme: Tenant, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    document_id = (await uploaded(client))["id"]
    [job] = await api.claim()
    large = random.Random(1).randbytes(2 * 1024**2).hex()
    assert await (await attempt(api, job, write(tmp_path / "first", "one", large, "three"))).publish()

    assert await shown(api, acme, document_id) == ["one"]


@pytest.mark.parametrize("line", [b"[0]\n", b"not json\n"])
async def test_a_chunk_of_another_shape_is_not_stored(
    api: Running, acme: Tenant, client: httpx.AsyncClient, tmp_path: Path, line: bytes
) -> None:
    document_id = (await uploaded(client))["id"]
    [job] = await api.claim()
    work = write(tmp_path / "first", "one")
    work.chunks.write_bytes(line)
    with pytest.raises(ValueError):
        await (await attempt(api, job, work)).publish()
    assert await shown(api, acme, document_id) == []
